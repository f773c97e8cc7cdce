# A resource that no queue lists: Kueue refuses the job unless it is told to ignore such resources.
sluice decide --at 2026-01-05T09:00:00Z kueue_queue.yaml kueue_job.yaml
sluice decide --at 2026-01-05T09:00:00Z --kueue-config kueue.yaml kueue_queue.yaml kueue_job.yaml
# Before 0.19 the gate of that setting was off.
sluice decide --at 2026-01-05T09:00:00Z --kueue 0.19 --kueue-config kueue.yaml --feature-gates QuotaCheckStrategy=false kueue_queue.yaml kueue_job.yaml
sluice why job/train --at 2026-01-05T09:00:00Z --kueue-config kueue.yaml kueue_queue.yaml kueue_job.yaml
# What the manager would not start with.
sluice decide --kueue-config kueue_broken.yaml kueue_job.yaml
sluice decide --kueue-config kueue_queue.yaml kueue_job.yaml
sluice decide --kueue 0.16 kueue_job.yaml
sluice decide --kueue 0.17 --feature-gates QuotaCheckStrategy=true kueue_job.yaml
sluice decide --feature-gates PartialAdmission kueue_job.yaml
sluice decide --feature-gates TopologyAwareScheduling=false kueue_job.yaml
sluice decide --scenario scenario.json --kueue 0.19
