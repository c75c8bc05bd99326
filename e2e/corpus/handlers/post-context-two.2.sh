#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"CONTEXT post-context-two two"}}
EOF
