#!/bin/sh
echo "TEXT stop-exit-1" >&2
exit 1
