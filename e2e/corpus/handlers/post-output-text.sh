#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"OUTPUT post-output-text"}}
EOF
