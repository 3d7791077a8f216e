/* Implements kernel_row.h: cuts off the marks, brackets and numbers that each CPU architecture prints before the
 * function, then parses "f+0x10/0x12" and the module, source position or caller after it. */
#include "formats/native/linux/kernel_row.h"
#include "formats/row_parts.h"

/* Cuts off the time "[  420.408595]" that Linux before 4.10 printed again after a mark: "<IRQ> [  420.4]  [<ff…>]
 * f+0x1/0x2". */
static void cut_time(framemap_str *text)
{
    struct fm_scan s = fm_scan_of(*text);
    uint64_t number;
    if (!fm_scan_byte(&s, '[')) return;
    fm_scan_blanks(&s);
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_byte(&s, '.') || !fm_scan_dec(&s, &number, NULL)) return;
    if (fm_scan_byte(&s, ']')) *text = fm_str_trim(fm_scan_rest(&s));
}

void fm_kernel_cut_marks(framemap_str *text)
{
    while (text->size > 2 && text->data[0] == '<') {
        const size_t end = fm_str_find_byte(*text, '>');
        size_t after = end + 1;
        if (end == FM_NOT_FOUND || end > 12 || fm_str_find_byte(fm_str(text->data, end), ' ') != FM_NOT_FOUND) return;
        while (after < text->size && text->data[after] == '>') after++;
        *text = fm_str_trim(fm_str_from(*text, after));
        cut_time(text);
    }
}

/* Parses the address in brackets, "[<ffffffff816f030c>]", or a word in brackets that marks an inlined function. */
static bool read_bracket(struct fm_scan *s, struct fm_kernel_row *row)
{
    struct fm_scan t = *s;
    framemap_str inside;
    if (!fm_scan_text(&t, FM_STR("[<")) || !fm_scan_until(&t, '>', &inside) || !fm_scan_text(&t, FM_STR(">]")))
        return false;
    inside = fm_str_trim(inside);
    struct fm_scan digits = fm_scan_of(inside);
    uint64_t address;
    fm_scan_text(&digits, FM_STR("0x"));
    if (fm_row_hex(&digits, &address) == FM_DIGITS_FIT && fm_scan_done(&digits)) {
        row->has_address = true;
        row->address = address;
    } else if (fm_str_starts(inside, FM_STR("inline"))) {
        row->inlined = true;
    } else if (!fm_str_equal(inside, FM_STR("none"))) {
        return false;
    }
    fm_scan_blanks(&t);
    *s = t;
    return true;
}

/* Parses the stack pointer and the address that PowerPC prints, "[c0000000fe3c7a80] [c000000000a5f2e4] "; sparc prints
 * only the address. */
static bool read_plain_bracket(struct fm_scan *s, struct fm_kernel_row *row)
{
    struct fm_scan t = *s;
    const char *digits = t.at + 1;
    uint64_t address;
    if (!fm_scan_byte(&t, '[') || fm_row_hex(&t, &address) != FM_DIGITS_FIT || t.at - digits < 8 ||
        !fm_scan_byte(&t, ']') || !fm_scan_blanks1(&t))
        return false;
    row->has_address = true;
    row->address = address;
    *s = t;
    return true;
}

/* Parses "f+0x10/0x12" or "f+0x10". A word of another form is a name as a whole. */
static void read_function(framemap_str word, struct fm_kernel_row *row)
{
    const size_t plus = fm_str_find_last(word, FM_STR("+0x"));
    row->function = word;
    if (plus == FM_NOT_FOUND || plus == 0) return;
    struct fm_scan s = fm_scan_of(fm_str_from(word, plus + 1));
    uint64_t offset, size = 0;
    if (fm_row_0xhex(&s, &offset) != FM_DIGITS_FIT) return;
    if (fm_scan_byte(&s, '/') && fm_row_0xhex(&s, &size) != FM_DIGITS_FIT) return;
    if (!fm_scan_done(&s)) return;
    row->function = fm_str(word.data, plus);
    row->has_offset = true;
    row->offset = offset;
    row->size = size;
    row->sure = size != 0 || word.data[word.size - 1] == '0';
    if (fm_str_find_byte(fm_str_from(word, plus), '/') == FM_NOT_FOUND) row->sure = false;
}

static bool is_path_line(framemap_str word, struct fm_kernel_row *row)
{
    uint32_t line = 0, column = 0;
    framemap_str file;
    if (!fm_row_location(word, &file, &line, &column)) return false;
    row->file = file;
    row->line = line;
    row->column = column;
    return true;
}

/* Parses the text in square brackets after a function: "[mod]", "[mod e5f7…]" with the build id of the module, or
 * "[inline]". */
static bool read_module(framemap_str inside, struct fm_kernel_row *row)
{
    const size_t blank = fm_str_find_byte(inside, ' ');
    if (fm_str_equal(inside, FM_STR("inline"))) {
        row->inlined = true;
        row->sure = row->line != 0;
        return row->line != 0;
    }
    row->module = fm_str_slice(inside, 0, blank);
    if (blank != FM_NOT_FOUND) row->id = fm_str_trim(fm_str_from(inside, blank));
    return row->module.size != 0;
}

/* Parses a group in parentheses: "(T)", "(unreliable)", "(discriminator 3)", or "(fs/a.c:7 fs/b.h:3)" of
 * scripts/decode_stacktrace.sh. The last position in the group is that of the function. */
