#!/bin/sh
cat <<'EOF'
{"continue":true}
EOF
