#!/bin/sh
echo '{"continue":null,"systemMessage":null,"decision":"block","reason":"REASON pre-null-top"}'
