/* Implements instruments_row.h: recognizes the title of the table, and splits a row at its tabs into weight, second
 * number and name. The indentation of the name is the depth in the tree of calls. */
#include "formats/native/apple/instruments_row.h"

enum fm_instruments_table fm_instruments_title(framemap_str text)
{
    if (!fm_str_ends(text, FM_STR("\tSymbol Name")) && !fm_str_ends(text, FM_STR("\tSymbol Names")))
        return FM_INSTRUMENTS_NONE;
    if (fm_str_begins(text, FM_STR("Weight\t"))) return FM_INSTRUMENTS_WEIGHT;
    if (fm_str_begins(text, FM_STR("Running Time\t"))) return FM_INSTRUMENTS_MILLISECONDS;
    return fm_str_begins(text, FM_STR("Bytes Used\t")) ? FM_INSTRUMENTS_BYTES : FM_INSTRUMENTS_NONE;
}

/* Returns the size of the blank at the start of a text: one byte, or two for U+00A0 (a no-break space, which text
 * copied through a browser has); 0: there is no blank. */
static size_t blank_size(framemap_str text)
{
    if (text.size && text.data[0] == ' ') return 1;
    return fm_str_begins(text, FM_STR("\xC2\xA0")) ? 2 : 0;
}

static framemap_str skip_blanks(framemap_str text)
{
    for (size_t size; (size = blank_size(text)) > 0;) text = fm_str_from(text, size);
    return text;
}

/* Parses a weight: "46.92 Gc  48.8%", "4273.0ms   99.9%", "404.75 Mc", "12", "-". */
static struct fm_instruments_weight read_weight(framemap_str text)
{
    size_t digits = 0, size = 0;
    text = skip_blanks(text);
    while (digits < text.size && (fm_is_digit(text.data[digits]) || text.data[digits] == '.')) digits++;
    const framemap_str rest = skip_blanks(fm_str_from(text, digits));
    while (size < rest.size && blank_size(fm_str_from(rest, size)) == 0) size++;
    if (rest.size && fm_is_digit(rest.data[0])) size = 0; /* the next word is not a unit but a percentage */
    return (struct fm_instruments_weight){fm_str_slice(text, 0, digits), fm_str_slice(rest, 0, size)};
}

/* Parses "Shop (40414)". */
static bool instruments_read_process(struct fm_instruments_row *row)
{
    const size_t at = fm_str_find_last(row->name, FM_STR(" ("));
    struct fm_scan s = fm_scan_of(fm_str_from(row->name, at == FM_NOT_FOUND ? row->name.size : at + 2));
    if (!fm_scan_dec(&s, &row->pid, NULL) || !fm_scan_byte(&s, ')') || !fm_scan_done(&s)) return false;
    row->name = fm_str_slice(row->name, 0, at);
    return true;
}

/* Whether the text is the name of a thread, such as "Main Thread  0x12ab". */
static bool is_thread(framemap_str text)
{
    const size_t at = fm_str_find_last(text, FM_STR("  0x"));
    return at != FM_NOT_FOUND && fm_str_find_byte(fm_str_from(text, at + 2), ' ') == FM_NOT_FOUND;
}

bool fm_instruments_row(framemap_str line, struct fm_instruments_row *row)
{
    const size_t first = fm_str_find_byte(line, '\t'), last = fm_str_find_last_byte(line, '\t');
    if (first == FM_NOT_FOUND) return false;
    const framemap_str rest = fm_str_from(line, first + 1), name = fm_str_from(line, last + 1);
    const size_t second = fm_str_find_byte(rest, '\t');
    *row = (struct fm_instruments_row){.weight = read_weight(fm_str_slice(line, 0, first)),
                                       .second = read_weight(fm_str_slice(rest, 0, second)),
                                       .name = fm_str_trim(skip_blanks(name))};
    if (row->name.size == 0 || row->weight.number.size == 0) return false;
    row->column = (size_t)(row->name.data - name.data);
    if (instruments_read_process(row))
        row->node = FM_INSTRUMENTS_PROCESS;
    else if (is_thread(row->name))
        row->node = FM_INSTRUMENTS_THREAD;
    return true;
}
