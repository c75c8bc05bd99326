#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"REASON pre-no-event"}}
EOF
