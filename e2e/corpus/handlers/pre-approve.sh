#!/bin/sh
cat <<'EOF'
{"decision":"approve","reason":"REASON pre-approve"}
EOF
