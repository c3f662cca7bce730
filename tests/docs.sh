#!/bin/sh
# docs/model-file.md ends with what 'stickslip schema' writes, and links of the documentation lead somewhere.
set -eu
program=$1
cd "$(dirname "$0")/.."
"$program" schema >"${TMPDIR:-/tmp}/stickslip-schema.$$"
trap 'rm -f "${TMPDIR:-/tmp}/stickslip-schema.$$"' EXIT
sed '1,/<!-- generated from here -->/d' docs/model-file.md | sed '1d' | diff - "${TMPDIR:-/tmp}/stickslip-schema.$$" || {
    echo "docs/model-file.md is out of date: ./run docs"
    exit 1
}
bad=0
# models in the documentation are models
model="${TMPDIR:-/tmp}/stickslip-doc.$$.yaml"
for page in README.md docs/model-file.md; do
    for number in $(seq "$(grep -c '^```yaml$' "$page")"); do
        awk -v number="$number" '/^```yaml$/ { n++; next } /^```$/ { if (n == number) exit; next } n == number' "$page" >"$model"
        "$program" check "$model" || { echo "$page: its model $number has errors"; bad=1; }
    done
done
rm -f "$model"
for page in README.md docs/*.md; do
    for link in $(grep -oE '\]\([^)#:]+\)' "$page" | sed 's/](\(.*\))/\1/'); do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link is not there"; bad=1; }
    done
done
exit $bad
