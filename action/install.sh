#!/usr/bin/env bash
# Puts grasp-check on the PATH of the steps that follow: JUDGE_VERSION of it, or without one that of the checkout in which this
# script is. It needs Go. GITHUB_PATH and RUNNER_TEMP are those of GitHub Actions.
set -euo pipefail

bin="${RUNNER_TEMP:-${TMPDIR:-/tmp}}/grasp-check-bin"
mkdir -p "$bin"
if [ -n "${JUDGE_VERSION:-}" ]; then
  GOBIN="$bin" go install "github.com/graspkit/graspkit/cmd/grasp-check@$JUDGE_VERSION"
else
  (cd "$(dirname "${BASH_SOURCE[0]}")/.." && go build -o "$bin/" ./cmd/grasp-check)
fi
"$bin/grasp-check" --version
[ -z "${GITHUB_PATH:-}" ] || echo "$bin" >>"$GITHUB_PATH"
