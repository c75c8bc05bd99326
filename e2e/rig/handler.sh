#!/bin/sh
# handler LABEL: the hook handler of the end-to-end tests. Writes down what it was given and answers as the test wants.
#
#   $E2E/calls/N/{stdin,env,pwd,label}   the N-th call of all; it counts once label is there
#   $E2E/ctl/LABEL                       shell lines that answer; none = no opinion. They may use:
#     $payload  file with what came on stdin      $nth  how often LABEL was called until now, from 1
#     block TEXT, context TEXT, hook JSON (hookSpecificOutput)
label=$1

n=1
until mkdir "$E2E/calls/$n" 2>/dev/null; do n=$((n + 1)); done
nth=1
until mkdir "$E2E/count/$label.$nth" 2>/dev/null; do nth=$((nth + 1)); done

call=$E2E/calls/$n
payload=$call/stdin
cat >"$payload"
env >"$call/env"
pwd >"$call/pwd"
printf %s "$label" >"$call/.label"
mv "$call/.label" "$call/label"

block() {
	printf '%s\n' "$1" >&2
	exit 2
}
context() {
	printf '%s\n' "$1"
	exit 0
}
hook() {
	printf '{"hookSpecificOutput":%s}\n' "$1"
	exit 0
}
first_stop() { grep -q '"stop_hook_active":false' "$payload"; }

if [ -f "$E2E/ctl/$label" ]; then
	. "$E2E/ctl/$label"
fi
exit 0
