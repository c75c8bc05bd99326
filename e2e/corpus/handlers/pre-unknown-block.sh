#!/bin/sh
cat <<'EOF'
{"decision":"deny","reason":"REASON pre-unknown-block"}
EOF
