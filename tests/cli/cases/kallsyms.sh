# Tests the list of a running kernel's symbols, which is a text: with modules, aliases, data, and addresses that the
# kernel hides.
cat >kallsyms <<'END'
0000000000000000 A fixed_percpu_data
ffffffff81000000 T _stext
ffffffff81000000 T startup_64
ffffffff81000040 t helper
ffffffff81000080 T do_syscall_64
ffffffff81200000 D data
END
printf 'ffffffffc0a01000 t nf_ct_get\t[nf_conntrack]\nffffffffc0b01000 t other_mod\t[other]\n' >>kallsyms
framemap info kallsyms
framemap lookup kallsyms 0xffffffff81000000 0xffffffff81000044 0xffffffff81000090 0xffffffff81200004 0xffffffffc0a01004 0xffffffffc0a91004
framemap lookup -o json kallsyms 0xffffffffc0a01004

cat >samples.txt <<'END'
prog  1234 [001] 100.000001:     250000 cycles:
	ffffffff81000044 [unknown] ([kernel.kallsyms])
	ffffffffc0a01004 [unknown] ([nf_conntrack])
	    7ffd000 [unknown] ([vdso])

END
framemap -s kallsyms samples.txt 2>&1

printf '0000000000000000 T _stext\n0000000000000000 t helper\n' >hidden
framemap lookup hidden 0x10 2>&1 || echo "exit $?"
printf 'ffffffffffffffff B The real System.map is in the linux-image-<version>-dbg package\n' >System.map-6.1.0
framemap info System.map-6.1.0 2>&1 || echo "exit $?"
