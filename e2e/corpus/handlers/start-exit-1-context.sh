#!/bin/sh
echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"CONTEXT start-exit-1-context"}}'
exit 1
