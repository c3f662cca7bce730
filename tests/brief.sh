#!/bin/sh
# brief.sh PROGRAM MODEL OUT: runs a shorter form of an example (brief_examples.txt), for builds with sanitizers. Its checks are
# about the whole run: here they may fail (exit code 3), anything else may not.
set -eu
name=$(basename "$2" .yaml)
edit=$(sed -n "s/^$name //p" "$(dirname "$0")/brief_examples.txt")
[ -n "$edit" ] || { echo "brief_examples.txt has no line of $name"; exit 1; }
mkdir -p "$(dirname "$3")"
brief="$3.yaml"
# every command of the line must find what it changes, or the example has been changed without it
printf '%s\n' "$edit" | sed 's/; /\n/g' | while read -r command; do
    sed "$command" "$2" | cmp -s - "$2" && { echo "brief_examples.txt: '$command' changes nothing in $name"; exit 1; }
    :
done
sed "$edit" "$2" >"$brief"
code=0
"$1" run "$brief" -o "$3" --force --quiet || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || exit "$code"
