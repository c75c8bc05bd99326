#!/bin/sh
grep -q '"stop_hook_active":false' || exit 0
cat <<'EOF'
{"decision":"block","reason":"REASON stop-end-block"}
EOF
