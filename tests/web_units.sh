#!/bin/sh
# The parts of the report page without a browser: web/test/*.test.mjs. Skipped (77) with the reason where there is no
# Node.js, or no way to fetch the packages of the tests.
set -eu
cd "$(dirname "$0")/../web"
skip() {
    echo "skipped: $*"
    exit 77
}
command -v node >/dev/null || skip "Node.js is not installed"
if [ ! -d node_modules/esbuild ]; then
    command -v npm >/dev/null || skip "web/node_modules is missing, and so is npm to fetch it"
    npm ci --no-audit --no-fund || skip "npm could not fetch web/node_modules (package-lock.json)"
fi
exec node --test test/*.test.mjs
