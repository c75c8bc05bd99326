#!/bin/sh
sleep 0.5
cat <<'EOF'
{"decision":"block","reason":"REASON post-block-two one"}
EOF
