#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON pre-exit-1-block"}
EOF
exit 1
