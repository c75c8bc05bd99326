#!/bin/sh
cat <<'EOF'
{"systemMessage":"NOTICE start-message"}
EOF
