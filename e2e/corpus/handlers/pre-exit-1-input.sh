#!/bin/sh
echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"./act pre-exit-1-input changed"}}}'
exit 1
