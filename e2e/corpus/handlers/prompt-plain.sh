#!/bin/sh
echo "TEXT prompt-plain"
echo "second line of prompt-plain"
