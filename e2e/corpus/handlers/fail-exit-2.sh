#!/bin/sh
echo "REASON fail-exit-2" >&2
exit 2
