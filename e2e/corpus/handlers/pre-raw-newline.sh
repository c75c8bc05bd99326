#!/bin/sh
printf '{"decision":"block","reason":"REASON pre-raw-newline\nsecond"}'
