#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"BSD", "FreeBSD's list, its debugger's, NetBSD's with places, OpenBSD's wrapped on a serial console",
     "Fatal trap 12: page fault while in kernel mode\ncurrent process\t\t= 40394 (syz executor)\ntrap number\t\t= 12\n"
     "panic: page fault\ncpuid = 3\nKDB: stack backtrace:\n#0 0xffffffff80aada97 at kdb_backtrace+0x67\n"
     "#1 0xffffffff80a6bb76 at vpanic+0x186\nUptime: 1s\n\n\n\npanic: sx lock\nKDB: stack backtrace:\n"
     "db_trace() at db_trace+0x47/frame 0xfffffe000c95b2f0\nvpanic() at vpanic+0x1e0/frame 0xfffffe000c95b350\n"
     "--- syscall (0, FreeBSD ELF64, nosys), rip = 0x1, rbp = 0x2 ---\n\n\n\n\n[ 39.1] panic: UBSan: x\n"
     "[ 39.2] cpu0: Begin traceback...\n[ 39.3] vpanic() at netbsd:vpanic+0x29d sys/kern/subr_prf.c:290\n"
     "[ 39.3] kasan_report() at netbsd:kasan_report+0x89 kasan_code_name sys/kern/subr_asan.c:178 [inline]\n"
     "[ 39.3] ch_in() at netbsd:ch_in\n\n\n\n\n\rlogin: panic: cleaned vnode isn't\n\rStopped at      db_enter+0xa:   "
     "popq    %rbp\n"
     "\rdb_enter() at db_enter+0xa\n\rVOP_LOOKUP(ffffff001bf4d758,ffff80000e400530) at VOP_LOOKUP+0x\n\r56\n"
     "\rsyscall(0) at syscall+0x489\n\rend of kernel\n",

     "bsd-kernel 7 type:panic message:Fatal trap 12: page fault while in kernel mode process:syz executor pid:4"
     "0394 crashed\n"
     "#0 absolute:0xffffffff80aada97 return f:kdb_backtrace+103 not-needed\n"
     "#1 absolute:0xffffffff80a6bb76 return f:vpanic+390 not-needed\n"
     "bsd-kernel 15 type:panic message:sx lock crashed\n"
     "- f:db_trace+71 not-needed\n"
     "- f:vpanic+480 not-needed\n"
     "bsd-kernel 24 type:panic message:UBSan: x crashed\n"
     "- m:netbsd f:vpanic+669 at:sys/kern/subr_prf.c:290 not-needed\n"
     "- m:netbsd f:kasan_code_name at:sys/kern/subr_asan.c:178 not-needed inlined\n"
     "- m:netbsd f:ch_in not-needed\n"
     "bsd-kernel 33 type:panic message:cleaned vnode isn't crashed\n"
     "- f:db_enter+10 not-needed\n"
     "- f:VOP_LOOKUP not-needed\n"
     "- f:syscall+1161 not-needed\n"},
    {"BSD, near misses", "calls in prose and other rows", "f() at g+0x10\nsee f() at home+0x1\nf() at f\n", ""},
    {"LKL", "numbers before the addresses",
     "[    0.058593] BUG: KASAN: slab-out-of-bounds in f+0x26/0x31\n[    0.058661] Linux Kernel Library Stack Trace:\n"
     "[    0.058680] #0 [<0x000000000062a66a>] print_address_description+0x6a/0x5c0\n"
     "[    0.058709] #10 [<0x000000000062a389>] kasan_report+0x9/0x10\n",

     "kernel 3 type:KASAN: slab-out-of-bounds message:KASAN: slab-out-of-bounds in f+0x26/0x31 os:linux crashed"
     "\n"
     "- absolute:0x62a66a return f:print_address_description+106 not-needed size:1472\n"
     "- absolute:0x62a389 return f:kasan_report+9 not-needed size:16\n"},
    {"SLUB", "stacks of the object above that of the report, a dump of more lines than a report has else",
     "[   99.1] =====\n[   99.1] BUG kmalloc-64 (Not tainted): Poison overwritten\n[   99.1] -----\n[   99.1] \n"
     "[   99.1] INFO: 0xf2751962-0xf2751995. First byte 0x98 instead of 0x6b\n"
     "[   99.1] INFO: Allocated in 0xfdc88c28 age=79 cpu=0 pid=1329\n[   99.1] \t__slab_alloc.isra.5+0x49f/0x533\n"
     "[   99.1] \t0xfdc88c28\n[   99.1] INFO: Freed in my_exit+0x50/0xb0 [my] age=14 cpu=1 pid=1333\n"
     "[   99.1] \tkfree+0x129/0x140\n[   99.1] INFO: Slab 0xf4d5ea20 objects=17 used=17 fp=0x  (null) flags=0x4\n"
     "[   99.1] Bytes b4 f2751950: 64 02 00 00  d...\n[   99.1] Object f2751960: 6b 6b 98 00  kk..\n"
     "[   99.1] Redzone f27519a0: bb bb bb bb  ....\n[   99.1] Pid: 73, comm: my app Tainted: G    B  3.4.0-wl+ #4\n"
     "[   99.1] Call Trace:\n[   99.1]  [<c04962a6>] print_trailer+0x1f6/0x220\n\n\n\n\n"
     "Allocated in mpol_new+0xa3/0x140 age=4 cpu=6 pid=3\n mpol_new+0xa3/0x140\n",

     "kernel 7 allocated-by of 0 os:linux pid:1329\n"
     "- f:__slab_alloc.isra.5+1183 not-needed size:1331\n"
     "- absolute:0xfdc88c28 return\n"
     "kernel 10 freed-by of 1 os:linux pid:1333\n"
     "- f:kfree+297 not-needed size:320\n"
     "kernel 17 type:Poison overwritten message:kmalloc-64 (Not tainted): Poison overwritten os:linux version:3"
     ".4.0-wl+ process:my app pid:73 crashed\n"
     "- absolute:0xc04962a6 return f:print_trailer+502 not-needed size:544\n"
     "kernel 23 allocated-by of 2 os:linux version:3.4.0-wl+ pid:3\n"
     "- f:mpol_new+163 not-needed size:320\n"},
    {"headlines", "of locks and traps",
     "[ INFO: inconsistent lock state ]\n[<c047cdbf>] a+0x59/0x77\n"
     "WARNING: HARDIRQ-safe -> HARDIRQ-unsafe lock order detected\nCall Trace:\n b+0x1/0x2\n"
     "WARNING: held lock freed!\nCall Trace:\n c+0x1/0x2\n"
     "INFO: trying to register non-static key.\nCall Trace:\n d+0x1/0x2\n"
     "divide error: 0000 [#1] SMP\nCall Trace:\n e+0x1/0x2\nkernel BUG at mm/a.c:7!\ninvalid opcode: 0000 [#1] SMP\n"
     "Call Trace:\n f+0x1/0x2\nPANIC: double fault, error_code: 0x0\nCall Trace:\n g+0x1/0x2\n",

     "kernel 2 type:INFO: inconsistent lock state message:INFO: inconsistent lock state os:linux crashed\n"
     "- absolute:0xc047cdbf return f:a+89 not-needed size:119\n"
     "kernel 5 type:WARNING: HARDIRQ-safe -> HARDIRQ-unsafe lock order message:WARNING: HARDIRQ-safe -> HARDIRQ"
     "-unsafe lock order detected os:linux crashed\n"
     "- f:b+1 not-needed size:2\n"
     "kernel 8 type:WARNING: held lock freed message:WARNING: held lock freed! os:linux crashed\n"
     "- f:c+1 not-needed size:2\n"
     "kernel 11 type:INFO: trying to register non-static key message:INFO: trying to register non-static key. o"
     "s:linux crashed\n"
     "- f:d+1 not-needed size:2\n"
     "kernel 14 type:divide error message:divide error: 0000 [#1] SMP os:linux crashed\n"
     "- f:e+1 not-needed size:2\n"
     "kernel 18 type:kernel BUG message:kernel BUG at mm/a.c:7! os:linux crashed\n"
     "- f:f+1 not-needed size:2\n"
     "kernel 21 type:PANIC: double fault message:PANIC: double fault, error_code: 0x0 os:linux crashed\n"
     "- f:g+1 not-needed size:2\n"},
    {"headlines of newer kernels", "of watchdogs, of Linux 6.18",
     "NMI watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [my:1580]\nCall Trace:\n h+0x1/0x2\n"
     "watchdog: Watchdog detected hard LOCKUP on cpu 1\nCall Trace:\n i+0x1/0x2\n"
     "WARNING: fs/dcache.c:829 at j+0x334/0x430, CPU#1: my/5830\nCall Trace:\n j+0x1/0x2\n"
     "WARNING: [x] io/a.c:3 at k+0x44c/0xbc0, CPU#0: kworker/u8:0/10\nCall Trace:\n k+0x1/0x2\n"
     "WARNING: my app/4398 still has locks held!\nCall Trace:\n l+0x1/0x2\n",

     "kernel 3 type:NMI watchdog: BUG: soft lockup message:NMI watchdog: BUG: soft lockup - CPU#0 stuck for 22s"
     "! [my:1580] os:linux crashed\n"
     "- f:h+1 not-needed size:2\n"
     "kernel 6 type:hard LOCKUP message:watchdog: Watchdog detected hard LOCKUP on cpu 1 os:linux crashed\n"
     "- f:i+1 not-needed size:2\n"
     "kernel 9 type:WARNING message:WARNING: fs/dcache.c:829 at j+0x334/0x430, CPU#1: my/5830 os:linux crashed"
     "\n"
     "- f:j+1 not-needed size:2\n"
     "kernel 12 type:WARNING message:WARNING: [x] io/a.c:3 at k+0x44c/0xbc0, CPU#0: kworker/u8:0/10 os:linux cr"
     "ashed\n"
     "- f:k+1 not-needed size:2\n"
     "kernel 15 type:still has locks held message:WARNING: my app/4398 still has locks held! os:linux crashed\n"
     "- f:l+1 not-needed size:2\n"},
    {"other CPUs", "which a panic stops: their stacks are not of its cause",
     "Kernel panic - not syncing: hung\nCPU: 0 PID: 12 Comm: app Tainted: G O 5.10.63 #1\nCall trace:\na+0x1/0x2\n"
     "SMP: stopping secondary CPUs\nCPU: 6 PID: 0 Comm: swapper/6 Tainted: G O 5.10.63 #1\nCall trace:\nb+0x1/0x2\n",
     "kernel 4 type:Kernel panic message:Kernel panic - not syncing: hung os:linux version:5.10.63 process:app pid:12 "
     "crashed\n- f:a+1 not-needed size:2\nkernel 8 os:linux version:5.10.63 process:swapper/6 pid:0\n"
     "- f:b+1 not-needed size:2\n"},
    {"Oops", "alone, with what the trap is, and below the headline that counts; not that of a report before",
     "BUG: kernel NULL pointer dereference, address: 0010\nOops: Oops: 0000 [#1] SMP\nRIP: 0010:a+0x1/0x2\n"
     "Call Trace:\n b+0x1/0x2\nOops: general protection fault, probably for non-canonical address 0xdf: 0000 [#2] SMP\n"
     "RIP: 0010:c+0x1/0x2\nOops: divide error: 0000 [#3] SMP\nRIP: 0010:d+0x1/0x2\nkernel BUG at a.c:7!\n"
     "Oops: invalid opcode: 0000 [#4] SMP\nRIP: 0010:e+0x1/0x2\nOops: 0002 [#5] SMP\nRIP: 0010:f+0x1/0x2\n"
     "Kernel panic - not syncing: Fatal exception\nCall Trace:\n g+0x1/0x2\n",

     "kernel 3 type:kernel NULL pointer dereference message:kernel NULL pointer dereference, address: 0010 os:l"
     "inux crashed\n"
     "- f:a+1 not-needed size:2\n"
     "kernel 5 type:kernel NULL pointer dereference message:kernel NULL pointer dereference, address: 0010 os:l"
     "inux crashed\n"
     "- f:b+1 not-needed size:2\n"
     "kernel 7 type:general protection fault message:general protection fault, probably for non-canonical addre"
     "ss 0xdf: 0000 [#2] SMP os:linux crashed\n"
     "- f:c+1 not-needed size:2\n"
     "kernel 9 type:divide error message:divide error: 0000 [#3] SMP os:linux crashed\n"
     "- f:d+1 not-needed size:2\n"
     "kernel 12 type:kernel BUG message:kernel BUG at a.c:7! os:linux crashed\n"
     "- f:e+1 not-needed size:2\n"
     "kernel 14 type:Oops message:Oops: 0002 [#5] SMP os:linux crashed\n"
     "- f:f+1 not-needed size:2\n"
     "kernel 17 type:Oops message:Oops: 0002 [#5] SMP os:linux crashed\n"
     "- f:g+1 not-needed size:2\n"},
    {"headlines of ARM and PowerPC", "the first one counts; a process is not a part of a type",
     "Unhandled fault: page domain fault (0x01b) at 0x00000e30\nInternal error: : 1b [#1] SMP ARM\nPC is at a+0x1/0x2\n"
     "BUG: Unable to handle kernel data access at 0x8000000041a25f20\nOops: Kernel access of bad area, sig: 11 [#1]\n"
     "NIP b+0x1/0x2\n[ BUG: my/31761 still has locks held! ]\nCall Trace:\n c+0x1/0x2\n"
     "WARNING: Nested lock was not taken\nCall trace:\n d+0x1/0x2\n",

     "kernel 3 type:Unhandled fault: page domain fault message:Unhandled fault: page domain fault (0x01b) at 0x"
     "00000e30 os:linux crashed\n"
     "- f:a+1 not-needed size:2\n"
     "kernel 6 type:Unable to handle kernel data access message:Unable to handle kernel data access at 0x800000"
     "0041a25f20 os:linux crashed\n"
     "- f:b+1 not-needed size:2\n"
     "kernel 9 type:still has locks held message:BUG: my/31761 still has locks held! os:linux crashed\n"
     "- f:c+1 not-needed size:2\n"
     "kernel 12 type:WARNING: Nested lock was not taken message:WARNING: Nested lock was not taken os:linux cra"
     "shed\n"
     "- f:d+1 not-needed size:2\n"},
    {"headlines in a line with other text", "of a console, of KASAN, and of leaks",
     "my login: [   59.806466][ T6792] BUG: using smp_processor_id() in preemptible [00000000] code: my/6792\n"
     "[   59.8][ T6792] Call Trace:\n[   59.8][ T6792]  m+0x1/0x2\n"
     "kasan: GPF could be caused by NULL-ptr deref or user memory accessgeneral protection fault: 0000 [#1] SMP\n"
     "Call Trace:\n n+0x1/0x2\n"
     "unreferenced object 0xffff880133c63800 (size 1024):\n  comm \"my exe\", pid 1521, jiffies 4294894652\n"
     "  backtrace:\n    [<ffffffff810f8f36>] o+0x126/0x2b0\n",

     "kernel 3 type:using smp_processor_id() in preemptible message:using smp_processor_id() in preemptible [00"
     "000000] code: my/6792 os:linux crashed\n"
     "- f:m+1 not-needed size:2\n"
     "kernel 6 type:general protection fault message:general protection fault: 0000 [#1] SMP os:linux crashed\n"
     "- f:n+1 not-needed size:2\n"
     "kernel 10 type:memory leak message:unreferenced object 0xffff880133c63800 (size 1024): os:linux process:m"
     "y exe pid:1521 crashed\n"
     "- absolute:0xffffffff810f8f36 return f:o+294 not-needed size:688\n"},
    {"near misses of headlines", "in prose",
     "WARNING: the file at a.c is old\nerror: 0000\nwe maintained it, BUG x\nAllocated in f age=7\n", ""},
    {"rows", "a time after a mark, callers without a distance, PowerPC's interrupts",
     "Call Trace:\n <IRQ> [  420.408595]  [<ffffffff814249f9>] a.cold.127+0x1c9/0x279\n"
     "[<817b2604>] (b) from [<817cec84>] (c lib/d.c:88 [inline])\n[<8013479c>] (d) from [<00000000>] (  (null))\n"
     "--- interrupt: 700 at e+0x2c/0x70\n",

     "kernel 2 os:linux\n"
     "- absolute:0xffffffff814249f9 return f:a.cold.127+457 not-needed size:633\n"
     "- absolute:0x817b2604 return f:b not-needed\n"
     "- absolute:0x8013479c return f:d not-needed\n"
     "- f:e+44 not-needed size:112\n"},
    {"oops", "headline, process, program counter, registers, marks, modules",
     "[   12.3] BUG: unable to handle page fault for address: 0010\n[   12.3] Oops: 0002 [#1] SMP\n"
     "[   12.3] CPU: 1 PID: 304 Comm: my worker Not tainted 6.1.43-g00106 #1\n"
     "[   12.3] RIP: 0010:cart_add+0x74/0x80 [cart]\n[   12.3] Code: 03 42 <0f> 0b\n"
     "[   12.3] RSP: 0018:ffff888014cefd90 EFLAGS: 00010283\n[   12.3] RAX: ffffffff81569974 RBX: 0000000000000001\n"
     "[   12.3] Call Trace:\n[   12.3]  <TASK>\n[   12.3]  ? cart_free+0x80/0x80 [cart 77e6f9a1b2c3]\n"
     "[   12.3]  do_ioctl+0x11e/0x210\n[   12.3]  0xffffffffc0a5d0b3\n[   12.3]  </TASK>\n",

     "kernel 4 type:unable to handle page fault message:unable to handle page fault for address: "
     "0010 os:linux version:6.1.43-g00106 process:my worker pid:304 crashed RSP=0xffff888014cefd90 EFLAGS=0x10283 "
     "RAX=0xffffffff81569974 RBX=0x1\n"
     "- m:cart f:cart_add+116 not-needed size:128\n"
     "kernel 10 type:unable to handle page fault message:unable to handle page fault for address: "
     "0010 os:linux version:6.1.43-g00106 process:my worker pid:304 crashed\n"
     "- m:cart id:77e6f9a1b2c3 f:cart_free+128 not-needed size:128 unreliable\n"
     "- f:do_ioctl+286 not-needed size:528\n"
     "- absolute:0xffffffffc0a5d0b3 return\n"},
    {"lockdep", "each lock of a chain has a stack of its own",
     "WARNING: possible circular locking dependency detected\n\n-> #1 (&a){+.+.}:\n       lock+0x1/0x10\n"
     "       f+0x2/0x10\n\n-> #0 (&b){+.+.}:\n       lock+0x3/0x10\n\n\n\n\n\nstack backtrace:\n"
     " [<c0106a4c>] g+0x4/0x10\n",

     "kernel 4 type:WARNING: possible circular locking dependency message:WARNING: possible circular locking "
     "dependency detected os:linux crashed\n- f:lock+1 not-needed size:16\n- f:f+2 not-needed size:16\n"
     "kernel 8 type:WARNING: possible circular locking dependency message:WARNING: possible circular locking "
     "dependency detected os:linux crashed\n- f:lock+3 not-needed size:16\n"
     "kernel 15 type:WARNING: possible circular locking dependency message:WARNING: possible circular locking "
     "dependency detected os:linux crashed\n- absolute:0xc0106a4c return f:g+4 not-needed size:16\n"},
    {"kinds of bugs", "a type does not name the process or the CPU",
     "BUG: scheduling while atomic: my app/11/0x2\nCall Trace:\n f+0x1/0x10\n\n\n\n\n"
     "[ BUG: bad unlock balance detected! ]\nCall Trace:\n g+0x1/0x10\n\n\n\n\n"
     "BUG: spinlock bad magic on CPU#0, my app/11\nCall Trace:\n h+0x1/0x10\n",

     "kernel 3 type:scheduling while atomic message:scheduling while atomic: my app/11/0x2 os:linux crashed\n"
     "- f:f+1 not-needed size:16\n"
     "kernel 10 type:bad unlock balance detected! message:bad unlock balance detected! os:linux crashed\n"
     "- f:g+1 not-needed size:16\n"
     "kernel 17 type:spinlock bad magic message:spinlock bad magic on CPU#0, my app/11 os:linux crashed\n"
     "- f:h+1 not-needed size:16\n"},
    {"syzkaller", "inlined functions with their positions, KASAN's sections",
     "BUG: KASAN: slab-use-after-free in f+0x1/0x2 fs/a.c:7\nCall Trace:\n __dump_stack lib/d.c:77 [inline]\n"
     " dump_stack+0x172/0x1f0 lib/d.c:113\n\nAllocated by task 31:\n kmalloc+0x1b/0x40 mm/a.c:3\n\n"
     "Freed by task 32:\n [<     inline     >] kfree mm/a.c:9\n",

     "kernel 3 type:KASAN: slab-use-after-free message:KASAN: slab-use-after-free in f+0x1/0x2 fs/a.c:7 os:linux "
     "crashed\n"
     "- f:__dump_stack at:lib/d.c:77 not-needed inlined\n"
     "- f:dump_stack+370 at:lib/d.c:113 not-needed size:496\n"
     "kernel 7 allocated-by of 0 os:linux\n"
     "- f:kmalloc+27 at:mm/a.c:3 not-needed size:64\n"
     "kernel 10 freed-by of 0 os:linux\n"
     "- f:kfree at:mm/a.c:9 not-needed inlined\n"},
    {"KASAN", "an address that belongs to no function",
     "BUG: KASAN: user-memory-access on address 0000000000000040\nCall trace:\n f+0x1/0x2 fs/a.c:7\n",
     "kernel 3 type:KASAN: user-memory-access message:KASAN: user-memory-access on address 0000000000000040 os:linux "
     "crashed\n- f:f+1 at:fs/a.c:7 not-needed size:2\n"},
    {"KCSAN", "each access is a stack",
     "BUG: KCSAN: data-race in f / g\n\nwrite to 0xffffffff82ddb32c of 4 bytes by interrupt on cpu 0:\n f+0x1/0x10\n\n"
     "read (marked) to 0xffffffff82ddb32c of 4 bytes by task 450 on cpu 1:\n g+0x2/0x10\n h+0x3/0x10\n\n"
     "value changed: 0x1 -> 0x2\n",
     "kernel 4 type:KCSAN: data-race message:KCSAN: data-race in f / g os:linux crashed\n- f:f+1 not-needed size:16\n"
     "kernel 7 previous-access of 0 os:linux\n- f:g+2 not-needed size:16\n- f:h+3 not-needed size:16\n"},
    {"KFENCE", "old kernels name the object before the task",
     "BUG: KFENCE: use-after-free read in f+0x1/0x10\n\nUse-after-free read at 0xffff8c (in kfence-#31):\n "
     "f+0x1/0x10\n\n"
     "kfence-#31 [0xffff8c-0xffff8f, size=4, cache=kmalloc-32] allocated by task 114:\n g+0x2/0x10\n\n"
     "freed by task 115:\n h+0x3/0x10\n",
     "kernel 4 type:KFENCE: use-after-free read message:KFENCE: use-after-free read in f+0x1/0x10 os:linux crashed\n"
     "- f:f+1 not-needed size:16\n"
     "kernel 7 allocated-by of 0 os:linux\n- f:g+2 not-needed size:16\n"
     "kernel 10 freed-by of 0 os:linux\n- f:h+3 not-needed size:16\n"},
    {"arm64", "brackets, flags, no title",
     "[<ffffffc0002099e8>] dump_backtrace+0x0/0x148 arch/arm64/kernel/traps.c:90\n__schedule+0x1b74/0x2d24 (P)\n"
     "[<0000000096aecb1f>] ? key_gc+0xa8/0xa8 security/gc.c:209 (discriminator 3)\n"
     " [<     inlined    >] ? key_gc+0xa8/0xa8 test_bit arch/bitops.h:254\n",

     "kernel 1 os:linux\n"
     "- absolute:0xffffffc0002099e8 return f:dump_backtrace+0 at:arch/arm64/kernel/traps.c:90 not-needed size:328\n"
     "- f:__schedule+7028 not-needed size:11556\n"
     "- absolute:0x96aecb1f return f:key_gc+168 at:security/gc.c:209 not-needed size:168 unreliable\n"
     "- f:test_bit at:arch/bitops.h:254 not-needed inlined unreliable\n"},
    {"arm", "a row names the function and its caller",
     "[<c0108b5c>] (unwind_backtrace) from [<c0106a4c>] (show_stack+0x10/0x14)\n"
     "[<c0106a4c>] (show_stack+0x10/0x14) from [<c0300000>] (dump_stack+0x88/0x9c)\n",

     "kernel 1 os:linux\n"
     "- absolute:0xc0108b5c return f:unwind_backtrace not-needed\n"
     "- absolute:0xc0106a4c return f:show_stack+16 not-needed size:20\n"},
    {"pc", "arm64 prints the program counter as a register",
     "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000040\npc : f+0x24/0xec\n"
     "lr : g+0x20/0xec\nsp : ffffffc0805a3cc0\nx29: ffffffc0805a3cc0 x28: ffffffc0805a0000\nCall trace:\n f+0x24/0xec "
     "(P)\n",

     "kernel 2 type:Unable to handle kernel NULL pointer dereference message:Unable to handle kernel NULL pointer "
     "dereference at virtual address 0000000000000040 os:linux crashed sp=0xffffffc0805a3cc0 x29=0xffffffc0805a3cc0 "
     "x28=0xffffffc0805a0000\n"
     "- f:f+36 not-needed size:236\n"
     "kernel 7 type:Unable to handle kernel NULL pointer dereference message:Unable to handle kernel NULL pointer "
     "dereference at virtual address 0000000000000040 os:linux crashed\n"
     "- f:f+36 not-needed size:236\n"},
    {"process of old kernels", "the address of the task is not a name",
     "general protection fault: 0000 [#1] SMP\nCPU: 0 PID: 19 Comm: my worker Not tainted 3.14.0 #57\n"
     "task: ffff880035e04b00 ti: ffff880035e60000 task.ti: ffff880035e60000\nCall Trace:\n f+0x24/0xec\n",

     "kernel 5 type:general protection fault message:general protection fault: 0000 [#1] SMP os:linux version:3.14.0 "
     "process:my worker pid:19 crashed\n- f:f+36 not-needed size:236\n"},
    {"decoded", "scripts/decode_stacktrace.sh: positions in parentheses, only below a title",
     "Call Trace:\n dump_stack_lvl (lib/dump_stack.c:107 (discriminator 1))\n f (fs/a.h:3 fs/a.c:7) cart\n",
     "kernel 2 os:linux\n"
     "- f:dump_stack_lvl at:lib/dump_stack.c:107 not-needed\n"
     "- m:cart f:f at:fs/a.c:7 not-needed\n"},
    {"near misses", "lines of logs and code",
     "f+0x1c/0x90 is slow\nf (fs/a.c:7)\n __dump_stack lib/d.c:77\nx + 0x10/0x20\n"
     "RIP: 0033:0x46a1b9\nratio+0x1/2\nhttp://a/b+0x1/0x2\n",
     ""},
};

