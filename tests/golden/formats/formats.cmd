sluice check fine.sluice
sluice check < fine.sluice
sluice check --cost fine.sluice
sluice check --format json fine.sluice
sluice check two.sluice
sluice check --format compact two.sluice
sluice check --format json two.sluice
sluice check --format sarif two.sluice
sluice check - < two.sluice
SLUICE_CHECK_FORMAT=compact sluice check two.sluice
sluice check --param most=4 fine.sluice
sluice check --param most=four fine.sluice
sluice check --param mots=4 fine.sluice
sluice check none.sluice
sluice check .
sluice check policies
sluice check examples
