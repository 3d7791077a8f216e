# Tests retrace: arguments with one dash and with two, their order, what is written to stdout and to stderr, and exit
# codes; and ProGuard's retrace, by option and by name.
say() {
    echo "== $*"
    "$@" 2>&1
    echo "exit $?"
}
cat >mapping <<'END'
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
o.p.Cls -> a:
# {"id":"some.id"}
    1:5:void m():10:14 -> a
    void n(int) -> b
    int e() -> b
END
printf 'a: two words\r\n\tat a.a(S:3)\n\tat a.b(S)\n... 1 more' >trace
say retrace mapping trace
say framemap retrace -verbose mapping trace
say retrace --info mapping trace
say retrace trace --mapping
say retrace mapping trace third
say retrace
say retrace mapping nosuch
say retrace mapping .
say retrace mapping --regex
say retrace mapping trace --regex= -noquiet
say retrace --regex 'at %q' mapping trace
say retrace -r '\s*at %c\.%m.*' mapping trace
printf '\tat a.a(S:3)\n\n  \n' >lines
retrace mapping <lines
retrace --quiet mapping <lines
printf ' at a.a(S:3)\377' >broken
say retrace mapping broken
retrace --quiet mapping <broken
printf 'o.p.Cls -> a\n' >bad
say retrace bad trace
: >none
say retrace none trace
framemap index mapping -o map.fmx
say retrace map.fmx trace
# A mapping may be compressed or in an archive. For other files that are not text, the message names their kind.
gzip -n -c mapping >mapping.gz
say retrace mapping.gz trace
python3 -c "import zipfile; zipfile.ZipFile('app.aab', 'w').write('mapping', 'BUNDLE-METADATA/obfuscation/proguard.map')"
say retrace 'app.aab!BUNDLE-METADATA/obfuscation/proguard.map' trace
say retrace app.aab trace
printf '\377\376o\000.\000p\000' >wide
say retrace wide trace
printf 'BZh91AY&SY\000\000' >mapping.bz2
say retrace mapping.bz2 trace
say retrace --max-memory 64 mapping.gz trace
say retrace --proguard mapping trace
say proguard-retrace mapping trace
say retrace --proguard map.fmx trace
say retrace --verify-mapping-file-hash mapping
say retrace --verify-mapping-file-hash mapping trace
printf '# pg_map_hash: SHA-256 00\nx' >hashed
say retrace --verify-mapping-file-hash hashed
say retrace --partition-map mapping trace
retrace --version | sed 's/ [0-9].*//'
say retrace --help
