# One clear error each; no file appears, none changes.
sluice load cluster.yaml
sluice load cluster.yaml --db a.db
sluice snapshot info a.db
sluice load third_document_is_bad.yaml --db a.db
sluice snapshot info a.db
sluice load none.yaml --db a.db
sluice load empty.yaml --db a.db
sluice load empty_folder --db a.db
sluice load cycle.yaml --db a.db
sluice decide cycle.yaml
sluice load dangling.yaml --db a.db
sluice load list.json --db a.db --now yesterday
sluice load list.json --db a.db --set POOL
sluice load list.json --db folder
sluice load list.json --db list.json
show list.json
sluice load list.json --db nowhere/a.db
sluice snapshot info a.db

# The second of two cohorts closes a circle with the one that is there.
sluice load parent.yaml --db a.db --now 2026-01-01T00:00:00Z
sluice load child.yaml --db a.db
sluice load list.json third_document_is_bad.yaml --db a.db
sluice snapshot query a.db 'SELECT name, parent FROM cohort'
sluice snapshot query a.db 'SELECT count(*) AS namespaces FROM namespace'
