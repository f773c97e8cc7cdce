# The TPU guide's four jobs as one cluster of manifests.
sluice decide --at 2026-01-05T09:00:00Z --set ONDEMAND_NODEPOOL=on-demand-pool --set DWS_NODEPOOL=dws-pool examples/plan-a-plan-b/dws-tpu-queue.yaml --set JOB_ID=1 examples/plan-a-plan-b/rayjob-tpu-v6e-dws.yaml --set JOB_ID=2 examples/plan-a-plan-b/rayjob-tpu-v6e-dws.yaml --set JOB_ID=3 examples/plan-a-plan-b/rayjob-tpu-v6e-dws.yaml --set JOB_ID=4 examples/plan-a-plan-b/rayjob-tpu-v6e-dws.yaml
# The same through a snapshot, under a policy that waits.
sluice load examples/plan-a-plan-b/dws-tpu-queue.yaml --set ONDEMAND_NODEPOOL=on-demand-pool --set DWS_NODEPOOL=dws-pool --now 2026-01-05T09:00:00Z --db cluster.db
sluice load examples/plan-a-plan-b/rayjob-tpu-v6e-dws.yaml --set JOB_ID=1 --now 2026-01-05T09:00:00Z --db cluster.db
sluice load examples/plan-a-plan-b/rayjob-tpu-v6e-dws.yaml --set JOB_ID=2 --now 2026-01-05T09:01:00Z --db cluster.db
sluice decide -s cluster.db -p policies/patient-fallback.sluice
sluice decide -s cluster.db -p policies/patient-fallback.sluice --at 2026-01-05T09:16:00Z
sluice decide -s cluster.db -p policies/patient-fallback.sluice --at +14min --fail
# On-demand is stocked out: no wait.
sluice decide -s cluster.db -p policies/patient-fallback.sluice --capacity stocked_out.sluice
# A what-if on top of the snapshot writes nothing.
sluice decide -s cluster.db --set JOB_ID=9 examples/plan-a-plan-b/rayjob-tpu-v6e-dws.yaml
sluice snapshot info cluster.db
