#!/bin/sh
cat <<'EOF'
[{"decision":"block","reason":"REASON pre-list"}]
EOF
