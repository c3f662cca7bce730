#!/bin/sh
# The report page in a real browser: web/test/browser. Skipped (77) with a word where there is no browser, no Node, or no way
# to fetch what the tests are made of.
set -eu
program=$1
cd "$(dirname "$0")/../web"
skip() {
    echo "skipped: $*"
    exit 77
}
command -v node >/dev/null || skip "there is no Node.js here"
if [ ! -d node_modules/playwright-core ]; then
    command -v npm >/dev/null || skip "web/node_modules is not there, nor npm to fetch it"
    npm ci --no-audit --no-fund || skip "npm could not fetch web/node_modules (package-lock.json)"
fi
exec node test/browser/main.mjs "$program" ${2+"$2"}
