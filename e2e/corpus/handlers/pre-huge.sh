#!/bin/sh
yes 0123456789 | head -c 1000000
