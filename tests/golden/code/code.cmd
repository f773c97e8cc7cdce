sluice code policies/patient-fallback.sluice
sluice code broken.sluice
sluice code
