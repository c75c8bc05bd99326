#!/bin/sh
cat <<'EOF'
{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"CONTEXT pre-context-unicode — “ß” 🐎 \ud83d\udc0e \u00e9 e\u0301 \"quoted\" \\ back <tag> & $HOME `tick`"}}
EOF
