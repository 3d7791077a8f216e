/* Parses headlines such as "BUG: KASAN: slab-use-after-free in f+0x1c/0x90", "divide error: 0000 [#1] SMP", "BUG
 * kmalloc-64 (Not tainted): Poison overwritten". */
#include "formats/native/linux/kernel_headline.h"

#include "formats/row_parts.h"

struct headline_row {
    framemap_str start, type;
    framemap_str end; /* the type of the error is the text before `end`; if `end` is empty, it is `type` */
    bool framed;      /* the text is a headline only if it is enclosed by "[ " and " ]" */
};
static const struct headline_row headlines[] = {
    {FM_STR_INIT("BUG: KASAN: "), {NULL, 0}, FM_STR_INIT(" in "), false},
    {FM_STR_INIT("BUG: KMSAN: "), {NULL, 0}, FM_STR_INIT(" in "), false},
    {FM_STR_INIT("BUG: KCSAN: "), {NULL, 0}, FM_STR_INIT(" in "), false},
    {FM_STR_INIT("BUG: KFENCE: "), {NULL, 0}, FM_STR_INIT(" in "), false},
    {FM_STR_INIT("BUG: "), {NULL, 0}, FM_STR_INIT(" at "), false},
    {FM_STR_INIT("kernel BUG at "), FM_STR_INIT("kernel BUG"), {NULL, 0}, false},
    {FM_STR_INIT("WARNING: CPU: "), FM_STR_INIT("WARNING"), {NULL, 0}, false},
    {FM_STR_INIT("WARNING: at "), FM_STR_INIT("WARNING"), {NULL, 0}, false},
    {FM_STR_INIT("WARNING: possible "), {NULL, 0}, FM_STR_INIT(" detected"), false},
    {FM_STR_INIT("INFO: possible "), {NULL, 0}, FM_STR_INIT(" detected"), true},
    {FM_STR_INIT("INFO: suspicious "), {NULL, 0}, {NULL, 0}, true},
    {FM_STR_INIT("WARNING: suspicious "), {NULL, 0}, {NULL, 0}, false},
    {FM_STR_INIT("INFO: inconsistent lock state"), {NULL, 0}, {NULL, 0}, true},
    {FM_STR_INIT("WARNING: inconsistent lock state"), {NULL, 0}, {NULL, 0}, false},
    {FM_STR_INIT("INFO: HARDIRQ-safe -> "), {NULL, 0}, FM_STR_INIT(" detected"), true},
    {FM_STR_INIT("INFO: SOFTIRQ-safe -> "), {NULL, 0}, FM_STR_INIT(" detected"), true},
    {FM_STR_INIT("WARNING: HARDIRQ-safe -> "), {NULL, 0}, FM_STR_INIT(" detected"), false},
    {FM_STR_INIT("WARNING: SOFTIRQ-safe -> "), {NULL, 0}, FM_STR_INIT(" detected"), false},
    {FM_STR_INIT("WARNING: bad unlock balance"), {NULL, 0}, FM_STR_INIT(" detected"), false},
    {FM_STR_INIT("WARNING: held lock freed"), {NULL, 0}, FM_STR_INIT("!"), false},
    {FM_STR_INIT("INFO: trying to register non-static key"), {NULL, 0}, FM_STR_INIT("."), false},
    {FM_STR_INIT("general protection fault"), FM_STR_INIT("general protection fault"), {NULL, 0}, false},
    {FM_STR_INIT("Unable to handle kernel "), {NULL, 0}, FM_STR_INIT(" at "), false},
    {FM_STR_INIT("Unhandled fault: "), {NULL, 0}, FM_STR_INIT(" ("), false},
    {FM_STR_INIT("WARNING: Nested lock was not taken"), {NULL, 0}, {NULL, 0}, false},
    {FM_STR_INIT("Kernel panic - not syncing"), FM_STR_INIT("Kernel panic"), {NULL, 0}, false},
    {FM_STR_INIT("PANIC: double fault"), {NULL, 0}, FM_STR_INIT(","), false},
    {FM_STR_INIT("Internal error: "), {NULL, 0}, FM_STR_INIT(" [#"), false},
    {FM_STR_INIT("INFO: task "), FM_STR_INIT("task blocked"), {NULL, 0}, false},
    {FM_STR_INIT("INFO: rcu"), FM_STR_INIT("rcu stall"), {NULL, 0}, false},
    {FM_STR_INIT("rcu: INFO: "), FM_STR_INIT("rcu stall"), {NULL, 0}, false},
    {FM_STR_INIT("watchdog: BUG: "), {NULL, 0}, FM_STR_INIT(" - "), false},
    {FM_STR_INIT("NMI watchdog: BUG: "), {NULL, 0}, FM_STR_INIT(" - "), false},
    {FM_STR_INIT("watchdog: Watchdog detected hard LOCKUP"), FM_STR_INIT("hard LOCKUP"), {NULL, 0}, false},
    {FM_STR_INIT("NMI watchdog: Watchdog detected hard LOCKUP"), FM_STR_INIT("hard LOCKUP"), {NULL, 0}, false},
    {FM_STR_INIT("UBSAN: "), {NULL, 0}, FM_STR_INIT(" in "), false},
    {FM_STR_INIT("Oops: "), FM_STR_INIT("Oops"), {NULL, 0}, false},
    {FM_STR_INIT("unreferenced object 0x"), FM_STR_INIT("memory leak"), {NULL, 0}, false},
};

