#!/bin/sh
# corpus/demo/web/make.sh: bundles and minifies the shop with esbuild from npm, runs it under Node, and writes
# symbols/shop.js, its map, and the log in which the shop fails, with the URLs that a served page would have. Needs node
# and npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm install --silent --no-audit --no-fund --no-save esbuild@0.28.2)
cd "$here"
"$work/node_modules/.bin/esbuild" main.ts --bundle --minify --sourcemap --target=es2022 --log-level=warning --outfile=../symbols/shop.js
node ../symbols/shop.js | sed 's#(/.*/shop\.js#(https://shop.example/js/shop.js?v=7#; s#at /.*/shop\.js#at https://shop.example/js/shop.js?v=7#' >../web.log
