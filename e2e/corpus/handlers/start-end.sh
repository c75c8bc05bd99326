#!/bin/sh
cat <<'EOF'
{"continue":false,"stopReason":"REASON start-end"}
EOF
