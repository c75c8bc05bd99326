#!/bin/sh
echo "TEXT prompt-context-two two"
