#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"CONTEXT start-context"}}
EOF
