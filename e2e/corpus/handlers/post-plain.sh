#!/bin/sh
echo "TEXT post-plain"
