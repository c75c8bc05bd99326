#!/bin/sh
echo "TEXT pre-plain"
