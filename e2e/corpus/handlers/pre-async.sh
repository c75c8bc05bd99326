#!/bin/sh
cat <<'EOF'
{"async":true}
EOF
