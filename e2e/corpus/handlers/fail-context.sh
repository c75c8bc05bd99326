#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"CONTEXT fail-context"}}
EOF
