#!/bin/sh
echo "REASON stop-two one" >&2
exit 2
