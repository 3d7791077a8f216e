/* Recognizes the form of a text and converts it to UTF-8 with LF and back. See text_form.h. */
#include "core/text/text_form.h"
#include "core/text/utf8.h"

/* --- recognizing the form of a text --- */

enum { LOOKED_AT = 256, LEAST = 8 }; /* bytes of the head that the test for UTF-16 reads at most and at least */

/* Recognizes UTF-16 without a byte order mark by its zero bytes: reports are mostly ASCII, so nearly every second byte
 * is zero. Hardly any of the other bytes is zero: only those of a few characters such as U+4E00. */
static enum fm_text_form unmarked(framemap_str head)
{
    const size_t pairs = (head.size < LOOKED_AT ? head.size : LOOKED_AT) / 2;
    size_t zeros[2] = {0, 0};
    for (size_t i = 0; i < 2 * pairs; i++) zeros[i % 2] += head.data[i] == '\0';
    if (pairs < LEAST / 2) return FM_FORM_PLAIN;
    if (zeros[0] * 16 <= pairs && zeros[1] * 4 >= pairs * 3) return FM_FORM_UTF16LE;
    return zeros[1] * 16 <= pairs && zeros[0] * 4 >= pairs * 3 ? FM_FORM_UTF16BE : FM_FORM_PLAIN;
}

/* Whether lines end in CR alone: no LF, and text follows a CR. */
static bool ends_in_cr(framemap_str head)
{
    const size_t cr = fm_str_find_byte(head, '\r');
    if (cr == FM_NOT_FOUND || fm_str_find_byte(head, '\n') != FM_NOT_FOUND) return false;
    for (size_t i = cr; i < head.size; i++)
        if (head.data[i] != '\r') return true;
    return false;
}

/* Whether the first line ends in LF and has text without NUL bytes, as in nearly all texts. */
static bool first_line_is_plain(framemap_str head)
{
    const size_t end = fm_str_find_byte(head, '\n');
    return end != FM_NOT_FOUND && end > 0 && fm_str_find_byte(fm_str_slice(head, 0, end), '\0') == FM_NOT_FOUND;
}

static bool is_marked(framemap_str head)
{
    return fm_str_starts(head, FM_STR("\xFF\xFE")) || fm_str_starts(head, FM_STR("\xFE\xFF"));
}

enum fm_text_form fm_text_form_of(framemap_str head)
{
    head = fm_str_slice(head, 0, FM_FORM_HEAD);
    if (head.size == 0 || fm_str_starts(head, FM_STR("\xFF\xFE\0\0")))
        return FM_FORM_PLAIN; /* these bytes are the byte order mark of UTF-32, which is not converted */
    if (is_marked(head)) return *head.data == '\xFF' ? FM_FORM_UTF16LE : FM_FORM_UTF16BE;
    if (first_line_is_plain(head)) return FM_FORM_PLAIN;
    const enum fm_text_form form = unmarked(head);
    return form == FM_FORM_PLAIN && ends_in_cr(head) ? FM_FORM_CR : form;
}

bool fm_text_form_is_certain(framemap_str head)
{
    if (head.size >= FM_FORM_HEAD) return true;
    if (head.size >= 1 && head.size < 4 && (*head.data == '\xFF' || *head.data == '\xFE')) return false;
    if (is_marked(head) || first_line_is_plain(head)) return true;
    return head.size >= LOOKED_AT && unmarked(head) != FM_FORM_PLAIN;
}

/* --- collecting small pieces of output --- */

enum { ROOM = 1024, LARGEST = 8 };

struct gather {
    struct fm_buf *out;
    size_t size;
    char bytes[ROOM];
};

static void flush(struct gather *g)
{
    if (g->size) fm_buf_add(g->out, g->bytes, g->size);
    g->size = 0;
}

static void make_room(struct gather *g)
{
    if (g->size > ROOM - LARGEST) flush(g);
}

static void put(struct gather *g, unsigned byte) { g->bytes[g->size++] = (char)(unsigned char)byte; }

/* Replaces each CR by LF, and each LF by CR. */
static void exchange(framemap_str piece, struct fm_buf *out)
{
    struct gather g = {.out = out};
    for (size_t i = 0; i < piece.size; i++) {
        const char c = piece.data[i];
        make_room(&g);
        put(&g, (unsigned char)(c == '\r' ? '\n' : c == '\n' ? '\r' : c));
    }
    flush(&g);
}

/* --- converting a text to UTF-8 with LF --- */

