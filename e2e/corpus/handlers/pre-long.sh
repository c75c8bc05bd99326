#!/bin/sh
printf 'REASON pre-long %s END\n' "$(yes 0123456789 | head -n 4000 | tr -d '\n')" >&2
exit 2
