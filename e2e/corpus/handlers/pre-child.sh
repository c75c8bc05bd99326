#!/bin/sh
sleep 2 &
echo "REASON pre-child" >&2
exit 2
