#!/bin/sh
echo "REASON pre-exit-2" >&2
exit 2
