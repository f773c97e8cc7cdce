-- Placements: pods, topology assignments, slices of several layers, updates by checks; what LocalQueues have used;
-- requests for machines.
ALTER TABLE pod_set ADD COLUMN topology_constrained INTEGER;

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

CREATE TABLE local_queue_consumed (
  local_queue INTEGER NOT NULL REFERENCES local_queue ON DELETE CASCADE,
  resource TEXT NOT NULL,
  quantity TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (local_queue, resource)
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
