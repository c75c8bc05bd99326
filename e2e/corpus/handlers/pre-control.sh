#!/bin/sh
printf 'REASON pre-control \033[31mred\033[0m \a bell\n' >&2
exit 2
