#!/bin/sh
echo "REASON post-failed" >&2
exit 2
