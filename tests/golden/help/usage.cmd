sluice help
sluice --help
sluice version
sluice help version
sluice help nothing
sluice chekc
sluice versoin
sluice lint x.sluice
sluice why-not job/a dws
sluice version extra
sluice version --wait
