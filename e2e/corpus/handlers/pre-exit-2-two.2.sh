#!/bin/sh
echo "REASON pre-exit-2-two two" >&2
exit 2
