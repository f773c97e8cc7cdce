-- Concurrent admission: where migrations end; gates on preemption.
ALTER TABLE queue ADD COLUMN retains_first_admission INTEGER NOT NULL DEFAULT 0 CHECK (retains_first_admission IN (0, 1));
ALTER TABLE queue ADD COLUMN last_acceptable_flavor TEXT NOT NULL DEFAULT '';

-- status.preemptionGates
CREATE TABLE workload_preemption_gate_state (
  workload INTEGER NOT NULL REFERENCES workload ON DELETE CASCADE,
  position INTEGER NOT NULL,
  gate TEXT NOT NULL,
  open INTEGER NOT NULL CHECK (open IN (0, 1)),
  since INTEGER NOT NULL,
  PRIMARY KEY (workload, position)
) STRICT, WITHOUT ROWID;
