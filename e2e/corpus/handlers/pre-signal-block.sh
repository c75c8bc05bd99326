#!/bin/sh
echo '{"decision":"block","reason":"REASON pre-signal-block"}'
kill -9 $$
