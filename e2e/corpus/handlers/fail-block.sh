#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON fail-block"}
EOF
