#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"CONTEXT pre-context-control\r\n\ttab \u001b[31mred\u001b[0m bell\u0007 end"}}
EOF
