#!/bin/sh
printf '%s\n' 'REASON pre-unicode — “ß” 🐎 "double" '\''single'\'' \ back $HOME `tick` <tag> & %s' >&2
exit 2
