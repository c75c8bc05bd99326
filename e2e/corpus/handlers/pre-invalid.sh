#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON pre-invalid"
EOF
