#!/bin/sh
cat <<'EOF'
{"continue":false}
EOF
