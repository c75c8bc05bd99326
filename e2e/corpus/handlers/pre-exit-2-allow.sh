#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"REASON pre-exit-2-allow"}}
EOF
echo "STDERR pre-exit-2-allow" >&2
exit 2
