#!/bin/sh
echo "REASON ask-exit-2" >&2
exit 2
