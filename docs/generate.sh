#!/bin/sh
# Writes the generated part of docs/reference/model-file.md: docs/generate.sh PROGRAM
set -eu
program=$1
page=$(cd "$(dirname "$0")" && pwd)/reference/model-file.md
{
    sed -n '1,/<!-- generated from here -->/p' "$page"
    printf '\n'
    "$program" schema
} >"$page.new"
mv "$page.new" "$page"
