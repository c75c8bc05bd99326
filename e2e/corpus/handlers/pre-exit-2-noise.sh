#!/bin/sh
echo "LOG pre-exit-2-noise {"
cat <<'EOF'
{"decision":"block","reason":"REASON pre-exit-2-noise"}
EOF
exit 2
