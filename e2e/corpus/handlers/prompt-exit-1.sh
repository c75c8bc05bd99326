#!/bin/sh
echo "TEXT prompt-exit-1"
exit 1
