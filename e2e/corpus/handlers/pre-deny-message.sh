#!/bin/sh
cat <<'EOF'
{"systemMessage":"NOTICE pre-deny-message","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"REASON pre-deny-message"}}
EOF
