# Tests methods of Java in native stacks of Android: compiled ahead of time, compiled in memory, and read as bytecode.
printf 'com.x.Store -> u.s:\n    1:2:void open():3:4 -> a\n    3:4:int close(int):7:8 -> a\n    5:6:void only():9:10 -> b\n' >mapping.txt
cat >tombstone <<'STACK'
      #00 pc 0000ba48  /data/app/oat/arm64/base.odex (u.s.a+132)
      #01 pc 0000ba58  /data/app/oat/arm64/base.odex (u.s.b+12) (BuildId: 0011223344556677)
      #02 pc 0000ba58  /memfd:jit-cache (deleted) (offset 0x2000000) (u.s.b+16)
      #03 pc 0000ba58  [anon:dalvik-classes.dex extracted in memory from /data/app/a.apk] (u.s.b+2)
      #04 pc 00001000  /apex/art/boot.oat (java.lang.Thread.run+72)
      #05 pc 00001010  /data/app/lib/libx.so (u.s.b+72)
      #06 pc 00001020  /data/app/oat/arm64/base.odex (com.x.Other.run+8)
STACK
framemap -s mapping.txt tombstone 2>&1
echo "== twice"
framemap -s mapping.txt tombstone 2>/dev/null >once
framemap -s mapping.txt once 2>/dev/null | diff once - && echo same
echo "== JSON"
framemap -s mapping.txt -o json tombstone 2>/dev/null | sed -n 2p | tr '{' '\n' | grep -E '^"(n|function)":'
echo "== with rows of Java"
printf '"main" prio=5 tid=1 Native\n  native: #00 pc 0000ba58  /data/app/oat/arm64/base.odex (u.s.b+12)\n  at u.s.a(SourceFile:3)\n' >anr
framemap -s mapping.txt anr
echo "== code of another app in the process"
cat >other <<'STACK'
pid: 1, tid: 2, name: main  >>> com.example.shop:push <<<
signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x10
backtrace:
      #00 pc 0000ba48  /data/app/~~Qw==/com.example.shop-1-A==/oat/arm64/base.odex (u.s.b+12)
      #01 pc 0000ba58  /data/app/~~Qx==/com.google.services-1A==/oat/arm64/base.odex (u.s.b+12)
      #02 pc 0000ba68  /data/app/com.google.services-2/oat/arm64/base.odex (u.s.b+12)
STACK
framemap -s mapping.txt other 2>&1 | tail -3
echo "== without a mapping"
framemap tombstone 2>&1 >/dev/null
