#!/bin/sh
cat <<'EOF'
{"decision":"deny","reason":"REASON pre-block-unknown"}
EOF
