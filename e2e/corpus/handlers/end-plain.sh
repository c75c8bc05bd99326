#!/bin/sh
echo "TEXT end-plain"
