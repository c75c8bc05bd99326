#!/bin/sh
echo 'LOG prompt-noise'
cat <<'EOF'
{"decision":"block","reason":"REASON prompt-noise"}
EOF