framemap_str fm_kernel_headline_start(framemap_str text)
{
    static const framemap_str hint = FM_STR_INIT("kasan: GPF could be caused by NULL-ptr deref or user memory access");
    return fm_str_starts(text, hint) ? fm_str_from(text, hint.size) : text;
}

/* Returns the text in a frame of brackets: "BUG: x" for "[ BUG: x ]". */
static framemap_str without_frame(framemap_str text)
{
    if (!fm_str_starts(text, FM_STR("[ ")) || !fm_str_ends(text, FM_STR(" ]"))) return text;
    return fm_str_slice(text, 2, text.size - 2);
}

/* Returns the kind of error without its location and process: "scheduling while atomic" for "scheduling while atomic:
 * my/1/0x2", "spinlock bad magic" for "spinlock bad magic on CPU#0, my/1", "bad unlock balance detected!" for "bad
 * unlock balance detected! ]". */
static framemap_str type_of_bug(framemap_str type)
{
    static const framemap_str ends[] = {
        FM_STR_INIT(": "),           FM_STR_INIT(", address"), FM_STR_INIT(" on CPU#"), FM_STR_INIT(" in process "),
        FM_STR_INIT(" [00000000] "), FM_STR_INIT(" - "),       FM_STR_INIT(" ]")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) type = fm_str_slice(type, 0, fm_str_find(type, ends[i]));
    return fm_str_trim(type);
}

static void kernel_headline_read_row(const struct headline_row *row, framemap_str text,
                                     struct fm_kernel_headline *headline)
{
    headline->last = fm_str_starts(text, FM_STR("Kernel panic"));
    headline->follows =
        headline->last || fm_str_starts(text, FM_STR("Oops: ")) || fm_str_starts(text, FM_STR("Internal error: "));
    headline->type = row->type;
    if (row->type.size) return;
    const size_t end = row->end.size ? fm_str_find(text, row->end) : FM_NOT_FOUND;
    const size_t skip = fm_str_starts(text, FM_STR("BUG: ")) ? 5 : 0;
    framemap_str type = fm_str_slice(text, skip, end);
    type = fm_str_slice(type, 0, fm_str_find(type, FM_STR(" for address")));
    type = fm_str_slice(type, 0, fm_str_find(type, FM_STR(" on address")));
    if (skip) headline->message = fm_str_from(text, skip);
    headline->type = fm_str_equal(row->start, FM_STR("BUG: ")) ? type_of_bug(type) : type;
}

/* Parses SLUB's "BUG kmalloc-64 (Not tainted): Poison overwritten"; the type is "Poison overwritten". */
static bool read_slab(framemap_str text, struct fm_kernel_headline *headline)
{
    if (!fm_str_starts(text, FM_STR("BUG "))) return false;
    const size_t taint = fm_str_find(text, FM_STR("ainted")), end = fm_str_find(text, FM_STR("): "));
    if (taint == FM_NOT_FOUND || end == FM_NOT_FOUND || end < taint) return false;
    headline->type = fm_str_from(text, end + 3);
    headline->message = fm_str_from(text, 4);
    return headline->type.size != 0;
}

