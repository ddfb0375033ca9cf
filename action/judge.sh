#!/usr/bin/env bash
# Judges one server in a job and ends with the exit code of grasp-check, which is on the PATH. It is told by variables:
#
#   JUDGE_URL or JUDGE_LAUNCH   the server: where it is, or the command that starts it
#   JUDGE_PROFILE, JUDGE_KNOWN, JUDGE_FAIL_ON   flags of the same names, where they are not empty
#   JUDGE_ARGS                  further arguments, quoted as in a shell
#   JUDGE_REPORT                the folder for the report; grasp-report without it
#
# Of GitHub Actions it uses GITHUB_OUTPUT, GITHUB_STEP_SUMMARY and GITHUB_ACTIONS, where they are set. Bash 3.2 is enough.
set -uo pipefail

refuse() {
  [ "${GITHUB_ACTIONS:-}" != true ] || echo "::error title=grasp-check::$1"
  echo "judge: $1" >&2
  exit 2
}

report="${JUDGE_REPORT:-grasp-report}"
mkdir -p "$report" || refuse "the folder $report for the report cannot be made"
args=(--json "$report/run.json" --junit "$report/junit.xml")

case "${JUDGE_URL:+url}${JUDGE_LAUNCH:+launch}" in
url) args+=("$JUDGE_URL") ;;
launch) args+=(--launch "$JUDGE_LAUNCH") ;;
urllaunch) refuse "url and launch are both given: leave out one of them" ;;
*) refuse "which server? give its url, or launch: the command that starts it" ;;
esac
[ -z "${JUDGE_PROFILE:-}" ] || args+=(--profile "$JUDGE_PROFILE")
[ -z "${JUDGE_KNOWN:-}" ] || args+=(--known "$JUDGE_KNOWN")
[ -z "${JUDGE_FAIL_ON:-}" ] || args+=(--fail-on "$JUDGE_FAIL_ON")
if [ -n "${JUDGE_ARGS:-}" ]; then
  words="$(printf '%s\n' "$JUDGE_ARGS" | xargs -n 1 printf '%s\n')" || refuse "args: a quote is not closed in: $JUDGE_ARGS"
  while IFS= read -r word; do args+=("$word"); done <<<"$words"
fi

# Reports that not every version writes.
help="$(grasp-check --help)" || refuse "grasp-check is not on the PATH: run install.sh first"
knows() { grep -qE -- "^ +--$1 " <<<"$help"; }
if knows html; then args+=(--html "$report/report.html"); fi
if knows markdown; then args+=(--markdown "$report/summary.md"); fi
if knows sarif; then args+=(--sarif "$report/grasp-check.sarif"); fi

size() { if [ -f "$1" ]; then wc -c <"$1" | tr -d ' '; else echo 0; fi; }
before="$(size "${GITHUB_STEP_SUMMARY:-}")"
grasp-check "${args[@]}" | tee "$report/console.txt"
code=${PIPESTATUS[0]}

case "$code" in
0) means="nothing is violated" ;;
1) means="a MUST is violated" ;;
2) means="the command line is wrong, or selects nothing" ;;
3) means="the harness failed, or a MUST is inconclusive" ;;
4) means="the server cannot be reached, or died" ;;
5) means="something was not judged, which --fail-on blocked minds" ;;
6) means="a failure that is listed as known is none any more" ;;
130) means="the run was interrupted" ;;
*) means="grasp-check ended with exit code $code" ;;
esac

[ -z "${GITHUB_OUTPUT:-}" ] || printf 'exit-code=%s\nreport=%s\n' "$code" "$report" >>"$GITHUB_OUTPUT"
# The summary, unless grasp-check has written one. What a server says is text: it is escaped, and cut.
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ "$(size "$GITHUB_STEP_SUMMARY")" = "$before" ]; then
  if [ -s "$report/summary.md" ]; then
    head -c 500000 "$report/summary.md"
  else
    printf '## grasp-check: %s\n\n<pre>\n' "$means"
    tail -n 300 "$report/console.txt" | head -c 200000 | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'
    printf '\n</pre>\n'
  fi >>"$GITHUB_STEP_SUMMARY"
fi
if [ "$code" != 0 ] && [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::error title=grasp-check::$means"; fi
exit "$code"