/* The kernel for 32-bit ARM prints the memory around each register between the first line of the report and the stack.
 * The type of the error must still come from the first line. */
static void test_memory(void **state)
{
    (void)state;
    char text[8192];
    size_t size = (size_t)snprintf(text, sizeof text,
                                   "Unable to handle kernel NULL pointer dereference at virtual address 00000004\n"
                                   "PC is at f+0x24/0xec\nPC: 0xc0090864:\n");
    for (unsigned i = 0; i < 100; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%04x  eafffb18 e5843000 e3530000\n", i * 32);
    snprintf(text + size, sizeof text - size,
             "Process my worker (pid: 116, stack limit = 0xe7c962f0)\nStack: (0xe7c97f70 to 0xe7c98000)\n"
             "7f60: e7c563c0 00000000\n[<c0106a4c>] (g+0x10/0x14) from [<c0300000>] (h+0x88/0x9c)\n");
    struct parsed parsed;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 2);
    const framemap_trace *trace = &parsed.traces[1];
    same_text("memory", "the type", trace->exception_type, text_of("Unable to handle kernel NULL pointer dereference"));
    same_text("memory", "the process", trace->process_name, text_of("my worker"));
    assert_int_equal(trace->process_id, 116);
    parsed_free(&parsed);
}

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory), cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests_name("formats kernel", tests, NULL, NULL);
}