static void read_group(framemap_str inside, struct fm_kernel_row *row)
{
    if (fm_str_equal(inside, FM_STR("unreliable"))) row->unreliable = true;
    if (fm_str_starts(inside, FM_STR("discriminator "))) return;
    const size_t open = fm_str_find(inside, FM_STR(" (discriminator"));
    inside = fm_str_slice(inside, 0, open);
    const size_t blank = fm_str_find_last_byte(inside, ' ');
    if (is_path_line(blank == FM_NOT_FOUND ? inside : fm_str_from(inside, blank + 1), row)) row->grouped = true;
}

/* Reads the text after the function in a row. Returns false if no row has such an end. */
static bool read_tail(struct fm_scan *s, struct fm_kernel_row *row)
{
    framemap_str word;
    for (fm_scan_blanks(s); !fm_scan_done(s); fm_scan_blanks(s)) {
        if (fm_scan_byte(s, '[')) {
            if (!fm_scan_until(s, ']', &word) || !read_module(word, row)) return false;
            s->at++;
        } else if (*s->at == '(') {
            struct fm_scan t = *s;
            size_t depth = 0;
            do {
                depth += *t.at == '(' ? 1 : *t.at == ')' ? SIZE_MAX : 0;
                t.at++;
            } while (depth && !fm_scan_done(&t));
            if (depth) return false;
            read_group(fm_str(s->at + 1, (size_t)(t.at - s->at) - 2), row);
            *s = t;
        } else if (!fm_scan_word(s, &word)) {
            return false;
        } else if (is_path_line(word, row)) {
            continue;
        } else if (row->inlined && row->has_offset) {
            /* in "[<inlined>] outer+0x1/0x2 inner fs/a.c:7", the frame is `inner` */
            row->function = word;
            row->has_offset = false;
            row->size = row->offset = 0;
        } else if (row->line == 0 || !fm_scan_done(s)) {
            return false;
        } else {
            row->module = word; /* decode_stacktrace.sh prints the module after the position */
        }
    }
    return true;
}

/* Parses a row of 32-bit ARM: "(f+0x1/0x2) from [<c010>] (g+0x3/0x4)" or "f from g+0x3/0x4". The frame is f; g is its
 * caller. */
static bool read_arm(struct fm_scan *s, struct fm_kernel_row *row)
{
    framemap_str word;
    struct fm_scan t = *s;
    const bool grouped = fm_scan_byte(&t, '(');
    if (grouped ? !fm_scan_until(&t, ')', &word) : !fm_scan_word(&t, &word)) return false;
    if (grouped) t.at++;
    if (!fm_scan_text(&t, FM_STR(" from "))) return false;
    const framemap_str caller = fm_scan_rest(&t);
    /* In the form with brackets, the name of the caller may have no distance. */
    const bool bracketed = grouped && row->has_address && fm_str_starts(caller, FM_STR("[<"));
    if (!bracketed && fm_str_find(caller, FM_STR("+0x")) == FM_NOT_FOUND) return false;
    read_function(word, row);
    row->sure = grouped && row->has_address;
    s->at = s->end;
    return row->function.size != 0;
}

static bool is_name(framemap_str name)
{
    if (name.size == 0 || name.size > 512) return false;
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i], lower = (char)(c | 0x20);
        if (!(lower >= 'a' && lower <= 'z') && !fm_is_digit(c) && !strchr("_.$<>", c) && c != ':') return false;
    }
    return !fm_is_digit(name.data[0]) && name.data[name.size - 1] != ':';
}

/* Cuts off the "#1 " before the bracket of a row of the Linux Kernel Library. */
static void cut_number(framemap_str *text)
{
    struct fm_scan s = fm_scan_of(*text);
    int64_t number;
    if (fm_scan_byte(&s, '#') && fm_row_index(&s, &number) && fm_scan_text(&s, FM_STR(" [<")))
        *text = fm_str(s.at - 2, (size_t)(s.end - s.at) + 2);
}

/* Cuts off the text "--- interrupt: 700 at " of PowerPC; the interrupted function follows it. */
static void cut_interrupt(framemap_str *text)
{
    const size_t at = fm_str_starts(*text, FM_STR("--- ")) ? fm_str_find(*text, FM_STR(" at ")) : FM_NOT_FOUND;
    if (at != FM_NOT_FOUND) *text = fm_str_from(*text, at + 4);
}

bool fm_kernel_row(framemap_str text, struct fm_kernel_row *row)
{
    *row = (struct fm_kernel_row){.address = 0};
    text = fm_str_trim(text);
    fm_kernel_cut_marks(&text);
    cut_number(&text);
    cut_interrupt(&text);
    if (text.size > 3 && text.data[0] == '(' && text.data[1] == '[' && text.data[text.size - 1] == ')')
        text = fm_str_slice(text, 1, text.size - 1); /* s390 encloses the row in parentheses: "([<…>] f+0x1/0x2)" */
    struct fm_scan s = fm_scan_of(text);
    framemap_str word;
    bool bracket = false;
    while (read_bracket(&s, row)) bracket = true;
    if (!bracket && read_plain_bracket(&s, row)) read_plain_bracket(&s, row);
    if (fm_scan_text(&s, FM_STR("? "))) row->unreliable = true;
    fm_scan_blanks(&s);
    if (read_arm(&s, row)) return true;
    if (!fm_scan_word(&s, &word)) return false;
    struct fm_scan digits = fm_scan_of(word);
    if (fm_row_0xhex(&digits, &row->address) == FM_DIGITS_FIT && fm_scan_done(&digits)) return row->has_address = true;
    read_function(word, row);
    if (!is_name(row->function) || !read_tail(&s, row)) return false;
    if (bracket && row->inlined && row->line) row->sure = true;
    return row->has_offset || (row->line && (bracket || row->inlined || row->grouped));
}
