#!/bin/sh
echo '{"decision":"deny","reason":"REASON pre-exit-1-invalid"}'
exit 1
