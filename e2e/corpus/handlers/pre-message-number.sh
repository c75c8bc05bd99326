#!/bin/sh
cat <<'EOF'
{"systemMessage":5,"decision":"block","reason":"REASON pre-message-number"}
EOF
