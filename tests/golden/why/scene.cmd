sluice load policies/two-pools.yaml --now 2026-01-05T09:00:00Z --db cluster.db
sluice load policies/rayjob-tpu-v6e-dws.yaml --set JOB_ID=1 --now 2026-01-05T09:00:00Z --db cluster.db
sluice load policies/rayjob-tpu-v6e-dws.yaml --set JOB_ID=2 --now 2026-01-05T09:01:00Z --db cluster.db
sluice load policies/rayjob-tpu-v6e-dws.yaml --set JOB_ID=3 --now 2026-01-05T09:02:00Z --db cluster.db
sluice load policies/rayjob-tpu-v6e-dws.yaml --set JOB_ID=4 --now 2026-01-05T09:03:00Z --db cluster.db
sluice why rayjob/rayjob-tpu-v6e-dws-1 -s cluster.db
sluice why rayjob/rayjob-tpu-v6e-dws-2 -s cluster.db
sluice why rayjob/rayjob-tpu-v6e-dws-3 -s cluster.db
sluice why rayjob/rayjob-tpu-v6e-dws-4 -s cluster.db
sluice why rayjob/rayjob-tpu-v6e-dws-2 -s cluster.db -p policies/patient-fallback.sluice
sluice why rayjob/rayjob-tpu-v6e-dws-2 -s cluster.db -p policies/patient-fallback.sluice --at +13min
sluice why rayjob/rayjob-tpu-v6e-dws-2 -s cluster.db --format json
