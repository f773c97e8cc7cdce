sluice load policies/one-queue.yaml names.yaml --now 2026-01-05T09:00:00Z --db c.db
sluice why job/train -s c.db
sluice why Jobs.batch/train -s c.db
sluice why raycluster/train -s c.db
sluice why train -s c.db
sluice why evaluate -s c.db
sluice why team-a/evaluate -s c.db
sluice why team-b/job/evaluate -s c.db
sluice why job/trian -s c.db
sluice why job/nothing-like-it -s c.db
sluice why -s c.db
sluice why train
sluice why workload/job-train-1bff3 -s c.db
