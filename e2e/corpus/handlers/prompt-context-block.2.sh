#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON prompt-context-block"}
EOF
