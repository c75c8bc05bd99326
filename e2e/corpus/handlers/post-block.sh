#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON post-block"}
EOF
