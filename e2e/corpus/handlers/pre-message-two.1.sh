#!/bin/sh
cat <<'EOF'
{"systemMessage":"NOTICE pre-message-two one"}
EOF
