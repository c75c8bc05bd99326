#!/bin/sh
cat <<'EOF'
{"decision":"approve","reason":"OLD pre-both","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"REASON pre-both"}}
EOF
