#!/bin/sh
echo "TEXT pre-exit-1" >&2
exit 1
