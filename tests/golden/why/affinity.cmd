# An affinity that Kubernetes does not take ends the search.
sluice why workload/odd --at 2026-01-05T09:00:00Z affinity.yaml
