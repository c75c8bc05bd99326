#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"REASON pre-deny-input","updatedInput":{"command":"./act pre-deny-input changed"}}}
EOF
