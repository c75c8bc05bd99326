#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON prompt-block"}
EOF
