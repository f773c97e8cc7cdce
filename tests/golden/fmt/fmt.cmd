sluice fmt messy.sluice
sluice fmt neat.sluice
sluice fmt - < messy.sluice
sluice fmt < neat.sluice
sluice fmt -l messy.sluice neat.sluice
sluice fmt -d messy.sluice neat.sluice
sluice fmt --check messy.sluice neat.sluice
sluice fmt --check neat.sluice
sluice fmt -w messy.sluice neat.sluice
show messy.sluice
sluice fmt --check .
# A file with syntax errors is left alone; the others are still formatted.
sluice fmt -w .
show broken.sluice
sluice fmt none.sluice
sluice fmt -w -
sluice fmt -w --check neat.sluice
SLUICE_FMT_LIST=1 sluice fmt broken.sluice
