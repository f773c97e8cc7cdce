sluice load cluster.yaml --db a.db --now 2026-01-01T00:00:00Z
sluice snapshot info a.db
sluice snapshot info --db a.db --format json
sluice snapshot query a.db 'SELECT * FROM queue_quota'
sluice snapshot query --db a.db 'SELECT queue, nominal FROM queue_quota' --format json
sluice snapshot query a.db "SELECT NULL AS none, 1.5 AS real, 'größe' AS text, char(10) AS line"
sluice snapshot query a.db "SELECT NULL AS none, 1.5 AS real, 'größe' AS text, char(10) AS line" --format json
sluice snapshot query a.db 'SELECT name FROM node'
sluice snapshot check a.db
sluice snapshot check a.db --format json

# Errors.
sluice snapshot
sluice snapshot info
sluice snapshot history a.db
sluice snapshot query a.db
sluice snapshot query a.db 'SELECT 1' 'SELECT 2'
sluice snapshot query a.db 'DELETE FROM queue'
sluice snapshot query a.db 'SELECT colour FROM queue'
sluice snapshot query a.db ''
sluice snapshot info none.db
sluice snapshot info cluster.yaml
sluice snapshot info .
sluice snapshot info a.db --format xml
