-- The tables of a snapshot. docs/snapshot.md explains them to people who query; every change here is a new
-- version with a migration (state/migrations, and its line in state/meson.build).
--
-- Instants are nanoseconds since 1970-01-01T00:00:00Z. `amount` columns count as Kueue does: cpu in milli-cores,
-- all else in base units; 9223372036854775807 is "unlimited". `quantity` is the exact text of Kubernetes.
-- Objects name each other by text, as in the API: a reference may dangle, so only parts have foreign keys.

CREATE TABLE snapshot (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  instant INTEGER NOT NULL
) STRICT;

CREATE TABLE source_file (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE resource_version (
  kind TEXT PRIMARY KEY,
  version TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Flavors

CREATE TABLE flavor (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  topology TEXT,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE flavor_label (
  flavor INTEGER NOT NULL REFERENCES flavor ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (flavor, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE flavor_taint (
  flavor INTEGER NOT NULL REFERENCES flavor ON DELETE CASCADE,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  effect TEXT NOT NULL,
  PRIMARY KEY (flavor, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE flavor_toleration (
  flavor INTEGER NOT NULL REFERENCES flavor ON DELETE CASCADE,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  operator TEXT NOT NULL,
  value TEXT NOT NULL,
  effect TEXT NOT NULL,
  seconds INTEGER,
  PRIMARY KEY (flavor, position)
) STRICT, WITHOUT ROWID;

-- Queues and cohorts

CREATE TABLE queue (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  cohort TEXT,
  strategy TEXT NOT NULL CHECK (strategy IN ('BestEffortFIFO', 'StrictFIFO')),
  stop_policy TEXT NOT NULL CHECK (stop_policy IN ('None', 'Hold', 'HoldAndDrain')),
  selects_namespaces INTEGER NOT NULL CHECK (selects_namespaces IN (0, 1)),
  when_can_borrow TEXT NOT NULL CHECK (when_can_borrow IN ('MayStopSearch', 'TryNextFlavor')),
  when_can_preempt TEXT NOT NULL CHECK (when_can_preempt IN ('MayStopSearch', 'TryNextFlavor')),
  preference TEXT NOT NULL CHECK (preference IN ('BorrowingOverPreemption', 'PreemptionOverBorrowing')),
  reclaim_within_cohort TEXT NOT NULL,
  within_cluster_queue TEXT NOT NULL,
  borrow_within_cohort TEXT NOT NULL,
  borrow_max_priority_threshold INTEGER,
  fair_weight TEXT,
  usage_based_fair_sharing INTEGER NOT NULL CHECK (usage_based_fair_sharing IN (0, 1)),
  concurrent_admission INTEGER NOT NULL CHECK (concurrent_admission IN (0, 1)),
  generation INTEGER NOT NULL,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL,
  retains_first_admission INTEGER NOT NULL DEFAULT 0 CHECK (retains_first_admission IN (0, 1)),
  last_acceptable_flavor TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE queue_namespace_requirement (
  queue INTEGER NOT NULL REFERENCES queue ON DELETE CASCADE,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  operator TEXT NOT NULL,
  PRIMARY KEY (queue, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE queue_namespace_value (
  queue INTEGER NOT NULL,
  requirement INTEGER NOT NULL,
  position INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (queue, requirement, position),
  FOREIGN KEY (queue, requirement) REFERENCES queue_namespace_requirement (queue, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE queue_check (
  queue INTEGER NOT NULL REFERENCES queue ON DELETE CASCADE,
  position INTEGER NOT NULL,
  admission_check TEXT NOT NULL,
  PRIMARY KEY (queue, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE queue_check_flavor (
  queue INTEGER NOT NULL,
  queue_check INTEGER NOT NULL,
  position INTEGER NOT NULL,
  flavor TEXT NOT NULL,
  PRIMARY KEY (queue, queue_check, position),
  FOREIGN KEY (queue, queue_check) REFERENCES queue_check (queue, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE cohort (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  parent TEXT,
  fair_weight TEXT,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

-- A resource group belongs to a queue or to a cohort.
CREATE TABLE resource_group (
  id INTEGER PRIMARY KEY,
  queue INTEGER REFERENCES queue ON DELETE CASCADE,
  cohort INTEGER REFERENCES cohort ON DELETE CASCADE,
  position INTEGER NOT NULL,
  CHECK ((queue IS NULL) <> (cohort IS NULL)),
  UNIQUE (queue, position),
  UNIQUE (cohort, position)
) STRICT;

CREATE TABLE resource_group_resource (
  resource_group INTEGER NOT NULL REFERENCES resource_group ON DELETE CASCADE,
  position INTEGER NOT NULL,
  resource TEXT NOT NULL,
  PRIMARY KEY (resource_group, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE resource_group_flavor (
  resource_group INTEGER NOT NULL REFERENCES resource_group ON DELETE CASCADE,
  position INTEGER NOT NULL,
  flavor TEXT NOT NULL,
  PRIMARY KEY (resource_group, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE quota (
  resource_group INTEGER NOT NULL,
  flavor_position INTEGER NOT NULL,
  position INTEGER NOT NULL,
  resource TEXT NOT NULL,
  nominal INTEGER NOT NULL,
  borrowing_limit INTEGER,
  lending_limit INTEGER,
  PRIMARY KEY (resource_group, flavor_position, position),
  FOREIGN KEY (resource_group, flavor_position)
    REFERENCES resource_group_flavor (resource_group, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE local_queue (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  queue TEXT NOT NULL,
  stop_policy TEXT NOT NULL CHECK (stop_policy IN ('None', 'Hold', 'HoldAndDrain')),
  fair_weight TEXT,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL,
  UNIQUE (namespace, name)
) STRICT;

CREATE TABLE local_queue_consumed (
  local_queue INTEGER NOT NULL REFERENCES local_queue ON DELETE CASCADE,
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (local_queue, resource)
) STRICT, WITHOUT ROWID;

-- Classes, checks, provisioning

CREATE TABLE workload_priority_class (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  value INTEGER NOT NULL,
  description TEXT NOT NULL,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE priority_class (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  value INTEGER NOT NULL,
  global_default INTEGER NOT NULL CHECK (global_default IN (0, 1)),
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE admission_check (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  controller TEXT NOT NULL,
  parameters_group TEXT NOT NULL,
  parameters_kind TEXT NOT NULL,
  parameters_name TEXT NOT NULL,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE provisioning_config (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  class_name TEXT NOT NULL,
  retry_limit INTEGER NOT NULL,
  retry_base_seconds INTEGER NOT NULL,
  retry_max_seconds INTEGER NOT NULL,
  pod_set_merge_policy TEXT NOT NULL,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE provisioning_config_parameter (
  provisioning_config INTEGER NOT NULL REFERENCES provisioning_config ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (provisioning_config, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE provisioning_config_resource (
  provisioning_config INTEGER NOT NULL REFERENCES provisioning_config ON DELETE CASCADE,
  position INTEGER NOT NULL,
  resource TEXT NOT NULL,
  PRIMARY KEY (provisioning_config, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE provisioning_config_node_selector (
  provisioning_config INTEGER NOT NULL REFERENCES provisioning_config ON DELETE CASCADE,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (provisioning_config, position)
) STRICT, WITHOUT ROWID;

-- Requests for machines that a check made for a workload, with the autoscaler's answers
CREATE TABLE provisioning_request (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  workload TEXT NOT NULL,
  class_name TEXT NOT NULL,
  created INTEGER NOT NULL,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL,
  UNIQUE (namespace, name)
) STRICT;

CREATE TABLE provisioning_request_parameter (
  provisioning_request INTEGER NOT NULL REFERENCES provisioning_request ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (provisioning_request, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE provisioning_request_pod_set (
  provisioning_request INTEGER NOT NULL REFERENCES provisioning_request ON DELETE CASCADE,
  position INTEGER NOT NULL,
  pod_template TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (provisioning_request, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE provisioning_request_condition (
  provisioning_request INTEGER NOT NULL REFERENCES provisioning_request ON DELETE CASCADE,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  status INTEGER NOT NULL CHECK (status IN (0, 1)),
  reason TEXT NOT NULL,
  message TEXT NOT NULL,
  since INTEGER NOT NULL,
  observed_generation INTEGER NOT NULL,
  PRIMARY KEY (provisioning_request, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE provisioning_request_detail (
  provisioning_request INTEGER NOT NULL REFERENCES provisioning_request ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (provisioning_request, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE topology (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE topology_level (
  topology INTEGER NOT NULL REFERENCES topology ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  node_label TEXT NOT NULL,
  PRIMARY KEY (topology, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE capacity_signal (
  id INTEGER PRIMARY KEY,
  flavor TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('available', 'stocked-out', 'quota-exceeded')),
  since INTEGER NOT NULL,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

-- The cluster

CREATE TABLE namespace (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE namespace_label (
  namespace INTEGER NOT NULL REFERENCES namespace ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (namespace, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE limit_range (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL,
  UNIQUE (namespace, name)
) STRICT;

CREATE TABLE limit_range_item (
  limit_range INTEGER NOT NULL REFERENCES limit_range ON DELETE CASCADE,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  PRIMARY KEY (limit_range, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE limit_range_bound (
  limit_range INTEGER NOT NULL,
  item INTEGER NOT NULL,
  bound TEXT NOT NULL CHECK (bound IN ('max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio')),
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  PRIMARY KEY (limit_range, item, bound, resource),
  FOREIGN KEY (limit_range, item) REFERENCES limit_range_item (limit_range, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE runtime_class (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE runtime_class_overhead (
  runtime_class INTEGER NOT NULL REFERENCES runtime_class ON DELETE CASCADE,
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  PRIMARY KEY (runtime_class, resource)
) STRICT, WITHOUT ROWID;

CREATE TABLE node (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  ready INTEGER NOT NULL CHECK (ready IN (0, 1)),
  unschedulable INTEGER NOT NULL CHECK (unschedulable IN (0, 1)),
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL
) STRICT;

CREATE TABLE node_label (
  node INTEGER NOT NULL REFERENCES node ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (node, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE node_taint (
  node INTEGER NOT NULL REFERENCES node ON DELETE CASCADE,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  effect TEXT NOT NULL,
  PRIMARY KEY (node, position)
) STRICT, WITHOUT ROWID;

-- status.allocatable
CREATE TABLE node_resource (
  node INTEGER NOT NULL REFERENCES node ON DELETE CASCADE,
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (node, resource)
) STRICT, WITHOUT ROWID;

-- Pods on nodes
CREATE TABLE pod (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  node TEXT NOT NULL,
  workload TEXT NOT NULL,
  asks_for_topology INTEGER NOT NULL CHECK (asks_for_topology IN (0, 1)),
  ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
  deleting INTEGER NOT NULL CHECK (deleting IN (0, 1)),
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL,
  UNIQUE (namespace, name)
) STRICT;

CREATE TABLE pod_request (
  pod INTEGER NOT NULL REFERENCES pod ON DELETE CASCADE,
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (pod, resource)
) STRICT, WITHOUT ROWID;

-- Workloads

CREATE TABLE workload (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  uid TEXT NOT NULL,
  synthetic_uid INTEGER NOT NULL CHECK (synthetic_uid IN (0, 1)),
  arrival INTEGER NOT NULL,
  created INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  owner_kind TEXT NOT NULL,
  owner_group TEXT NOT NULL,
  owner_name TEXT NOT NULL,
  owner_uid TEXT NOT NULL,
  local_queue TEXT NOT NULL,
  priority INTEGER NOT NULL,
  priority_class TEXT NOT NULL,
  priority_class_kind TEXT NOT NULL,
  active INTEGER NOT NULL CHECK (active IN (0, 1)),
  max_run_seconds INTEGER,
  admitted_queue TEXT,
  requeue_at INTEGER,
  requeue_count INTEGER NOT NULL,
  past_run_seconds INTEGER NOT NULL,
  source_file INTEGER REFERENCES source_file,
  source_line INTEGER NOT NULL,
  UNIQUE (namespace, name)
) STRICT;

CREATE INDEX workload_by_local_queue ON workload (namespace, local_queue);
CREATE INDEX workload_by_admitted_queue ON workload (admitted_queue) WHERE admitted_queue IS NOT NULL;

CREATE TABLE workload_label (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workload, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE workload_annotation (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workload, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE workload_preemption_gate (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  position INTEGER NOT NULL,
  gate TEXT NOT NULL,
  PRIMARY KEY (workload, position)
) STRICT, WITHOUT ROWID;

-- status.preemptionGates
CREATE TABLE workload_preemption_gate_state (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  position INTEGER NOT NULL,
  gate TEXT NOT NULL,
  open INTEGER NOT NULL CHECK (open IN (0, 1)),
  since INTEGER NOT NULL,
  PRIMARY KEY (workload, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE workload_condition (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  status INTEGER NOT NULL CHECK (status IN (0, 1)),
  reason TEXT NOT NULL,
  message TEXT NOT NULL,
  since INTEGER NOT NULL,
  observed_generation INTEGER NOT NULL,
  PRIMARY KEY (workload, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE workload_check (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  position INTEGER NOT NULL,
  admission_check TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('Pending', 'Ready', 'Retry', 'Rejected')),
  message TEXT NOT NULL,
  since INTEGER NOT NULL,
  requeue_after_seconds INTEGER,
  retry_count INTEGER NOT NULL,
  PRIMARY KEY (workload, position)
) STRICT, WITHOUT ROWID;

-- What a check wants to be added to the pods of a pod set
CREATE TABLE workload_check_update (
  workload INTEGER NOT NULL,
  admission_check INTEGER NOT NULL,
  position INTEGER NOT NULL,
  pod_set TEXT NOT NULL,
  PRIMARY KEY (workload, admission_check, position),
  FOREIGN KEY (workload, admission_check) REFERENCES workload_check (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE workload_check_update_entry (
  workload INTEGER NOT NULL,
  admission_check INTEGER NOT NULL,
  pod_set_update INTEGER NOT NULL,
  part TEXT NOT NULL CHECK (part IN ('label', 'annotation', 'nodeSelector')),
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workload, admission_check, pod_set_update, part, key),
  FOREIGN KEY (workload, admission_check, pod_set_update)
    REFERENCES workload_check_update (workload, admission_check, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE workload_check_update_toleration (
  workload INTEGER NOT NULL,
  admission_check INTEGER NOT NULL,
  pod_set_update INTEGER NOT NULL,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  operator TEXT NOT NULL,
  value TEXT NOT NULL,
  effect TEXT NOT NULL,
  seconds INTEGER,
  PRIMARY KEY (workload, admission_check, pod_set_update, position),
  FOREIGN KEY (workload, admission_check, pod_set_update)
    REFERENCES workload_check_update (workload, admission_check, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- status.unhealthyNodes
CREATE TABLE workload_unhealthy_node (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  position INTEGER NOT NULL,
  node TEXT NOT NULL,
  PRIMARY KEY (workload, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE workload_reclaimable (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  pod_set TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (workload, pod_set)
) STRICT, WITHOUT ROWID;

-- status.admission of one pod set
CREATE TABLE assignment (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  position INTEGER NOT NULL,
  pod_set TEXT NOT NULL,
  count INTEGER,
  has_topology INTEGER NOT NULL CHECK (has_topology IN (0, 1)),
  delayed_topology TEXT NOT NULL,
  PRIMARY KEY (workload, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE assignment_flavor (
  workload INTEGER NOT NULL,
  assignment INTEGER NOT NULL,
  resource TEXT NOT NULL,
  flavor TEXT NOT NULL,
  PRIMARY KEY (workload, assignment, resource),
  FOREIGN KEY (workload, assignment) REFERENCES assignment (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE assignment_usage (
  workload INTEGER NOT NULL,
  assignment INTEGER NOT NULL,
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (workload, assignment, resource),
  FOREIGN KEY (workload, assignment) REFERENCES assignment (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Where the pods of an assignment go: its levels, and its domains with a value for each of them
CREATE TABLE assignment_level (
  workload INTEGER NOT NULL,
  assignment INTEGER NOT NULL,
  position INTEGER NOT NULL,
  node_label TEXT NOT NULL,
  PRIMARY KEY (workload, assignment, position),
  FOREIGN KEY (workload, assignment) REFERENCES assignment (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE assignment_domain (
  workload INTEGER NOT NULL,
  assignment INTEGER NOT NULL,
  position INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (workload, assignment, position),
  FOREIGN KEY (workload, assignment) REFERENCES assignment (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE assignment_domain_value (
  workload INTEGER NOT NULL,
  assignment INTEGER NOT NULL,
  domain INTEGER NOT NULL,
  level INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workload, assignment, domain, level),
  FOREIGN KEY (workload, assignment, domain)
    REFERENCES assignment_domain (workload, assignment, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE pod_set (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  min_count INTEGER,
  runtime_class TEXT NOT NULL,
  priority_class TEXT NOT NULL,
  priority INTEGER,
  has_pod_requests INTEGER NOT NULL CHECK (has_pod_requests IN (0, 1)),
  has_pod_limits INTEGER NOT NULL CHECK (has_pod_limits IN (0, 1)),
  has_required_affinity INTEGER NOT NULL CHECK (has_required_affinity IN (0, 1)),
  other_shape TEXT NOT NULL,
  topology_mode TEXT CHECK (topology_mode IN ('none', 'required', 'preferred', 'unconstrained')),
  topology_level TEXT,
  topology_slice_level TEXT,
  topology_slice_size INTEGER,
  topology_group TEXT,
  topology_pod_index_label TEXT,
  topology_sub_group_index_label TEXT,
  topology_sub_group_count INTEGER,
  topology_constrained INTEGER,
  PRIMARY KEY (workload, position)
) STRICT, WITHOUT ROWID;

-- Slices of several layers, outermost first
CREATE TABLE pod_set_slice_layer (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  position INTEGER NOT NULL,
  level TEXT NOT NULL,
  size INTEGER NOT NULL,
  PRIMARY KEY (workload, pod_set, position),
  FOREIGN KEY (workload, pod_set) REFERENCES pod_set (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE pod_label (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workload, pod_set, key),
  FOREIGN KEY (workload, pod_set) REFERENCES pod_set (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE pod_annotation (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workload, pod_set, key),
  FOREIGN KEY (workload, pod_set) REFERENCES pod_set (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE pod_node_selector (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workload, pod_set, key),
  FOREIGN KEY (workload, pod_set) REFERENCES pod_set (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE pod_toleration (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  operator TEXT NOT NULL,
  value TEXT NOT NULL,
  effect TEXT NOT NULL,
  seconds INTEGER,
  PRIMARY KEY (workload, pod_set, position),
  FOREIGN KEY (workload, pod_set) REFERENCES pod_set (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Resources of the pod as a whole: spec.resources, and the overhead that the pod template itself has.
CREATE TABLE pod_resource (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  bound TEXT NOT NULL CHECK (bound IN ('request', 'limit', 'overhead')),
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (workload, pod_set, bound, resource),
  FOREIGN KEY (workload, pod_set) REFERENCES pod_set (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Required node affinity: a pod may run where one of its terms holds; a term holds if all expressions do.
CREATE TABLE pod_affinity_term (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (workload, pod_set, position),
  FOREIGN KEY (workload, pod_set) REFERENCES pod_set (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE pod_affinity_expression (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  term INTEGER NOT NULL,
  on_field INTEGER NOT NULL CHECK (on_field IN (0, 1)),
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  operator TEXT NOT NULL,
  PRIMARY KEY (workload, pod_set, term, on_field, position),
  FOREIGN KEY (workload, pod_set, term)
    REFERENCES pod_affinity_term (workload, pod_set, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE pod_affinity_value (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  term INTEGER NOT NULL,
  on_field INTEGER NOT NULL,
  expression INTEGER NOT NULL,
  position INTEGER NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workload, pod_set, term, on_field, expression, position),
  FOREIGN KEY (workload, pod_set, term, on_field, expression)
    REFERENCES pod_affinity_expression (workload, pod_set, term, on_field, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE container (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  init INTEGER NOT NULL CHECK (init IN (0, 1)),
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  sidecar INTEGER NOT NULL CHECK (sidecar IN (0, 1)),
  ports TEXT NOT NULL,
  PRIMARY KEY (workload, pod_set, init, position),
  FOREIGN KEY (workload, pod_set) REFERENCES pod_set (workload, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE container_resource (
  workload INTEGER NOT NULL,
  pod_set INTEGER NOT NULL,
  init INTEGER NOT NULL,
  container INTEGER NOT NULL,
  bound TEXT NOT NULL CHECK (bound IN ('request', 'limit')),
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (workload, pod_set, init, container, bound, resource),
  FOREIGN KEY (workload, pod_set, init, container)
    REFERENCES container (workload, pod_set, init, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Views: what people ask for.

-- Every quota of every queue, in the order in which flavors are tried.
CREATE VIEW queue_quota AS
SELECT queue.name AS queue, queue.cohort AS cohort, resource_group.position AS resource_group,
       resource_group_flavor.position AS rank, resource_group_flavor.flavor AS flavor, quota.resource AS resource,
       quota.nominal AS nominal, quota.borrowing_limit AS borrowing_limit, quota.lending_limit AS lending_limit
FROM queue
JOIN resource_group ON resource_group.queue = queue.id
JOIN resource_group_flavor ON resource_group_flavor.resource_group = resource_group.id
JOIN quota ON quota.resource_group = resource_group.id AND quota.flavor_position = resource_group_flavor.position
ORDER BY queue.name, resource_group.position, resource_group_flavor.position, quota.position;

-- A workload in one line. `state` is the furthest it has come.
CREATE VIEW workload_status AS
SELECT workload.id AS workload, workload.namespace AS namespace, workload.name AS name,
       CASE WHEN owner_kind = '' THEN '' ELSE owner_kind || '/' || owner_name END AS owner,
       local_queue.queue AS queue, workload.local_queue AS local_queue, workload.priority AS priority,
       CASE
         WHEN EXISTS (SELECT 1 FROM workload_condition AS c
                      WHERE c.workload = workload.id AND c.type = 'Finished' AND c.status) THEN 'finished'
         WHEN NOT workload.active THEN 'inactive'
         WHEN EXISTS (SELECT 1 FROM workload_condition AS c
                      WHERE c.workload = workload.id AND c.type = 'Admitted' AND c.status) THEN 'admitted'
         WHEN workload.admitted_queue IS NOT NULL THEN 'quota-reserved'
         ELSE 'pending'
       END AS state,
       strftime('%Y-%m-%dT%H:%M:%SZ', workload.created / 1000000000, 'unixepoch') AS created_at,
       ((SELECT instant FROM snapshot) - workload.created) / 1000000000 AS age_seconds
FROM workload
LEFT JOIN local_queue ON local_queue.namespace = workload.namespace AND local_queue.name = workload.local_queue;

-- What one pod and all pods of a pod set ask for, from the manifest alone: limits stand in for requests that
-- are missing; containers and sidecars add up, the largest init container counts if it is more; requests of the
-- pod as a whole take the place of that; overhead is added. Defaults of a LimitRange and of a RuntimeClass are
-- not in it: `sluice decide` adds those.
CREATE VIEW workload_request AS
WITH asked AS (
  SELECT workload, pod_set, init, container, resource, amount FROM container_resource WHERE bound = 'request'
  UNION ALL
  SELECT workload, pod_set, init, container, resource, amount FROM container_resource AS l
  WHERE bound = 'limit' AND NOT EXISTS (
    SELECT 1 FROM container_resource AS r
    WHERE r.workload = l.workload AND r.pod_set = l.pod_set AND r.init = l.init AND r.container = l.container
      AND r.bound = 'request' AND r.resource = l.resource)
), running AS (
  SELECT asked.workload, asked.pod_set, resource, CAST(total(amount) AS INTEGER) AS amount
  FROM asked
  JOIN container AS c ON c.workload = asked.workload AND c.pod_set = asked.pod_set AND c.init = asked.init
    AND c.position = asked.container
  WHERE c.init = 0 OR c.sidecar
  GROUP BY 1, 2, 3
), sidecars AS (  -- that run already while an init container does
  SELECT c.workload, c.pod_set, c.position AS container, s.resource, CAST(total(s.amount) AS INTEGER) AS amount
  FROM container AS c
  JOIN container AS sidecar ON sidecar.workload = c.workload AND sidecar.pod_set = c.pod_set AND sidecar.init = 1
    AND sidecar.sidecar AND sidecar.position < c.position
  JOIN asked AS s ON s.workload = c.workload AND s.pod_set = c.pod_set AND s.init = 1
    AND s.container = sidecar.position
  WHERE c.init = 1 AND NOT c.sidecar
  GROUP BY 1, 2, 3, 4
), starting AS (
  SELECT asked.workload, asked.pod_set, asked.resource, max(asked.amount + coalesce(before.amount, 0)) AS amount
  FROM asked
  JOIN container AS c ON c.workload = asked.workload AND c.pod_set = asked.pod_set AND c.init = asked.init
    AND c.position = asked.container
  LEFT JOIN sidecars AS before ON before.workload = asked.workload AND before.pod_set = asked.pod_set
    AND before.container = asked.container AND before.resource = asked.resource
  WHERE c.init = 1 AND NOT c.sidecar
  GROUP BY 1, 2, 3
), containers AS (
  SELECT workload, pod_set, resource, max(amount) AS amount
  FROM (SELECT * FROM running UNION ALL SELECT * FROM starting)
  GROUP BY 1, 2, 3
), pod AS (
  SELECT workload, pod_set, resource, amount FROM pod_resource WHERE bound = 'request'
  UNION ALL
  SELECT workload, pod_set, resource, amount FROM containers
  WHERE NOT EXISTS (
    SELECT 1 FROM pod_resource AS p
    WHERE p.workload = containers.workload AND p.pod_set = containers.pod_set AND p.bound = 'request'
      AND p.resource = containers.resource)
  UNION ALL
  SELECT workload, pod_set, resource, amount FROM pod_resource WHERE bound = 'overhead'
), per_pod AS (
  SELECT workload, pod_set, resource, CAST(total(amount) AS INTEGER) AS amount FROM pod GROUP BY 1, 2, 3
)
SELECT workload.id AS workload, workload.namespace AS namespace, workload.name AS name, pod_set.name AS pod_set,
       pod_set.count AS count, per_pod.resource AS resource, per_pod.amount AS per_pod,
       per_pod.amount * pod_set.count AS total
FROM per_pod
JOIN pod_set ON pod_set.workload = per_pod.workload AND pod_set.position = per_pod.pod_set
JOIN workload ON workload.id = per_pod.workload
ORDER BY workload.namespace, workload.name, pod_set.position, per_pod.resource;

-- What workloads that hold a reservation use; pods that a job gave back (reclaimable) are taken off.
CREATE VIEW queue_usage AS
SELECT workload.admitted_queue AS queue, assignment_flavor.flavor AS flavor, assignment_usage.resource AS resource,
       CAST(total(CASE
             WHEN reclaimed.count IS NULL OR coalesce(assignment.count, pod_set.count, 0) = 0
               THEN assignment_usage.amount
             ELSE assignment_usage.amount / coalesce(assignment.count, pod_set.count)
                  * max(coalesce(assignment.count, pod_set.count) - reclaimed.count, 0)
           END) AS INTEGER) AS used,
       count(DISTINCT workload.id) AS workloads
FROM workload
JOIN assignment ON assignment.workload = workload.id
JOIN assignment_usage ON assignment_usage.workload = workload.id
  AND assignment_usage.assignment = assignment.position
JOIN assignment_flavor ON assignment_flavor.workload = workload.id
  AND assignment_flavor.assignment = assignment.position AND assignment_flavor.resource = assignment_usage.resource
LEFT JOIN pod_set ON pod_set.workload = workload.id AND pod_set.name = assignment.pod_set
LEFT JOIN workload_reclaimable AS reclaimed ON reclaimed.workload = workload.id
  AND reclaimed.pod_set = assignment.pod_set
WHERE workload.admitted_queue IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM workload_condition AS c
                  WHERE c.workload = workload.id AND c.type = 'Finished' AND c.status)
GROUP BY 1, 2, 3;
