# vision needs 2 GPUs more than its own: it reclaims from speech what speech borrows
sluice load preemption.yaml --now 2026-01-05T09:00:00Z --db c.db
sluice why job/train-detector -s c.db preemption_train.yaml
sluice why transcribe-calls -s c.db preemption_train.yaml
sluice why transcribe-news -s c.db preemption_train.yaml
sluice why job/train-huge -s c.db preemption_more.yaml
sluice why job/tune-detector -s c.db preemption_more.yaml
sluice why job/train-detector -s c.db preemption_train.yaml --format json
