#!/bin/sh
echo "TEXT stop-plain"
