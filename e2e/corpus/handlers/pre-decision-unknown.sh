#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"perhaps","permissionDecisionReason":"REASON pre-decision-unknown"}}
EOF
