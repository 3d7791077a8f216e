/* Implements row_parts.h: parses hexadecimal numbers with overflow, groups in balanced parentheses (found eight or more
 * bytes at a time), positions cut off the end of a text, and ids; and sets the fields of a frame from these. */
#include "formats/row_parts.h"
#include "core/text/bits64.h"
#include "core/text/trailing_number.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum fm_digits fm_row_hex(struct fm_scan *s, uint64_t *out)
{
    uint64_t value;
    const unsigned digits = fm_hex_run(s->at, s->end, &value);
    if (digits == 0) return FM_DIGITS_NONE; /* a text without digits may be a row without an address */
    const char *after = s->at += digits;
    while (s->at != s->end && fm_is_hex(*s->at)) s->at++;
    if (s->at != after) return FM_DIGITS_LONG;
    *out = value;
    return FM_DIGITS_FIT;
}

enum fm_digits fm_row_0xhex(struct fm_scan *s, uint64_t *out)
{
    if (s->end - s->at < 3 || s->at[0] != '0' || (s->at[1] | 0x20) != 'x') return FM_DIGITS_NONE;
    struct fm_scan t = {s->at + 2, s->end};
    enum fm_digits digits = fm_row_hex(&t, out);
    if (digits != FM_DIGITS_NONE) *s = t;
    return digits;
}

bool fm_row_index(struct fm_scan *s, int64_t *out)
{
    const char *p = s->at;
    int64_t value = 0;
    while (p != s->end && fm_is_digit(*p) && p - s->at < 10) value = value * 10 + (*p++ - '0');
    if (p == s->at || p - s->at > 9) return false;
    *out = value;
    s->at = p;
    return true;
}

void fm_row_malformed(framemap_frame *frame, const char *reason)
{
    frame->status = FRAMEMAP_FRAME_MALFORMED;
    frame->reason = reason;
    frame->has_address = false;
    frame->address_kind = FRAMEMAP_ADDRESS_NONE;
}

/* Returns a bit mask of the parentheses among eight bytes: '(' and ')' differ in the lowest bit. */
static uint64_t parentheses(const char *eight)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    return fm_zero_bytes((fm_load64((const unsigned char *)eight) | ones) ^ ones * ')');
}

/* Returns a bit mask of the parentheses in a block of BLOCK bytes; each byte of the block has BITS bits of the mask. */
#if defined(__SSE2__)
enum { BLOCK = 16, BITS = 1 };
static uint64_t parentheses_of_block(const char *at)
{
    const __m128i bytes = _mm_or_si128(_mm_loadu_si128((const __m128i *)(const void *)at), _mm_set1_epi8(1));
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(')')));
}
#else
enum { BLOCK = 8, BITS = 8 };
static uint64_t parentheses_of_block(const char *at) { return parentheses(at); }
#endif

bool fm_row_open(framemap_str text, size_t *open)
{
    if (text.size == 0 || text.data[text.size - 1] != ')') return false;
    size_t depth = 1, at = text.size - 1;
    for (; at >= BLOCK; at -= BLOCK) {
        for (uint64_t left = parentheses_of_block(text.data + at - BLOCK); left;) {
            const unsigned bit = fm_highest_bit(left);
            const size_t place = at - BLOCK + bit / BITS;
            left ^= UINT64_C(1) << bit;
            depth += text.data[place] == ')' ? 1 : SIZE_MAX;
            *open = place;
            if (depth == 0) return true;
        }
    }
    while (at && depth) {
        at--;
        depth += text.data[at] == ')' ? 1 : text.data[at] == '(' ? SIZE_MAX : 0;
    }
    *open = at;
    return depth == 0;
}

long fm_row_depth(framemap_str text)
{
    long depth = 0;
    size_t at = 0;
    for (; text.size - at >= 8; at += 8) {
        const uint64_t all = parentheses(text.data + at) >> 7;
        if (all)
            depth += (long)fm_count_bits(all) -
                     2 * (long)fm_count_bits(all & fm_load64((const unsigned char *)text.data + at));
    }
    for (; at < text.size; at++) depth += text.data[at] == '(' ? 1 : text.data[at] == ')' ? -1 : 0;
    return depth;
}

