#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON stop-always"}
EOF
