#!/bin/sh
printf '\n\n'
cat <<'EOF'
  {
    "decision": "block",
    "reason": "REASON pre-pretty"
  }
EOF
printf '\r\n  '
