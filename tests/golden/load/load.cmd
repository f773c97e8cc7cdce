# A new snapshot, then jobs into it: they keep the order in which they came.
sluice load cluster.yaml --db a.db --set POOL=tpu-pool --now 2026-01-01T00:00:00Z
sluice load job.yaml --db a.db --set N=2 --now 2026-01-01T01:00:00Z
sluice load job.yaml --db a.db --set N=1 --now 2026-01-01T02:00:00Z
sluice snapshot query a.db 'SELECT name, owner, state, created_at, arrival FROM workload_status JOIN workload USING (namespace, name) ORDER BY arrival'
sluice snapshot query a.db 'SELECT owner, pod_set, r.count, resource, per_pod, total FROM workload_request AS r JOIN workload_status USING (workload)'

# Again: the job has waited since it came first.
sluice load job.yaml --db a.db --set N=2 --now 2026-01-01T05:00:00Z
sluice snapshot query a.db 'SELECT owner, created_at, age_seconds FROM workload_status'
sluice load cluster.yaml --db a.db --set POOL=other-pool --now 2026-01-01T06:00:00Z
sluice snapshot query a.db 'SELECT key, value FROM flavor_label'

# Variables come from the environment too; --set wins.
POOL=from-environment sluice load cluster.yaml --db b.db
sluice snapshot query b.db 'SELECT value FROM flavor_label'
POOL=from-environment sluice load cluster.yaml --db b.db --set POOL=from-set
sluice snapshot query b.db 'SELECT value FROM flavor_label'

# Lists, folders, stdin.
sluice load list.json --db c.db
sluice load folder --db c.db
sluice load - --db c.db < folder/a.yml
sluice load --db c.db < folder/a.yml
sluice snapshot query c.db 'SELECT name, path, source_line FROM namespace JOIN source_file ON source_file.id = source_file ORDER BY name'

# Afresh.
sluice load folder/a.yml --db c.db --replace
sluice snapshot query c.db 'SELECT name FROM namespace'
sluice load dangling.yaml --db c.db --allow-dangling

# Twice in the same manifests.
sluice load folder/a.yml list.json folder --db c.db

# One manifest, two jobs.
sluice load --db d.db --set N=2 job.yaml --set N=1 job.yaml --now 2026-01-01T00:00:00Z
sluice snapshot query d.db 'SELECT owner, arrival FROM workload_status JOIN workload USING (namespace, name) ORDER BY arrival'

# Each object with a generateName is one of its own.
sluice load --db e.db generated.yaml generated.yaml --now 2026-01-01T00:00:00Z
sluice load --db e.db generated.yaml --now 2026-01-01T00:00:00Z
sluice snapshot query e.db 'SELECT owner, total FROM workload_status JOIN workload_request USING (workload) ORDER BY owner'
sluice decide --at 2026-01-01T00:00:00Z generated.yaml
