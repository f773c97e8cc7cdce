#!/usr/bin/env bash
# The hooks under the real pre-commit, in a scratch repository: a bad policy is stopped, a badly laid out one is
# formatted, a failing test is stopped, a good one passes.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PATH="$root/build:$PATH" HOME="$scratch/home" PRE_COMMIT_HOME="$scratch/cache"
export GIT_CONFIG_GLOBAL="$scratch/gitconfig" GIT_CONFIG_NOSYSTEM=1
mkdir -p "$HOME"
git config --global user.name test
git config --global user.email test@example.com
git config --global init.defaultBranch main
git config --global protocol.file.allow always

fail() { echo "pre_commit: $1" >&2; cat "$scratch/out" >&2; exit 1; }

# The hooks as they are in the working tree, as a repository of their own.
mkdir -p "$scratch/hooks/script"
cp "$root/.pre-commit-hooks.yaml" "$scratch/hooks/"
cp "$root/script/hook" "$scratch/hooks/script/"
git -C "$scratch/hooks" init -q
git -C "$scratch/hooks" add -A
git -C "$scratch/hooks" commit -qm hooks

mkdir "$scratch/repo"
cd "$scratch/repo"
git init -q
cat >.pre-commit-config.yaml <<CONFIG
repos:
  - repo: $scratch/hooks
    rev: $(git -C "$scratch/hooks" rev-parse HEAD)
    hooks:
      - id: sluice-fmt
      - id: sluice-check
      - id: sluice-test
CONFIG
cat >good.sluice <<'POLICY'
edition 2026

flavor f { nodes pool = "f" }

queue q {
  accept all namespaces
  group cpu {
    flavor f { cpu 4 }
  }
}

local-queue default/q -> q

test "four cores fit" {
  submit workload { queue q, podset main { count 2, cpu 2 } } as w
  expect w admitted { main: f }
}
POLICY
sluice fmt -w good.sluice
git add -A
pre-commit run --all-files >"$scratch/out" 2>&1 || fail "a good policy was stopped"
grep -q 'sluice test.*Passed' "$scratch/out" || fail "sluice-test did not run"

printf 'edition 2026\n\nflavor  f{nodes pool="f"}\n' >laid_out_badly.sluice
git add -A
if pre-commit run sluice-fmt --all-files >"$scratch/out" 2>&1; then fail "a badly laid out policy passed"; fi
grep -q 'files were modified by this hook' "$scratch/out" || fail "sluice-fmt did not format"
rm laid_out_badly.sluice

printf 'edition 2026\n\nflavor f { nodes pool = "f" }\n\nqueue q {\n  group cpu {\n    flavor f { cpu 75Gi }\n  }\n}\n' >bad.sluice
git add -A
if pre-commit run sluice-check --all-files >"$scratch/out" 2>&1; then fail "a policy with an error passed"; fi
grep -q 'unit-mismatch' "$scratch/out" || fail "sluice-check did not name the error"
git rm -qf bad.sluice

sed -i 's/count 2, cpu 2/count 3, cpu 2/' good.sluice
git add -A
if pre-commit run sluice-test --all-files >"$scratch/out" 2>&1; then fail "a failing test passed"; fi
grep -q '0 passed, 1 failed' "$scratch/out" || fail "sluice-test did not count"
