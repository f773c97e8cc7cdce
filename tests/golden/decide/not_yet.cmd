sluice test not_yet.sluice
# What this version does not decide is refused by name.
sluice decide -p not_yet.sluice --at 2026-01-05T09:00:00Z --set NAME=a small_cpu.yaml
sluice decide -p not_yet.sluice --at 2026-01-05T09:00:00Z --set NAME=a small_cpu.yaml important.yaml
sluice decide -p not_yet.sluice --at 2026-01-05T09:00:00Z policies/two-pools.yaml --set JOB_ID=1 policies/rayjob-tpu-v6e-dws.yaml --set JOB_ID=2 policies/rayjob-tpu-v6e-dws.yaml
sluice decide -p place_rules.sluice --at 2026-01-05T09:00:00Z rack_node.yaml --set NAME=a small_cpu.yaml
sluice decide -p not_yet.sluice --at 2026-01-05T09:00:00Z gpu_claim.yaml
