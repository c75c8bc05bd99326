#!/bin/sh
printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"%s/pre-input-file.txt","content":"changed"}}}' "$PWD"
