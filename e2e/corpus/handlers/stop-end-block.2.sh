#!/bin/sh
cat <<'EOF'
{"continue":false,"stopReason":"STOP stop-end-block"}
EOF
