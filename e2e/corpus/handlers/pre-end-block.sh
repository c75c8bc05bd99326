#!/bin/sh
cat <<'EOF'
{"continue":false,"stopReason":"STOP pre-end-block","decision":"block","reason":"REASON pre-end-block"}
EOF
