#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON post-output-block","hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"OUTPUT post-output-block","stderr":"","interrupted":false,"isImage":false}}}
EOF
