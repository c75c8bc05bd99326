#!/bin/sh
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"CONTEXT pre-exit-2-context"}}'
echo "REASON pre-exit-2-context" >&2
exit 2