/* Parses a trap of x86: "divide error: 0000 [#1] SMP", "invalid opcode: 0000 [#1]". The trap "invalid
 * opcode" also follows a line "kernel BUG", because the kernel executes such an opcode there. */
static bool read_trap(framemap_str text, struct fm_kernel_headline *headline)
{
    const size_t mark = fm_str_find(text, FM_STR(": "));
    if (mark == FM_NOT_FOUND || mark == 0 || fm_str_find_byte(fm_str_slice(text, 0, mark), ',') != FM_NOT_FOUND)
        return false; /* "Kernel access of bad area, sig: 11 [#1]" is not a trap of x86 */
    struct fm_scan s = fm_scan_of(fm_str_from(text, mark + 2));
    uint64_t code;
    if (fm_row_hex(&s, &code) != FM_DIGITS_FIT || !fm_scan_text(&s, FM_STR(" [#"))) return false;
    headline->type = fm_str_slice(text, 0, mark);
    headline->follows = fm_str_equal(headline->type, FM_STR("invalid opcode"));
    return true;
}

/* Parses "WARNING: my/4398 still has locks held!", "BUG: my/4398 still has locks held!". The type is the text
 * without the process. */
static bool read_held(framemap_str text, struct fm_kernel_headline *headline)
{
    if (!fm_str_ends(text, FM_STR(" still has locks held!"))) return false;
    if (!fm_str_starts(text, FM_STR("WARNING: ")) && !fm_str_starts(text, FM_STR("BUG: "))) return false;
    headline->type = FM_STR("still has locks held");
    return true;
}

/* Parses "WARNING: fs/a.c:829 at f+0x334/0x430, CPU#1: my/5830" of Linux 6.18. */
static bool read_warning(framemap_str text, struct fm_kernel_headline *headline)
{
    if (!fm_str_starts(text, FM_STR("WARNING: "))) return false;
    const size_t at = fm_str_find(text, FM_STR(" at ")), cpu = fm_str_find(text, FM_STR(", CPU#"));
    headline->type = FM_STR("WARNING");
    return at != FM_NOT_FOUND && cpu != FM_NOT_FOUND && at < cpu;
}

/* Parses "Oops: general protection fault, probably for …: 0000 [#1]" and "Oops: divide error: 0000 [#1]", which are
 * the only headline of a report since Linux 6.8. Does not accept "Oops: 0002 [#1]", "Oops: Oops: 0002 [#1]", "Oops:
 * invalid opcode: 0000 [#1]", which follow another headline. */
static bool read_oops(framemap_str text, struct fm_kernel_headline *headline)
{
    static const framemap_str oops = FM_STR_INIT("Oops: "), gpf = FM_STR_INIT("general protection fault");
    if (!fm_str_starts(text, oops)) return false;
    const framemap_str rest = fm_str_from(text, oops.size);
    headline->message = rest;
    if (fm_str_starts(rest, gpf)) {
        headline->type = gpf;
        return true;
    }
    if (read_trap(rest, headline) && !headline->follows && !fm_str_equal(headline->type, FM_STR("Oops"))) return true;
    *headline = (struct fm_kernel_headline){.text = headline->text, .message = headline->text};
    return false;
}

bool fm_kernel_headline(framemap_str text, struct fm_kernel_headline *headline)
{
    const framemap_str inside = without_frame(text);
    const bool framed = inside.size != text.size;
    *headline = (struct fm_kernel_headline){.text = inside, .message = inside};
    if (read_oops(inside, headline) || read_held(inside, headline)) return true;
    for (size_t i = 0; i < sizeof headlines / sizeof *headlines; i++) {
        if (!fm_str_begins(inside, headlines[i].start)) continue;
        if (headlines[i].framed && !framed) return false;
        kernel_headline_read_row(&headlines[i], inside, headline);
        return true;
    }
    return read_slab(inside, headline) || read_trap(inside, headline) || read_warning(inside, headline);
}
