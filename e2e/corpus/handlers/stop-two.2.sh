#!/bin/sh
echo "REASON stop-two two" >&2
exit 2
