#!/bin/sh
# corpus/java/proguard/make.sh [FOLDER]: compiles src/, renames it with ProGuard in two ways, and runs all three
# programs. ProGuard's retrace restores what the renamed programs print, and so does R8's retrace if R8_RETRACE names
# its command. The results are written to FOLDER, or to the folder of this script.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
proguard_jar=${PROGUARD_JAR:-/usr/share/java/proguard.jar}
retrace_jar=${RETRACE_JAR:-/usr/share/java/retrace.jar}

run() { java -cp "$1" com.example.shop.Main; }

# restore MAPPING TRACE OUT OUT_R8: writes the answers of ProGuard's retrace and of R8's.
restore() {
    java -cp "$retrace_jar:$proguard_jar" proguard.retrace.ReTrace "$1" "$2" >"$3"
    if [ -n "${R8_RETRACE:-}" ]; then "$R8_RETRACE" "$1" "$2" >"$4"; fi
}

# rename NAME OPTION...: makes and runs a renamed program, with ProGuard's options.
rename() {
    name=$1
    shift
    mkdir -p "$out/$name"
    java -jar "$proguard_jar" @"$here/common.pro" "$@" -injars "$work/shop" -outjars "$work/$name.jar" -libraryjars "$work/jdk.jar" \
        -printmapping "$out/$name/mapping.txt" >"$work/$name.log" || { cat "$work/$name.log" >&2 && exit 1; }
    run "$work/$name.jar" >"$out/$name/trace.txt"
    sed 's/(SourceFile:[0-9]*)/(Unknown Source)/' "$out/$name/trace.txt" >"$out/$name/lineless.txt"
    for trace in trace lineless; do
        restore "$out/$name/mapping.txt" "$out/$name/$trace.txt" "$out/$name/$trace.proguard.txt" "$out/$name/$trace.r8.txt"
    done
}

javac --release 8 -g:source,lines -nowarn -d "$work/shop" "$here"/src/com/example/shop/*.java 2>"$work/javac.log" || { cat "$work/javac.log" >&2 && exit 1; }
"$here/../library.py" "$work/jdk.jar" java.base
run "$work/shop" >"$out/plain.txt"
rename renamed -dontoptimize
rename optimized -optimizationpasses 3
