#!/bin/sh
cat <<'EOF'
{"continue":false,"stopReason":"REASON post-end"}
EOF
