#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"REASON pre-deny-context","additionalContext":"CONTEXT pre-deny-context"}}
EOF
