#!/bin/sh
# The report page in a real browser: web/test/browser. Skipped (77) with a word where there is no browser or no Node.
set -eu
program=$1
cd "$(dirname "$0")/../web"
skip() {
    echo "skipped: $*"
    exit 77
}
command -v node >/dev/null || skip "there is no Node.js here"
[ -d node_modules/playwright-core ] || skip "web/node_modules is not there: npm ci"
exec node test/browser/main.mjs "$program" ${2+"$2"}
