#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON post-block-context","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"CONTEXT post-block-context"}}
EOF
