#!/bin/sh
echo "TEXT post-exit-1" >&2
exit 1
