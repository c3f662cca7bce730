#!/bin/sh
# docs/reference/model-file.md ends with the output of docs/generate.sh, models in the documentation have no errors, and
# relative links lead to files that exist.
set -eu
program=$1
cd "$(dirname "$0")/.."
sh docs/generate.sh "$program" - >"${TMPDIR:-/tmp}/stickslip-schema.$$"
trap 'rm -f "${TMPDIR:-/tmp}/stickslip-schema.$$"' EXIT
sed '1,/<!-- generated from here -->/d' docs/reference/model-file.md | sed '1d' |
    diff - "${TMPDIR:-/tmp}/stickslip-schema.$$" || {
    echo "docs/reference/model-file.md is out of date: ./run docs"
    exit 1
}
bad=0
pages="README.md CHANGELOG.md $(find docs -name '*.md' | sort)"
# every block marked as yaml is a whole model (parts of models are marked as yml, or not at all)
model="${TMPDIR:-/tmp}/stickslip-doc.$$.yaml"
for page in $pages; do
    for number in $(seq "$(grep -c '^```yaml$' "$page")"); do
        awk -v number="$number" '/^```yaml$/ { n++; next } /^```$/ { if (n == number) exit; next } n == number' "$page" >"$model"
        "$program" check "$model" || { echo "$page: its model $number has errors"; bad=1; }
    done
done
rm -f "$model"
for page in $pages; do
    for link in $(grep -oE '\]\([^)#:]+[)#]' "$page" | sed 's/](\(.*\)[)#]/\1/'); do
        [ -e "$(dirname "$page")/$link" ] || { echo "$page: $link does not exist"; bad=1; }
    done
done
exit $bad
