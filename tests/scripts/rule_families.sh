#!/usr/bin/env bash
# The scenarios of rules are what their families say.
set -euo pipefail
exec python3 "$(dirname "$0")/../conformance/admission/rules/make" --check
