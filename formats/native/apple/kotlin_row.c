/* Implements kotlin_row.h. On Apple's systems and on Linux Kotlin/Native's rows are those of backtrace_symbols, which
 * apple_row.c reads; here are the other forms:
 *
 *     0   app.kexe   0x0000000107505672 kfun:run() + 50 [0x1074d7000]     2019, with the load address of the image
 *     0   ???        7ff796c161e4       kfun:run() + 50                   Windows
 *     kfun:run() (0x416fea)   kfun:run() (0000000000416FEA)               until 2021 on Linux and Windows
 *      (0x7fc8d1e5f0b3)                                                   there, a function without a name */
#include "formats/native/apple/kotlin_row.h"
#include "formats/native/apple/apple.h"
#include "formats/row_parts.h"

/* An address in a program of up to 256 MiB that is loaded where it was linked is lower. */
#define LINKED_END 0x10000000

/* Cuts the load address "[0x1074d7000]" off the end of a row. */
static bool cut_load(framemap_str *text, uint64_t *load)
{
    const size_t open = fm_str_find_last(*text, FM_STR(" [0x"));
    if (open == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, open + 2));
    if (fm_row_0xhex(&s, load) != FM_DIGITS_FIT || !fm_scan_byte(&s, ']') || !fm_scan_done(&s)) return false;
    *text = fm_str_trim(fm_str(text->data, open));
    return true;
}

/* Parses "0   ???   7ff796c161e4   kfun:run() + 50". */
static bool read_windows(framemap_str text, struct fm_document *doc, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    if (!fm_row_index(&s, &frame->index) || !fm_scan_blanks1(&s)) return false;
    const framemap_str module = fm_str_slice(fm_scan_rest(&s), 0, 3);
    if (!fm_scan_text(&s, FM_STR("???")) || !fm_scan_blanks1(&s)) return false;
    const char *const digits = s.at;
    const enum fm_digits fit = fm_row_hex(&s, &frame->address);
    if (fit == FM_DIGITS_NONE || s.at - digits < 5 || !fm_scan_blanks1(&s)) return false;
    frame->module = module;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (fit == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    fm_apple_rest(fm_scan_rest(&s), doc, frame);
    return true;
}

bool fm_kotlin_row(framemap_str body, struct fm_document *doc, framemap_frame *frame)
{
    framemap_str text = fm_str_trim(body);
    uint64_t load = 0;
    const bool has_load = cut_load(&text, &load);
    if (!fm_apple_row(text, false, doc, frame)) {
        *frame = FM_FRAME_INIT;
        return read_windows(text, doc, frame);
    }
    /* On Linux programs are loaded where they were linked; libraries, and all images of Apple's, are above this. */
    if (frame->has_address && frame->address < LINKED_END) frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    if (has_load && !frame->has_load_address && load <= frame->address) {
        frame->has_load_address = true;
        frame->load_address = load;
    }
    return true;
}

bool fm_kotlin_named_row(framemap_str body, bool in_stack, framemap_frame *frame)
{
    const framemap_str text = fm_str_trim(body);
    const size_t open = fm_str_find_last_byte(text, '(');
    if (open == FM_NOT_FOUND || (open && text.data[open - 1] != ' ')) return false;
    const framemap_str name = fm_str_trim(fm_str(text.data, open));
    if (!in_stack && !fm_str_starts(name, FM_STR("kfun:"))) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, open + 1));
    enum fm_digits digits = fm_row_0xhex(&s, &frame->address);
    if (digits == FM_DIGITS_NONE) {
        const char *const start = s.at;
        digits = fm_row_hex(&s, &frame->address);
        if (s.at - start < 16) return false;
    }
    if (digits != FM_DIGITS_FIT || !fm_scan_byte(&s, ')') || !fm_scan_done(&s)) return false;
    frame->function = name;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = "the report does not say which image the address is in";
    return true;
}