bool fm_row_group(framemap_str *text, framemap_str *group)
{
    size_t at = 0;
    if (text->size < 3 || !fm_row_open(*text, &at) || at == 0 || !fm_is_blank(text->data[at - 1])) return false;
    *group = fm_str(text->data + at + 1, text->size - at - 2);
    *text = fm_str_trim(fm_str(text->data, at));
    return true;
}

bool fm_row_name_number(framemap_str *text, framemap_str *number)
{
    const size_t open = fm_str_find_last_byte(*text, '(');
    uint64_t value;
    if (open == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, open + 1));
    if (!fm_scan_dec(&s, &value, NULL) || !fm_scan_byte(&s, ')') || !fm_scan_done(&s)) return false;
    *number = fm_str_slice(*text, open + 1, text->size - 1);
    text->size = open;
    return true;
}

/* Finds the digits at the end of text; *start is where they begin. */
static bool tail_digits(framemap_str text, bool hex, size_t *start)
{
    size_t at = text.size;
    while (at && (hex ? fm_is_hex(text.data[at - 1]) : fm_is_digit(text.data[at - 1]))) at--;
    *start = at;
    return at < text.size;
}

static bool tail_number(framemap_str text, bool hex, size_t *start, uint64_t *value)
{
    size_t at = 0;
    if (hex && tail_digits(text, true, &at) && at >= 2 && text.data[at - 1] == 'x' && text.data[at - 2] == '0') {
        struct fm_scan s = fm_scan_of(fm_str_from(text, at - 2));
        *start = at - 2;
        return fm_row_0xhex(&s, value) == FM_DIGITS_FIT;
    }
    if (!tail_digits(text, false, start)) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, *start));
    return fm_scan_dec(&s, value, NULL);
}

bool fm_row_place_in_file(framemap_str symbol, framemap_str *file, uint64_t *address)
{
    if (symbol.size == 0 || symbol.data[symbol.size - 1] != ']') return false;
    const size_t open = fm_str_find_last(symbol, FM_STR("[+"));
    if (open == FM_NOT_FOUND || open == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_slice(symbol, open + 2, symbol.size - 1));
    /* a star before the name shows that simpleperf invented the symbol */
    *file = fm_str_slice(symbol, symbol.data[0] == '*', open);
    return fm_row_hex(&s, address) == FM_DIGITS_FIT && fm_scan_done(&s);
}

bool fm_row_distance(framemap_str text, bool hex, framemap_str *name, uint64_t *distance)
{
    size_t start = 0;
    uint64_t value = 0;
    if (!tail_number(text, hex, &start, &value)) return false;
    framemap_str head = fm_str_trim(fm_str(text.data, start));
    if (head.size == 0 || head.data[head.size - 1] != '+') return false;
    *name = fm_str_trim(fm_str(head.data, head.size - 1));
    *distance = value;
    return true;
}

/* Cuts ":DIGITS" off the end of the text. */
static bool cut_number(framemap_str *text, uint32_t *number)
{
    uint64_t value;
    const size_t digits = fm_trailing_number(*text, &value), start = text->size - digits;
    if (digits == 0 || start < 2 || text->data[start - 1] != ':' || value > UINT32_MAX) return false;
    *number = (uint32_t)value;
    text->size = start - 1;
    return true;
}

bool fm_row_location(framemap_str text, framemap_str *file, uint32_t *line, uint32_t *column)
{
    uint32_t last = 0, before = 0;
    if (!cut_number(&text, &last)) return false;
    bool two = cut_number(&text, &before);
    if (text.size == 0 || fm_str_equal(text, FM_STR("??"))) return false;
    *file = text;
    *line = two ? before : last;
    *column = two ? last : 0;
    return true;
}

bool fm_row_is_name(framemap_str text, const char *more)
{
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        const bool letter = ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || (c && strchr(more, c));
        if (!letter && (i == 0 || !fm_is_digit(c))) return false;
    }
    return text.size != 0;
}

bool fm_row_hermes_name(framemap_str name, framemap_str *function, framemap_str *file, uint32_t *line, uint32_t *column)
{
    const size_t open = fm_str_find_byte(name, '(');
    if (open == FM_NOT_FOUND || name.data[name.size - 1] != ')') return false;
    if (!fm_row_location(fm_str_slice(name, open + 1, name.size - 1), file, line, column)) return false;
    *function = fm_str(name.data, open);
    return true;
}