static void put_character(struct gather *g, uint32_t c)
{
    make_room(g);
    if (c < 0x80) {
        put(g, c);
    } else if (c < 0x800) {
        put(g, 0xC0 | c >> 6);
        put(g, 0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(g, 0xE0 | c >> 12);
        put(g, 0x80 | (c >> 6 & 0x3F));
        put(g, 0x80 | (c & 0x3F));
    } else {
        put(g, 0xF0 | c >> 18);
        put(g, 0x80 | (c >> 12 & 0x3F));
        put(g, 0x80 | (c >> 6 & 0x3F));
        put(g, 0x80 | (c & 0x3F));
    }
}

static bool is_high(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
static bool is_low(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

static void take_unit(struct fm_form_reader *reader, uint32_t unit, struct gather *g)
{
    const uint32_t high = reader->high;
    reader->high = 0;
    if (high && is_low(unit)) {
        put_character(g, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
        return;
    }
    if (high) put_character(g, high);
    if (is_high(unit))
        reader->high = (uint16_t)unit;
    else
        put_character(g, unit);
}

static uint32_t unit_of(const struct fm_form_reader *reader, unsigned char first, unsigned char second)
{
    return reader->form == FM_FORM_UTF16LE ? (uint32_t)(first | second << 8) : (uint32_t)(first << 8 | second);
}

void fm_form_read(struct fm_form_reader *reader, framemap_str piece, struct fm_buf *out)
{
    const unsigned char *p = (const unsigned char *)piece.data;
    struct gather g = {.out = out};
    size_t at = 0;
    if (reader->form == FM_FORM_PLAIN) {
        fm_buf_add(out, piece.data, piece.size);
        return;
    }
    if (reader->form == FM_FORM_CR) {
        exchange(piece, out);
        return;
    }
    if (reader->has_odd && piece.size) {
        take_unit(reader, unit_of(reader, reader->odd, p[at++]), &g);
        reader->has_odd = false;
    }
    for (; at + 2 <= piece.size; at += 2) take_unit(reader, unit_of(reader, p[at], p[at + 1]), &g);
    flush(&g);
    if (at == piece.size) return;
    reader->odd = p[at];
    reader->has_odd = true;
}

void fm_form_read_end(struct fm_form_reader *reader, struct fm_buf *out)
{
    struct gather g = {.out = out};
    if (reader->high) put_character(&g, reader->high);
    reader->high = 0;
    flush(&g);
}

/* --- converting a text back to its form --- */

static void put_unit(enum fm_text_form form, struct gather *g, uint32_t unit)
{
    const bool little = form == FM_FORM_UTF16LE;
    put(g, little ? unit & 0xFF : unit >> 8);
    put(g, little ? unit >> 8 : unit & 0xFF);
}

static void put_units(enum fm_text_form form, struct gather *g, uint32_t c)
{
    make_room(g);
    if (c >= 0x10000) {
        put_unit(form, g, 0xD800 + ((c - 0x10000) >> 10));
        c = 0xDC00 + ((c - 0x10000) & 0x3FF);
    }
    put_unit(form, g, c);
}

static size_t announced_size(unsigned char lead) { return lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

static bool is_surrogate(const unsigned char *p, size_t left)
{
    return left >= 3 && p[0] == 0xED && p[1] >= 0xA0 && p[1] < 0xC0 && p[2] >= 0x80 && p[2] < 0xC0;
}

/* Reads the character at p: also an unpaired surrogate; U+FFFD for malformed bytes. Returns its size in bytes. */
static size_t character_at(const unsigned char *p, size_t left, uint32_t *c)
{
    size_t size = is_surrogate(p, left) ? 3 : fm_character_size(p, left);
    switch (size) {
    case 0: *c = 0xFFFD; return fm_malformed_size(p, left);
    case 1: *c = p[0]; break;
    case 2: *c = (uint32_t)((p[0] & 0x1F) << 6 | (p[1] & 0x3F)); break;
    case 3: *c = (uint32_t)((p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F)); break;
    default: *c = (uint32_t)((p[0] & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6 | (p[3] & 0x3F)); break;
    }
    return size;
}

/* Completes a character that started in an earlier piece. Returns the number of bytes consumed from this piece. */
static size_t complete(struct fm_form_writer *writer, framemap_str piece, struct gather *g)
{
    const size_t want = announced_size(writer->begun[0]);
    size_t taken = 0;
    uint32_t c;
    while (writer->begun_size < want && taken < piece.size)
        writer->begun[writer->begun_size++] = (unsigned char)piece.data[taken++];
    if (writer->begun_size < want) return taken;
    const size_t size = character_at(writer->begun, writer->begun_size, &c), left = writer->begun_size - size;
    put_units(writer->form, g, c);
    if (left <= taken) {
        writer->begun_size = 0;
        return taken - left; /* bytes of the piece that are not part of the character count as unread */
    }
    writer->begun_size = (unsigned)(left - taken);
    memmove(writer->begun, writer->begun + size, left - taken);
    return 0;
}

void fm_form_write(struct fm_form_writer *writer, framemap_str piece, struct fm_buf *out)
{
    const unsigned char *p = (const unsigned char *)piece.data;
    struct gather g = {.out = out};
    size_t at = 0;
    uint32_t c;
    if (writer->form == FM_FORM_PLAIN) {
        fm_buf_add(out, piece.data, piece.size);
        return;
    }
    if (writer->form == FM_FORM_CR) {
        exchange(piece, out);
        return;
    }
    while (writer->begun_size && at < piece.size) at += complete(writer, fm_str_from(piece, at), &g);
    while (at < piece.size) {
        if (announced_size(p[at]) > piece.size - at) break;
        at += character_at(p + at, piece.size - at, &c);
        put_units(writer->form, &g, c);
    }
    flush(&g);
    while (at < piece.size) writer->begun[writer->begun_size++] = p[at++];
}

void fm_form_write_end(struct fm_form_writer *writer, const struct fm_form_reader *reader, struct fm_buf *out)
{
    struct gather g = {.out = out};
    uint32_t c;
    for (size_t at = 0; at < writer->begun_size; put_units(writer->form, &g, c))
        at += character_at(writer->begun + at, writer->begun_size - at, &c);
    writer->begun_size = 0;
    make_room(&g);
    if (reader->has_odd) put(&g, reader->odd);
    flush(&g);
}

/* Counts units of UTF-16: one for each byte that starts a character, and a second one if the character has four bytes.
 */
uint64_t fm_form_size(enum fm_text_form form, framemap_str text)
{
    uint64_t units = 0;
    if (form != FM_FORM_UTF16LE && form != FM_FORM_UTF16BE) return text.size;
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        units += (c & 0xC0) != 0x80;
        units += c >= 0xF0;
    }
    return units * 2;
}
