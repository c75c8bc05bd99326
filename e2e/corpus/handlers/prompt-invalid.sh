#!/bin/sh
cat <<'EOF'
{"decision":"block","reason":"TEXT prompt-invalid"
EOF
