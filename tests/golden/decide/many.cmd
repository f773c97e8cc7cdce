# More jobs than one would read of, and more cycles than a scenario has: each is decided all the same.
sluice decide -p many.sluice --limit 1 --at 2026-01-05T09:00:00Z many.yaml
sluice why w129 -p many.sluice --at 2026-01-05T09:00:00Z many.yaml
