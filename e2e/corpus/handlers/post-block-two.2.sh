#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"REASON post-block-two two"}
EOF
