# Each file has one mistake; the lint-only ones are fine for `check`.
sluice check minutes.sluice
sluice check none.sluice
sluice check two-scores.sluice
sluice check unit.sluice
sluice check unknown-field.sluice
sluice check unreachable-rung.sluice
sluice check dead-machine.sluice
sluice check shadowed.sluice
sluice check uncovered.sluice
