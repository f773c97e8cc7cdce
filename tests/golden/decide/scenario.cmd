# Scenarios of YAML documents and lists, of a JSON list, and of lines; each error with its place.
sluice decide --scenario scenario.yaml
sluice decide --scenario scenario.json
sluice decide --scenario scenario_lines.jsonl
sluice decide --scenario scenario_broken.yaml
