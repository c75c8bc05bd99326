#!/bin/sh
echo '{"decision":"block","reason":"REASON post-exit-1-block"}'
exit 1
