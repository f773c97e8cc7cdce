# Nodes that are too small, and nodes that pods hold which Kueue did not place.
sluice why job/j --at 2026-01-05T09:00:00Z nodes.yaml --set PODS=6 nodes_job.yaml
sluice why job/j --at 2026-01-05T09:00:00Z nodes.yaml --set PODS=5 nodes_job.yaml
sluice why job/j --at 2026-01-05T09:00:00Z nodes_alone.yaml --set PODS=12 nodes_job.yaml
