#!/bin/sh
printf '%s' '{"decision":"block","reason":"REASON pre-glued"}{"continue":true}'
