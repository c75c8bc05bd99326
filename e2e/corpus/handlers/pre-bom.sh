#!/bin/sh
printf '\357\273\277'
cat <<'EOF'
{"decision":"block","reason":"REASON pre-bom"}
EOF
