#!/bin/sh
cat <<'EOF'
{"systemMessage":"NOTICE post-message"}
EOF
