#!/bin/sh
sleep 0.5
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"REASON pre-deny-two one"}}
EOF
