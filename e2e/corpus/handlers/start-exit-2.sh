#!/bin/sh
echo "REASON start-exit-2" >&2
exit 2
