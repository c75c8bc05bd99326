#!/bin/sh
cat <<'EOF'
{"systemMessage":"NOTICE pre-message-two two"}
EOF
