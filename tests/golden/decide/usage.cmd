sluice help decide
sluice decide
sluice decide -p policies/plan-a-plan-b.sluice
sluice decide -s none.db
sluice decide none.yaml
sluice decide small.yaml
sluice decide -p none.sluice policies/one-queue.yaml
sluice decide -p stocked_out.sluice --at tomorrow policies/one-queue.yaml
sluice decide --format yaml policies/one-queue.yaml
sluice decide --at 2026-01-05T09:00:00Z policies/one-queue.yaml
sluice decide --set NAME=a policies/one-queue.yaml small.yaml small.yaml
sluice decide --set NAME policies/one-queue.yaml
SLUICE_DECIDE_AT=2026-01-05T09:00:00Z SLUICE_DECIDE_SET=NAME=a sluice decide policies/one-queue.yaml small.yaml
sluice load policies/one-queue.yaml --now 2026-01-05T09:00:00Z --db cluster.db
sluice decide -s cluster.db --at 2026-01-05T08:00:00Z
sluice decide -s cluster.db -p broken.sluice
sluice decide -s cluster.db -p elsewhere.sluice
sluice decide --limit=1 --at 2026-01-05T09:00:00Z --set NAME=a policies/one-queue.yaml small.yaml --set NAME=b small.yaml --set NAME=c small.yaml
sluice decide --limit=many policies/one-queue.yaml
