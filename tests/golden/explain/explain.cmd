sluice explain unit-mismatch
sluice explain "error[optional-unguarded]"
sluice explain unit-mismach
sluice explain zzz
sluice explain a b
