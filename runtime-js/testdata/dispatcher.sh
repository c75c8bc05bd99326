# A dispatcher for tests: sh dispatcher.sh DIR HARNESS EVENT. It keeps the payload as a line of DIR/calls and does what
# DIR/EVENT says, else what DIR/any says; with neither it allows.
dir=$1 harness=$2 event=$3
cat >"$dir/in.$$"
{ cat "$dir/in.$$"; echo; } >>"$dir/calls"
rm -f "$dir/in.$$"
if [ -f "$dir/$event" ]; then . "$dir/$event"; elif [ -f "$dir/any" ]; then . "$dir/any"; fi
exit 0
