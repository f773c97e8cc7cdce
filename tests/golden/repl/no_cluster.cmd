# Rules alone need a cluster that has what they name.
sluice repl -p policies/patient-fallback.sluice < empty.in
