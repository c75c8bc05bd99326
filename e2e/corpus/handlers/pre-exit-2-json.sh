#!/bin/sh
echo "STDERR pre-exit-2-json" >&2
cat <<'EOF'
{"decision":"block","reason":"REASON pre-exit-2-json"}
EOF
exit 2
