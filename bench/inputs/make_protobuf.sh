#!/bin/bash
# bench/inputs/make_protobuf.sh OUT SOURCES: builds a large C++ program for scripts/bench: protobuf's library and
# compiler (168 files), from the folder SOURCES. Uses clang and lld if they are installed; CXX chooses another compiler,
# JOBS is the number of compilers that run at once.
set -euo pipefail

out=$(realpath "$1")
cd "$2/src"
cxx=${CXX:-$(command -v clang++-19 || command -v clang++ || command -v c++)}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

flags=(-std=c++17 -g -O2 -w -DHAVE_PTHREAD -I. "-ffile-prefix-map=$PWD=/proj")
find google -name '*.cc' | grep -v -E '_(unit)?test|/(mini)?test_|unittest|tester|mock|/testing/' | LC_ALL=C sort >"$objects/files"
# shellcheck disable=SC2016 # the variables are expanded by the inner shell
xargs -P "${JOBS:-2}" -n 1 sh -c 'objects=$1 compiler=$2; shift 2; for file; do :; done
    $(command -v ccache) "$compiler" "$@" -c -o "$objects/$(echo "$file" | tr / _).o"' sh "$objects" "$cxx" "${flags[@]}" <"$objects/files"

lld=()
if command -v ld.lld-19 >/dev/null; then lld=(-fuse-ld=lld-19); elif command -v ld.lld >/dev/null; then lld=(-fuse-ld=lld); fi
case $cxx in *clang*) ;; *) lld=() ;; esac
"$cxx" "${lld[@]}" -Wl,--build-id=sha1 "$objects"/*.o -lpthread -o "$out"
ls -l "$out"
