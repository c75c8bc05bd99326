#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"REASON pre-ask-input","updatedInput":{"command":"./act pre-ask-input changed"}}}
EOF
