#!/bin/sh
# Writes the generated parts of the documentation: docs/generate.sh PROGRAM
set -eu
program=$1
docs=$(cd "$(dirname "$0")" && pwd)
{
    sed -n '1,/<!-- generated from here -->/p' "$docs/model-file.md"
    printf '\n'
    "$program" schema
} >"$docs/model-file.md.new"
mv "$docs/model-file.md.new" "$docs/model-file.md"
