#!/usr/bin/env bash
# A slice of random scenarios, decided by the real Kueue as well. Where there is no oracle (tests/oracle/README.md) it
# says so: the recorded decisions of tests/conformance stand for it there.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests/oracle/compare
