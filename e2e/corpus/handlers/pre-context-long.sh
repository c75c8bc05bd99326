#!/bin/sh
printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"CONTEXT pre-context-long %s END"}}' "$(yes 0123456789 | head -n 4000 | tr -d '\n')"