framemap_str fm_row_join(struct fm_document *doc, const framemap_str *lines, size_t count)
{
    size_t size = 0;
    if (count == 0) return (framemap_str){NULL, 0};
    if (count == 1) return lines[0];
    for (size_t i = 0; i < count; i++) size += lines[i].size + 1;
    char *copy = fm_document_alloc(doc, size), *at = copy;
    for (size_t i = 0; copy && i < count; i++) {
        if (i) *at++ = '\n';
        if (lines[i].size) memcpy(at, lines[i].data, lines[i].size);
        at += lines[i].size;
    }
    return copy ? fm_str(copy, (size_t)(at - copy)) : (framemap_str){NULL, 0};
}

framemap_str fm_row_decoded(struct fm_document *doc, framemap_str text)
{
    char letter = 0;
    size_t at = fm_str_find_byte(text, '&'), size = 0;
    while (at < text.size && fm_row_entity(text, at, &letter) == 0) at++;
    if (at >= text.size) return text;
    char *copy = fm_document_alloc(doc, text.size);
    for (at = 0; copy && at < text.size;) {
        const size_t entity = fm_row_entity(text, at, &letter);
        copy[size++] = entity ? letter : text.data[at];
        at += entity ? entity : 1;
    }
    return copy ? fm_str(copy, size) : text;
}

void fm_row_mark_complete(framemap_frame *frame)
{
    if (frame->status == FRAMEMAP_FRAME_RAW && frame->function.size && frame->file.size && frame->line)
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}

void fm_row_function_at(framemap_str text, framemap_frame *frame)
{
    text = fm_str_trim(text);
    size_t at = fm_str_find_last(text, FM_STR(" at "));
    if (at != FM_NOT_FOUND && fm_row_location(fm_str_from(text, at + 4), &frame->file, &frame->line, &frame->column))
        text.size = at;
    if (text.size == 0) return;
    if (fm_row_distance(text, true, &frame->function, &frame->function_offset))
        frame->has_function_offset = true;
    else
        frame->function = text;
    fm_row_mark_complete(frame);
}

/* Returns the number of digits of an id; 0 if the text is not an id. *plain: the id is in lower case without dashes. */
static size_t id_digits(framemap_str text, bool *plain)
{
    size_t count = 0;
    *plain = true;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '-') {
            *plain = false;
            continue;
        }
        if (!fm_is_hex(c)) return 0;
        if (c >= 'A' && c <= 'F') *plain = false;
        count++;
    }
    return count;
}

bool fm_row_id(framemap_str text, struct fm_document *doc, framemap_str *out)
{
    bool plain = false;
    size_t count = text.size <= 80 ? id_digits(text, &plain) : 0;
    if (count < 8 || count > 64) return false;
    if (plain) {
        *out = text;
        return true;
    }
    char *copy = fm_document_alloc(doc, count);
    if (!copy) return false;
    size_t used = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c != '-') copy[used++] = c >= 'A' && c <= 'F' ? (char)(c | 0x20) : c;
    }
    *out = fm_str(copy, count);
    return true;
}

framemap_str fm_row_name(const framemap_frame *frame)
{
    if (frame->function.size) return frame->function;
    return frame->symbol.size ? frame->symbol : FM_STR("??");
}

void fm_row_put_location(struct fm_buf *out, const framemap_frame *frame)
{
    fm_buf_str(out, frame->file);
    if (!frame->line) return;
    fm_buf_byte(out, ':');
    fm_buf_dec(out, frame->line);
    if (!frame->column) return;
    fm_buf_byte(out, ':');
    fm_buf_dec(out, frame->column);
}

void fm_row_begin_line(struct fm_buf *out, framemap_str prefix, framemap_str eol)
{
    fm_buf_str(out, eol);
    fm_buf_str(out, prefix);
}

void fm_row_put_at(struct fm_buf *out, const framemap_frame *frame)
{
    fm_buf_str(out, fm_row_name(frame));
    if (frame->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, frame);
    } else if (frame->has_function_offset) {
        fm_buf_str(out, FM_STR("+0x"));
        fm_buf_hex(out, frame->function_offset, 1);
    }
}
