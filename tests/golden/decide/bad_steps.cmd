# Steps that say something else than the format knows are refused, each with its place.
sluice decide --scenario bad_steps.jsonl
