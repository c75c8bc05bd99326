#!/bin/sh
cat <<'EOF'
{"systemMessage":"NOTICE prompt-message"}
EOF
