#!/bin/sh
cat <<'EOF'
{"decision":null,"continue":null,"systemMessage":null,"hookSpecificOutput":null}
EOF
