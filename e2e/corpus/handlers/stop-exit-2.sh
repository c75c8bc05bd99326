#!/bin/sh
echo "REASON stop-exit-2" >&2
exit 2
