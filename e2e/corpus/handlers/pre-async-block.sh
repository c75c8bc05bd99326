#!/bin/sh
echo "REASON pre-async-block" >&2
exit 2
