#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":42}
EOF
