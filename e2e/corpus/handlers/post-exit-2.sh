#!/bin/sh
echo "REASON post-exit-2" >&2
exit 2
