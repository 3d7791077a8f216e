#!/bin/sh
# bench/inputs/make_java.sh OUT JAR...: makes a large mapping in R8's format. ProGuard (Debian's proguard-cli) renames
# the libraries, bench/inputs/make_java.py numbers their lines as R8 does. 180 MB of libraries give about 100 MB and
# take minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../../corpus/java/library.py" "$work/jdk.jar"
for jar in "$@"; do echo "-injars $(realpath "$jar")(!META-INF/**,!**module-info.class,**.class)"; done >"$work/rules"
cat >>"$work/rules" <<RULES
-libraryjars $work/jdk.jar
-dontshrink
-dontoptimize
-dontpreverify
-dontnote
-dontwarn
-ignorewarnings
-keepattributes SourceFile,LineNumberTable
-renamesourcefileattribute SourceFile
-printmapping $work/map
RULES
java -Xmx6g -Xss8m -jar "${PROGUARD_JAR:-/usr/share/java/proguard.jar}" "@$work/rules" >"$work/log" || { tail -n 20 "$work/log" >&2 && exit 1; }
"$here/make_java.py" "$work/map" >"$out"
ls -l "$out"
