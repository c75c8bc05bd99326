#!/bin/sh
cat <<'EOF'
{"suppressOutput":true,"reason":"REASON post-suppress"}
EOF
