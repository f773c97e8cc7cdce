# up to its own quota a queue may take from whoever has more; beyond it the shares decide
sluice load fair_victims.yaml --now 2026-01-05T09:00:00Z --db c.db
sluice why job/fold-proteins -s c.db --kueue-config fair_config.yaml --set PODS=4 fair_victims_job.yaml
sluice why workload/serve-search -s c.db --kueue-config fair_config.yaml --set PODS=4 fair_victims_job.yaml
sluice why job/fold-proteins -s c.db --kueue-config fair_config.yaml --set PODS=5 fair_victims_job.yaml
sluice why job/fold-proteins -s c.db --kueue-config fair_final_config.yaml --set PODS=6 fair_victims_job.yaml
