#!/bin/sh
printf "REASON pre-exit-2-lines\nsecond\n\nfourth\n" >&2
exit 2
