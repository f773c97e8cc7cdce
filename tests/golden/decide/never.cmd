# Each of these jobs can never run as written.
sluice decide --at 2026-01-05T09:00:00Z policies/one-queue.yaml never.yaml
sluice decide --fail --at 2026-01-05T09:00:00Z policies/one-queue.yaml never.yaml --format json
