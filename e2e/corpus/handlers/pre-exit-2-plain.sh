#!/bin/sh
echo "TEXT pre-exit-2-plain"
exit 2
