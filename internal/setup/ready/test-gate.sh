#!/bin/sh
# Holds the agent's stop until the tests pass. Put your own command into `tests` below when the guess is wrong.
# Exit 2 makes the agent go on, and what stands on standard error is the reason that the model reads.
cd "${CLAUDE_PROJECT_DIR:-.}" || exit 0

if [ -f Makefile ] && grep -q '^test:' Makefile; then
	tests='make test'
elif [ -f go.mod ]; then
	tests='go test ./...'
elif [ -f Cargo.toml ]; then
	tests='cargo test'
elif [ -f package.json ] && grep -q '"test"[[:space:]]*:' package.json; then
	tests='npm test'
elif [ -f pyproject.toml ] || [ -f pytest.ini ]; then
	tests='pytest'
else
	exit 0 # there is nothing that could be run
fi

out=$($tests 2>&1) && exit 0
printf 'The tests fail (%s). Mend that before you stop:\n%s\n' "$tests" "$(printf '%s' "$out" | tail -n 30)" >&2
exit 2
