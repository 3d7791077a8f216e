/* Implements kernel_user_fault.h: finds the headline of a fault by its words, reads signal, address and image from it,
 * and reads the program counter from the registers below. */
#include "formats/native/linux/kernel_user_fault.h"
#include "formats/row_parts.h"

static const framemap_str unhandled = FM_STR_INIT("unhandled "), undefined = FM_STR_INIT("undefined instruction: pc="),
                          sending = FM_STR_INIT("sending SIG"), image_mark = FM_STR_INIT(" in ");

/* Whether the text after "unhandled " describes a fault: "level 1 translation fault (11) at …", "page fault (11) at
 * …", "signal 11 code 0x1 at …", "exception: DABT (lower EL), ESR …". */
static bool is_unhandled(framemap_str text)
{
    const size_t open = fm_str_find(text, FM_STR(" (")), at = fm_str_find(text, FM_STR(" at 0x"));
    if (fm_str_starts(text, FM_STR("signal "))) return fm_str_find(text, FM_STR(" code 0x")) != FM_NOT_FOUND;
    if (fm_str_starts(text, FM_STR("exception: "))) return true;
    return open != FM_NOT_FOUND && at != FM_NOT_FOUND && open < at && fm_is_digit(text.data[open + 2]);
}

size_t fm_user_fault_find(framemap_str text, size_t *after)
{
    size_t at = fm_str_find(text, unhandled);
    *after = 2;
    if (at != FM_NOT_FOUND && is_unhandled(fm_str_from(text, at + unhandled.size))) return at;
    at = fm_str_find(text, undefined);
    if (at != FM_NOT_FOUND) return at;
    at = fm_str_find(text, FM_STR("do_page_fault()"));
    if (at != FM_NOT_FOUND && fm_str_find(text, sending) != FM_NOT_FOUND) return at;
    return FM_NOT_FOUND;
}

/* Cuts " in libfoo.so[…]" off the end of the text, and returns "libfoo.so[…]". */
static framemap_str cut_image(framemap_str *text)
{
    const size_t at = fm_str_find_last(*text, image_mark);
    framemap_str image = {NULL, 0};
    if (at == FM_NOT_FOUND || fm_str_find_byte(fm_str_from(*text, at), '[') == FM_NOT_FOUND) return image;
    image = fm_str_from(*text, at);
    text->size = at;
    if (fm_str_ends(*text, FM_STR(","))) text->size--;
    return image;
}

/* Reads the address after `mark`, which is the address of the data that the process accessed. */
static void read_data_address(framemap_str text, framemap_str mark, struct fm_user_fault *fault)
{
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    (void)fm_scan_text(&s, FM_STR("0x"));
    fault->has_data_address = fm_row_hex(&s, &fault->data_address) == FM_DIGITS_FIT;
}

/* Parses a headline of MIPS: "do_page_fault(): sending SIGSEGV to app for invalid read access from 00000000". */
static bool read_mips(framemap_str text, struct fm_user_fault *fault)
{
    static const framemap_str to = FM_STR_INIT(" to "), reason = FM_STR_INIT(" for ");
    const size_t at = fm_str_find(text, sending), process = fm_str_find(text, to), end = fm_str_find_last(text, reason);
    if (at == FM_NOT_FOUND || process == FM_NOT_FOUND || end == FM_NOT_FOUND || process < at || end < process + to.size)
        return false;
    fault->exception = fm_str_from(text, at);
    fault->type = fm_str_slice(text, at + sending.size - 3, process);
    fault->comm = fm_str_trim(fm_str_slice(text, process + to.size, end));
    fault->signal = fm_str_equal(fault->type, FM_STR("SIGSEGV"))  ? 11
                    : fm_str_equal(fault->type, FM_STR("SIGBUS")) ? 7
                                                                  : 0;
    read_data_address(text, FM_STR(" access from "), fault);
    return true;
}

