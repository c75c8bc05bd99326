#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"CONTEXT start-two one"}}
EOF
