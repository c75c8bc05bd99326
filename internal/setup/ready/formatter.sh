#!/bin/sh
# Formats the file that was just written, with the formatter of its language, where that is installed. It never blocks.
# The call comes as JSON on standard input.
file=$(sed -n 's/.*"file_path"[[:space:]]*:[[:space:]]*"\([^"\\]*\)".*/\1/p' | head -n 1)
[ -f "$file" ] || exit 0

with() {
	command -v "$1" >/dev/null 2>&1 || return 0
	"$@" "$file" >/dev/null 2>&1
	exit 0
}

case $file in
*.go) with gofmt -w ;;
*.rs) with rustfmt ;;
*.py) with ruff format; with black -q ;;
*.js | *.jsx | *.ts | *.tsx | *.css | *.html | *.json | *.md | *.yaml | *.yml) with prettier --write ;;
*.c | *.h | *.cc | *.cpp) with clang-format -i ;;
*.sh) with shfmt -w ;;
esac
exit 0
