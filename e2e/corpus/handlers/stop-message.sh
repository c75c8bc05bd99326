#!/bin/sh
cat <<'EOF'
{"systemMessage":"NOTICE stop-message"}
EOF
