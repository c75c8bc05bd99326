#!/bin/sh
echo '{"continue":false,"stopReason":"STOP pre-exit-2-end"}'
echo "REASON pre-exit-2-end" >&2
exit 2
