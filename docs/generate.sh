#!/bin/sh
# Writes the generated part of docs/reference/model-file.md, the output of 'stickslip schema' with long lines wrapped:
#   docs/generate.sh PROGRAM      into the page
#   docs/generate.sh PROGRAM -    to standard output
set -eu
program=$1
page=$(cd "$(dirname "$0")" && pwd)/reference/model-file.md

# Lines of prose are wrapped at 120 bytes; rows of tables, headings and code have no other form.
wrap() {
    LC_ALL=C awk '
        /^```/ { code = !code }
        code || /^[|#]/ || length($0) <= 120 { print; next }
        {
            indent = /^- / ? "  " : ""
            n = split($0, word, " ")
            line = word[1]
            for (k = 2; k <= n; k++) {
                if (length(line) + 1 + length(word[k]) > 120) {
                    print line
                    line = indent word[k]
                } else {
                    line = line " " word[k]
                }
            }
            print line
        }'
}

if [ "${2:-}" = - ]; then
    "$program" schema | wrap
    exit
fi
{
    sed -n '1,/<!-- generated from here -->/p' "$page"
    printf '\n'
    "$program" schema | wrap
} >"$page.new"
mv "$page.new" "$page"
