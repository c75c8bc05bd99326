#!/bin/sh
# Claude's older words.
cat <<'EOF'
{"decision":"block","reason":"REASON pre-block"}
EOF
