#!/bin/sh
echo 'LOG stop-noise'
cat <<'EOF'
{"decision":"block","reason":"REASON stop-noise"}
EOF
