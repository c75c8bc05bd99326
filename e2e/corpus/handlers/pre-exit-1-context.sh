#!/bin/sh
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"CONTEXT pre-exit-1-context"}}'
exit 1
