#!/bin/sh
printf '{"decision":"block","reason":"REASON pre-raw-newline-2\nsecond"}'
exit 2
