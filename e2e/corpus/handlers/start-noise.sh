#!/bin/sh
echo 'LOG start-noise'
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"CONTEXT start-noise"}}
EOF
