#!/bin/sh
cat <<'EOF'
{"suppressOutput":true,"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"REASON pre-suppress-deny"}}
EOF
