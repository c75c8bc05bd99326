#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"OUTPUT post-output-context","stderr":"","interrupted":false,"isImage":false},"additionalContext":"CONTEXT post-output-context"}}
EOF
