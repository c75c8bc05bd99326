#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"./act pre-input-context changed"},"additionalContext":"CONTEXT pre-input-context"}}
EOF
