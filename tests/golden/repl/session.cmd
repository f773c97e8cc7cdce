sluice repl one-queue.yaml --at 2026-01-05T09:00:00Z < session.in
sluice repl < empty.in
