# Held, denied, and a rule that fails.
sluice decide -p night.sluice --at 2026-01-05T09:00:00Z --set NAME=one policies/one-queue.yaml small.yaml --set NAME=four small.yaml
sluice decide -p night.sluice --at 2026-01-05T23:00:00Z --set NAME=one policies/one-queue.yaml small.yaml
# On error: hold (the default), skip.
sluice decide -p overflows.sluice --at 2026-01-05T23:00:00Z --set NAME=one policies/one-queue.yaml license.yaml small.yaml
sluice why job/one -p night.sluice --at 2026-01-05T09:00:00Z --set NAME=one policies/one-queue.yaml small.yaml
