#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON pre-noise-after"}
EOF
echo 'LOG pre-noise-after'
