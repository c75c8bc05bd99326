#!/bin/sh
echo "REASON prompt-exit-2" >&2
exit 2
