#!/bin/sh
echo "TEXT start-plain"
echo "second line of start-plain"
