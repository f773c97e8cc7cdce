# admission fair sharing: the local queue that has used less, over its weight, goes first
sluice load usage.yaml --now 2026-01-05T09:00:00Z --db c.db
sluice why vision/job/tune -s c.db --kueue-config usage_config.yaml
sluice why speech/job/tune -s c.db --kueue-config usage_config.yaml
