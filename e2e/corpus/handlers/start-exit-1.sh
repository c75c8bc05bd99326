#!/bin/sh
echo "TEXT start-exit-1"
exit 1
