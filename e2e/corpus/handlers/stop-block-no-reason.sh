#!/bin/sh
cat <<'EOF'
{"decision":"block"}
EOF
