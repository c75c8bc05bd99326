#!/bin/sh
cat <<'EOF'
{"weather":"fine","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"REASON pre-unknown-key","mood":1}}
EOF
