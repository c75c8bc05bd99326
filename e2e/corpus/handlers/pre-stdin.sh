#!/bin/sh
exec <&-
echo "REASON pre-stdin" >&2
exit 2
