#!/bin/sh
cat <<'EOF'
{"systemMessage":"NOTICE pre-message"}
EOF
