# two pod sets that fit nowhere: the search for the first goes on where it stopped, and the answers alternate
sluice why weather --at 2026-01-05T09:00:00Z loop.yaml
# a job that takes fewer pods when it must borrows what the other queue then takes back
sluice why sweep --at 2026-01-05T09:00:00Z loop_preemption.yaml
sluice why quarterly --at 2026-01-05T09:00:00Z loop_preemption.yaml
sluice decide --at 2026-01-05T09:00:00Z loop_preemption.yaml --trace
