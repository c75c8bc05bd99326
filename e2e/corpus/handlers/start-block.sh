#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON start-block"}
EOF
