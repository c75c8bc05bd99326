#!/bin/sh
echo "REASON fail-silent" >&2
exit 2
