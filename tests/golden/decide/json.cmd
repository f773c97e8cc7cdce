sluice decide --format json --at 2026-01-05T09:00:00Z policies/two-pools.yaml --set JOB_ID=1 policies/rayjob-tpu-v6e-dws.yaml --set JOB_ID=2 policies/rayjob-tpu-v6e-dws.yaml
