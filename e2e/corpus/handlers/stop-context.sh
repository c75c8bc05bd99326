#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"CONTEXT stop-context"}}
EOF
