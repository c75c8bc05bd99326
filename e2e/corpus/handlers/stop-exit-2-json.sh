#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON stop-exit-2-json"}
EOF
exit 2
