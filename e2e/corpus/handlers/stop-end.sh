#!/bin/sh
cat <<'EOF'
{"continue":false,"stopReason":"REASON stop-end"}
EOF
