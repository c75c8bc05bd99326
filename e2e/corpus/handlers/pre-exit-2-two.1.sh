#!/bin/sh
sleep 0.5
echo "REASON pre-exit-2-two one" >&2
exit 2
