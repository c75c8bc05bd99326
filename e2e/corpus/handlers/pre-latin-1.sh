#!/bin/sh
printf 'REASON pre-latin-1 caf\351\n' >&2
exit 2
