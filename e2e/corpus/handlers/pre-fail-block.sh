#!/bin/sh
echo "TEXT pre-fail-block" >&2
exit 1
