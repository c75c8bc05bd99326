#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"OUTPUT post-output","stderr":"","interrupted":false,"isImage":false}}}
EOF
