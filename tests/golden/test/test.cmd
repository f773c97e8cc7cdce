sluice test passes.sluice
sluice test -v passes.sluice
sluice test -v -r "which.*: small" passes.sluice
sluice test fails.sluice
sluice test none.sluice
sluice test -r nothing passes.sluice
sluice test -r "(" passes.sluice
sluice test nowhere.sluice
sluice test unset.sluice
sluice test no_queue.sluice
sluice test --kueue-config no_queue_config.yaml no_queue.sluice
sluice test syntax.sluice
sluice test none.yaml
sluice test -v policies
sluice test nowhere.sluice unset.sluice none.sluice
sluice test -v params.sluice