/* Parses the text after "unhandled exception: ": the class of the exception, and the error. */
static void read_exception(framemap_str text, struct fm_user_fault *fault)
{
    const size_t comma = fm_str_find_last(text, FM_STR(", "));
    fault->type = comma == FM_NOT_FOUND ? text : fm_str_from(text, comma + 2);
    if (fm_str_ends(fault->type, FM_STR("translation fault")) || fm_str_ends(fault->type, FM_STR("permission fault")))
        fault->signal = 11;
    else if (fm_str_ends(fault->type, FM_STR("alignment fault")))
        fault->signal = 7;
}

/* Reads the number of a signal at the start of the text. */
static uint8_t signal_at(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    return fm_scan_dec(&s, &number, NULL) && number < 65 ? (uint8_t)number : 0;
}

bool fm_user_fault_read(framemap_str text, struct fm_user_fault *fault)
{
    *fault = (struct fm_user_fault){.signal = 0};
    fault->image = cut_image(&text);
    fault->exception = text;
    if (fm_str_starts(text, FM_STR("do_page_fault()"))) return read_mips(text, fault);
    if (fm_str_starts(text, undefined)) {
        fault->type = fm_str(text.data, undefined.size - 5);
        fault->signal = 4;
        return true;
    }
    const framemap_str rest = fm_str_from(text, unhandled.size);
    const size_t open = fm_str_find(rest, FM_STR(" ("));
    if (fm_str_starts(rest, FM_STR("exception: "))) {
        read_exception(fm_str_from(rest, 11), fault);
        return true;
    }
    read_data_address(rest, FM_STR(" at 0x"), fault);
    if (fm_str_starts(rest, FM_STR("signal "))) {
        fault->type = fm_str_slice(rest, 0, fm_str_find(rest, FM_STR(" code ")));
        fault->signal = signal_at(fm_str_from(rest, 7));
        return true;
    }
    fault->type = fm_str_slice(rest, 0, open);
    fault->signal = signal_at(fm_str_from(rest, open + 2));
    return true;
}

/* Moves over the label of a program counter, such as "pc : ". */
static bool read_label(struct fm_scan *s)
{
    static const framemap_str labels[] = {FM_STR_INIT("pc : "), FM_STR_INIT("epc : "), FM_STR_INIT("epc: "),
                                          FM_STR_INIT("sepc: "), FM_STR_INIT("epc = ")};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (fm_scan_text(s, labels[i])) return true;
    return false;
}

bool fm_user_pc_read(framemap_str text, struct fm_user_pc *pc)
{
    static const framemap_str others[] = {FM_STR_INIT(" lr : "), FM_STR_INIT(" ra : "), FM_STR_INIT("    lr : ")};
    struct fm_scan s = fm_scan_of(text);
    *pc = (struct fm_user_pc){.address = 0};
    fm_scan_blanks(&s);
    if (!read_label(&s)) return false;
    const bool brackets = fm_scan_text(&s, FM_STR("[<"));
    const char *const digits = s.at;
    if (fm_row_hex(&s, &pc->address) != FM_DIGITS_FIT || s.at - digits < 8) return false;
    if (brackets && !fm_scan_text(&s, FM_STR(">]"))) return false;
    framemap_str rest = fm_scan_rest(&s);
    pc->head = pc->end = (size_t)(s.at - text.data);
    if (fm_str_starts(rest, image_mark)) {
        const size_t close = fm_str_find_byte(rest, ']');
        pc->image = fm_str_slice(rest, 0, close == FM_NOT_FOUND ? rest.size : close + 1);
        pc->head = pc->end += pc->image.size;
        rest = fm_str_from(rest, pc->image.size);
    }
    if (!fm_str_starts(rest, FM_STR(": "))) return rest.size == 0 || fm_is_blank(rest.data[0]);
    size_t size = rest.size;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const size_t at = fm_str_find(rest, others[i]);
        if (at < size) size = at;
    }
    pc->site = fm_str_slice(rest, 2, size);
    pc->end += size;
    return true;
}
