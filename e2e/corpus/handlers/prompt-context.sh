#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"CONTEXT prompt-context"}}
EOF
