#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON pre-two-lines"}
{"continue":true}
EOF
