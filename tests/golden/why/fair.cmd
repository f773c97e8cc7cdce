sluice load fair.yaml --now 2026-01-05T09:00:00Z --db c.db
sluice why job/study -s c.db --kueue-config fair_config.yaml
sluice why job/study -s c.db
