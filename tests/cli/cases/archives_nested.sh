# Tests archives in archives, and libraries that Android loads from an APK: stacks print the APK and the library's
# offset in it.
cp "$NATIVE"/../archives/all.zip "$NATIVE"/../archives/deep.zip "$NATIVE"/../archives/base.apk .
framemap info all.zip | grep '!'
framemap lookup 'all.zip!store/app.aab!base/lib/arm64-v8a/libdemo.so' 0x1344
framemap info deep.zip 2>&1 || echo "exit $?"

cat >stack.txt <<'END'
ABI: 'arm64'
backtrace:
      #00 pc 0000000000001344  /data/app/com.demo/base.apk (offset 0x1000)
      #01 pc 00000000000013d0  /data/app/com.demo/base.apk (offset 0x1000)
      #02 pc 00000000000013d0  /data/app/com.demo/base.apk!libdemo.so (offset 0x1000)
      #03 pc 00000000000013d0  /data/app/com.demo/base.apk (offset 0x4000)
      #04 pc 00000000000013d0  /data/app/com.demo/base.apk
      #05 pc 00000000000013d0  /data/app/com.demo/split.apk (offset 0x1000)
END
framemap -s base.apk stack.txt
framemap -s base.apk stack.txt >alone.txt 2>&1
framemap -s all.zip stack.txt >nested.txt 2>&1
diff alone.txt nested.txt && echo "the same from an archive in an archive"
