#!/bin/sh
echo 'LOG pre-noise'
cat <<'EOF'
{"decision":"block","reason":"REASON pre-noise"}
EOF
