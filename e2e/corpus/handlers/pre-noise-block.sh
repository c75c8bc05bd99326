#!/bin/sh
echo 'LOG pre-noise-block'
cat <<'EOF'
{"decision":"block","reason":"REASON pre-noise-block"}
EOF
