#!/bin/sh
echo '{"decision":"block","reason":"REASON pre-stderr-json"}' >&2
