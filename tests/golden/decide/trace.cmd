# Each cycle, head by head: one preempts, and gets its turn once the other is gone.
sluice decide --trace --at 2026-01-05T09:00:00Z trace.yaml
