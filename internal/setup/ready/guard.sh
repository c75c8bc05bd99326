#!/bin/sh
# Stops what cannot be taken back: rm -rf, git push --force, git reset --hard, git clean -f.
# The call comes as JSON on standard input; exit 2 blocks, and what stands on standard error is the reason that the model reads.
call=$(cat)

refuse() {
	echo "$1" >&2
	exit 2
}

said() { printf '%s' "$call" | grep -Eq "$1"; }

said '(^|[^[:alnum:]_-])rm +(-[[:alnum:]-]+ +)*(-[[:alpha:]]*([rR][[:alpha:]]*f|f[[:alpha:]]*[rR])|-[rR] +-f|-f +-[rR]|--recursive +--force|--force +--recursive)' &&
	refuse "rm -rf is not allowed here: name the files that are to go, or ask the user."
said 'git +([^;&|]* )?push +([^;&|]* )?(--force([^[:alnum:]-]|$)|-[[:alpha:]]*f)' &&
	refuse "A forced push is not allowed here: push to a branch of your own, or ask the user."
said 'git +([^;&|]* )?(reset +([^;&|]* )?--hard|clean +([^;&|]* )?-[[:alpha:]]*f)' &&
	refuse "That throws work away that nobody has committed: ask the user."
exit 0
