#!/bin/sh
cat <<'EOF'
{"continue":false,"stopReason":"REASON prompt-end"}
EOF
