# One line that is an error makes the exit code, but the others are answered. Columns are those that were typed.
sluice repl < clean.in
sluice repl < wrong.in
