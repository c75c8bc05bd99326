#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON stop-block-context","hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"CONTEXT stop-block-context"}}
EOF
