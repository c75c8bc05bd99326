#!/bin/sh
printf 'REASON pre-crlf\r\nsecond\r\n' >&2
exit 2
