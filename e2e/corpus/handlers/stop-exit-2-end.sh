#!/bin/sh
grep -q '"stop_hook_active":false' || exit 0
echo '{"continue":false,"stopReason":"STOP stop-exit-2-end"}'
echo "REASON stop-exit-2-end" >&2
exit 2
