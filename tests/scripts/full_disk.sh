#!/usr/bin/env bash
# The program as a process: a limit on file sizes, a full device for its output, a kill in the middle of a load,
# loads side by side. The snapshot is whole or not there.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
sluice=$root/build/sluice
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() { echo "full_disk: $1" >&2; cat err >&2 2>/dev/null || true; exit 1; }
names() { find . -maxdepth 1 -name '*.db*' -printf '%f ' | sort; }
namespaces() {
  for ((i = 0; i < $2; i++)); do
    printf -- '---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s-%d, labels: {a: b, c: d}}\n' "$1" "$i"
  done
}
namespaces small 1 >small.yaml
namespaces big 5000 >big.yaml

# A file that may not grow: an error, not a signal.
for limit in 1 16 100; do
  code=0
  (ulimit -f "$limit"; exec "$sluice" load small.yaml --db a.db) 2>err || code=$?
  [ "$code" = 1 ] || fail "exit $code with ulimit -f $limit"
  grep -q '^error\[disk-full\]' err || fail "no disk-full error"
  [ -z "$(names)" ] || fail "left behind: $(names)"
done

# Output that cannot be written.
code=0
"$sluice" load small.yaml --db a.db 2>err
"$sluice" snapshot info a.db >/dev/full 2>err || code=$?
[ "$code" = 1 ] || fail "exit $code with a full stdout"
grep -q 'No space left' err || fail "no error about the output"

# Killed in the middle: the snapshot has all or nothing of the load, and can be loaded into again.
began=$(date +%s%N)
"$sluice" load big.yaml --db whole.db 2>err
took=$(($(date +%s%N) - began))
rm whole.db
for percent in 30 50 60 70 80 90 95 100; do
  delay=$((took / 100 * percent))
  delay=$(printf '%d.%09d' $((delay / 1000000000)) $((delay % 1000000000)))
  (timeout -s KILL "$delay" "$sluice" load big.yaml --db a.db || true) >err 2>&1
  count=$("$sluice" snapshot query a.db 'SELECT count(*) AS n FROM namespace' --format json)
  [ "$count" = '[{"n":1}]' ] || [ "$count" = '[{"n":5001}]' ] || fail "half a load: $count"
  "$sluice" load small.yaml --db a.db --replace 2>err || fail "cannot load any more"
done
"$sluice" snapshot check a.db >err || fail "damaged"
[ "$(names)" = 'a.db ' ] || fail "left behind: $(names)"

# Side by side, into a file that none of them has made yet: nobody's objects are lost.
for name in one two three four; do namespaces "$name" 200 >"$name.yaml"; done
for name in one two three four; do "$sluice" load "$name.yaml" --db b.db 2>"err.$name" & done
for job in $(jobs -p); do wait "$job" || fail "a load beside others failed: $(cat err.*)"; done
count=$("$sluice" snapshot query b.db 'SELECT count(*) AS n FROM namespace' --format json)
[ "$count" = '[{"n":800}]' ] || fail "objects were lost: $count"
