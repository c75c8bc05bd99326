#!/bin/sh
cat <<'EOF'
{"additionalContext":"CONTEXT pre-context-top"}
EOF
