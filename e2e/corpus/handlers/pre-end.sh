#!/bin/sh
cat <<'EOF'
{"continue":false,"stopReason":"REASON pre-end"}
EOF
