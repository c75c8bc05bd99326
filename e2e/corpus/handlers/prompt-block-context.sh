#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON prompt-block-context","hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"CONTEXT prompt-block-context"}}
EOF
