#!/bin/sh
# make.sh [WORK]: makes the stacks that tests/real/javascript/src/small.ts prints, unchanged and after five tools have
# bundled and minified it. Needs node, npm and the network. WORK: a folder that scripts/compare-javascript --work WORK
# has filled; without it one is filled and removed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=${1-}
if [ -z "$work" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    "$root/scripts/compare-javascript" --work "$work" esbuild webpack rollup tsc-terser swc hermes >/dev/null
fi
work=$(cd "$work" && pwd -P)
cp -r "$root/tests/real/javascript/." "$work"
cd "$work"
export NODE_ENV=production ENTRY=src/small.ts

# Removes the paths of the build folder. The source texts in the maps are kept, since names are read from them.
plain() { sed "s|file://$work/|/app/|g; s|$work/|/app/|g"; }
kept() { # kept TOOL FILE...: copies the files that are kept from the folder dist/TOOL
    tool=$1
    shift
    rm -rf "$here/$tool"
    for name; do
        mkdir -p "$here/$tool/$(dirname "$name")"
        plain <"dist/$tool/$name" >"$here/$tool/$name"
    done
}

node --import ts-blank-space/register src/small.ts | plain >"$here/program.txt"
for tool in esbuild webpack rollup tsc-terser swc; do
    program=$(node build.mjs "$tool" | tail -n 1)
    files=$(cd "dist/$tool" && find . -name '*.js' -o -name '*.cjs' -o -name '*.mjs' -o -name '*.map' | sed 's|^\./||' | sort | grep -Ev '^(closures|events|failures|libraries|walkers)\.|^main\.js')
    # shellcheck disable=SC2086
    kept "$tool" $files
    node "$program" | plain >"$here/$tool/stack.txt"
done

# Of React Native, only the composed map is kept, without source texts: bytecode contains the names. trace-mapping
# restores the stacks of the unminified bundle to the sources.
hermes=$(node metro.mjs)/hermes
node -e 'const fs = require("fs"), map = JSON.parse(fs.readFileSync(0)); delete map.sourcesContent; fs.writeFileSync(1, JSON.stringify(map))' \
    <dist/hermes/index.android.bundle.map >dist/hermes/map
mv dist/hermes/map dist/hermes/index.android.bundle.map
kept hermes index.android.bundle.map
"$hermes" -w -b "$work/dist/hermes/index.android.bundle" | plain >"$here/hermes/stack.txt"
"$hermes" -w "$work/dist/hermes-truth/index.android.bundle" >dist/truth.txt
node peer.mjs dist/hermes-truth <dist/truth.txt >dist/peer.txt
"$root/tests/real/javascript/check_bundles" --by-peer dist/truth.txt dist/peer.txt | plain >"$here/hermes/program.txt"
