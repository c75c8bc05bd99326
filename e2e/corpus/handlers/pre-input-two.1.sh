#!/bin/sh
sleep 0.5
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"./act pre-input-two one"}}}
EOF
