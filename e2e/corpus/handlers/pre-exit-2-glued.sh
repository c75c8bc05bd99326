#!/bin/sh
printf '%s' '{"systemMessage":"x"}{"decision":"block","reason":"REASON pre-exit-2-glued"}'
exit 2
