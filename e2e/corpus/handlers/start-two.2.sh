#!/bin/sh
echo "TEXT start-two two"
