#!/bin/sh
echo "REASON end-exit-2" >&2
exit 2
