/* A growing byte buffer, JSON strings, and escapes in buffers. See buffer.h. */
#include "core/text/buffer.h"
#include "core/limits.h"
#include "core/text/escape.h"
#include "core/text/utf8.h"
#include <stdarg.h>
#include <stdio.h>

void fm_buf_init(struct fm_buf *buf, struct fm_heap *heap) { *buf = (struct fm_buf){.heap = heap}; }

void fm_buf_free(struct fm_buf *buf)
{
    if (buf->data) fm_heap_free(buf->heap, buf->data, buf->capacity);
    fm_buf_init(buf, buf->heap);
}

/* Reserves `more` bytes, which count against the limit, and `spare` bytes after them, which do not. */
static bool buf_room(struct fm_buf *buf, size_t more, size_t spare)
{
    const size_t limit = buf->limit ? buf->limit : FM_LIMIT_BUFFER;
    buf->failed = buf->failed || more > limit || buf->size > limit - more;
    if (buf->failed) return false;
    if (more + spare <= buf->capacity - buf->size) return true;
    buf->failed = !FM_GROW(buf->heap, buf->data, buf->capacity, buf->size + more + spare);
    return !buf->failed;
}

/* Copies a string; the caller has reserved room. Returns the position after it. */
static inline char *put(char *to, framemap_str text)
{
    /* strings of up to this size are copied without a call, since most appended strings are short: names, numbers,
     * punctuation */
    enum { SHORT = 64 };
    if (text.size <= SHORT)
        fm_str_copy(to, text);
    else
        memcpy(to, text.data, text.size);
    return to + text.size;
}

bool fm_buf_add(struct fm_buf *buf, const void *data, size_t size)
{
    if (!buf_room(buf, size, 0)) return false;
    if (size == 0) return true; /* the buffer's memory may still be NULL, with which memcpy must not be called */
    put(buf->data + buf->size, fm_str(data, size));
    buf->size += size;
    return true;
}

bool fm_buf_str(struct fm_buf *buf, framemap_str text)
{
    return buf->shows ? fm_buf_escaped(buf, text) : fm_buf_add(buf, text.data, text.size);
}

/* Returns how many bytes can be appended to the allocated memory. */
static size_t spare_room(const struct fm_buf *buf)
{
    const size_t most = buf->limit && buf->limit < buf->capacity ? buf->limit : buf->capacity;
    return buf->size < most ? most - buf->size : 0;
}

/* Appends strings if all of them fit into the allocated memory; otherwise appends nothing. */
static bool put_all(struct fm_buf *buf, const framemap_str *texts, size_t count)
{
    const size_t room = spare_room(buf);
    if (room == 0) return false;
    char *at = buf->data + buf->size;
    const char *const end = at + room;
    for (size_t i = 0; i < count; i++) {
        if (texts[i].size > (size_t)(end - at)) return false;
        at = put(at, texts[i]);
    }
    buf->size = (size_t)(at - buf->data);
    return true;
}

bool fm_buf_strs(struct fm_buf *buf, const framemap_str *texts, size_t count)
{
    const size_t before = buf->size;
    if (buf->failed) return false;
    if (!buf->shows && put_all(buf, texts, count)) return true;
    for (size_t i = 0; i < count; i++) fm_buf_str(buf, texts[i]);
    if (buf->failed) buf->size = before;
    return !buf->failed;
}

bool fm_buf_byte(struct fm_buf *buf, char byte)
{
    if (!buf_room(buf, 1, 0)) return false;
    buf->data[buf->size++] = byte;
    return true;
}

bool fm_buf_dec(struct fm_buf *buf, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return fm_buf_add(buf, digits + at, sizeof digits - at);
}

bool fm_buf_hex(struct fm_buf *buf, uint64_t value, unsigned min_digits)
{
    char digits[64];
    size_t at = sizeof digits;
    if (min_digits > sizeof digits) min_digits = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value);
    while (sizeof digits - at < min_digits) digits[--at] = '0';
    return fm_buf_add(buf, digits + at, sizeof digits - at);
}

bool fm_buf_printf(struct fm_buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int wanted = vsnprintf(NULL, 0, format, args);
    va_end(args);
    /* one byte more is reserved, for the NUL that vsnprintf writes at the end */
    bool ok = wanted >= 0 && buf_room(buf, (size_t)wanted, 1);
    if (ok) {
        vsnprintf(buf->data + buf->size, (size_t)wanted + 1, format, again);
        buf->size += (size_t)wanted;
    }
    va_end(again);
    if (!ok) buf->failed = true;
    return ok;
}

static bool json_escape(struct fm_buf *buf, unsigned char c)
{
    static const char names[][2] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                    {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((unsigned char)names[i][0] == c) return fm_buf_byte(buf, '\\') && fm_buf_byte(buf, names[i][1]);
    return fm_buf_add(buf, "\\u", 2) && fm_buf_hex(buf, c, 4);
}

/* Escapes a non-ASCII character that core/text/escape.h lists, or replaces a malformed byte. Returns how many bytes
 * were consumed. */
static size_t json_escape_wide(struct fm_buf *buf, const unsigned char *p, size_t left)
{
    const size_t size = fm_character_size(p, left);
    if (size == 0) {
        fm_buf_add(buf, "\xEF\xBF\xBD", 3);
        return 1;
    }
    fm_buf_add(buf, "\\u", 2);
    fm_buf_hex(buf, fm_control_point(p, size), 4);
    return size;
}

/* Returns 0 if all eight bytes are ASCII and need no escape in JSON. Otherwise the lowest set bit is the highest bit
 * of the first byte that needs an escape or is not ASCII; higher bits mean nothing, since a carry may have reached
 * them. */
static uint64_t json_special(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    const uint64_t control = (word - ones * 0x20) | (word + ones); /* marks bytes below 0x20, and 0x7F */
    return (control | ((word ^ ones * '"') - ones) | ((word ^ ones * '\\') - ones) | word) & high;
}

/* Returns the length of the prefix of ASCII bytes that need no escape. */
static size_t json_ascii(const unsigned char *p, size_t size)
{
    enum { WORD = 8 };
    unsigned char few[WORD + 1] = "        ";
    size_t at = 0;
    uint64_t special;
    for (; size - at >= WORD; at += WORD) {
        special = json_special(fm_load64(p + at));
        if (special) return at + fm_lowest_bit(special) / 8;
    }
    if (at == size) return size;
    if (at) { /* the last word overlaps the word before it, which was checked already */
        at = size - WORD;
        special = json_special(fm_load64(p + at));
    } else {
        for (size_t i = 0; i < size; i++) few[i] = p[i];
        special = json_special(fm_load64(few));
    }
    return special ? at + fm_lowest_bit(special) / 8 : size;
}

/* Returns the length of the prefix that needs no escape; it may have characters that are not ASCII. */
static size_t json_plain(const unsigned char *p, size_t size)
{
    size_t at = json_ascii(p, size);
    while (at < size && p[at] >= 0x80) {
        const size_t character = fm_character_size(p + at, size - at);
        if (character == 0 || fm_control_point(p + at, character)) break;
        at += character;
        at += json_ascii(p + at, size - at);
    }
    return at;
}

/* Copies a string, and returns whether it is all ASCII that needs no escape. If not, the caller must discard the
 * copy. */
static bool copy_ascii(char *to, framemap_str text)
{
    enum { WORD = 8 };
    const char *from = text.data;
    if (text.size < WORD) {
        unsigned char few[WORD + 1] = "        ";
        for (size_t i = 0; i < text.size; i++) few[i] = (unsigned char)(to[i] = from[i]);
        return json_special(fm_load64(few)) == 0;
    }
    uint64_t special = 0;
    for (size_t at = 0;; at = text.size - at > 2 * WORD ? at + WORD : text.size - WORD) {
        special |= json_special(fm_load64((const unsigned char *)from + at));
        memcpy(to + at, from + at, WORD);
        if (at + WORD == text.size) return special == 0;
    }
}

/* Appends `before` and the JSON string of `text`, if both fit into the allocated memory. false: they do not fit, or
 * `text` needs an escape or has characters that are not ASCII. */
static bool put_json(struct fm_buf *buf, framemap_str before, framemap_str text)
{
    const size_t room = spare_room(buf);
    if (room < 2 || room - 2 < before.size || room - 2 - before.size < text.size) return false;
    char *at = put(buf->data + buf->size, before);
    *at++ = '"';
    if (!copy_ascii(at, text)) return false;
    at[text.size] = '"';
    buf->size += before.size + text.size + 2;
    return true;
}

bool fm_buf_json_after(struct fm_buf *buf, framemap_str before, framemap_str text)
{
    const unsigned char *p = (const unsigned char *)text.data;
    if (!buf->failed && !buf->shows && put_json(buf, before, text)) return true;
    fm_buf_str(buf, before);
    fm_buf_byte(buf, '"');
    for (size_t at = 0; at < text.size;) {
        const size_t plain = json_plain(p + at, text.size - at);
        fm_buf_add(buf, text.data + at, plain);
        at += plain;
        if (at == text.size) break;
        if (p[at] >= 0x80)
            at += json_escape_wide(buf, p + at, text.size - at);
        else
            json_escape(buf, p[at++]);
    }
    fm_buf_byte(buf, '"');
    return !buf->failed;
}

bool fm_buf_json(struct fm_buf *buf, framemap_str text)
{
    return fm_buf_json_after(buf, (framemap_str){NULL, 0}, text);
}

bool fm_buf_escaped(struct fm_buf *buf, framemap_str text)
{
    char escape[FM_ESCAPE_ROOM];
    framemap_str piece;
    while (fm_escape_next(&text, escape, &piece)) fm_buf_add(buf, piece.data, piece.size);
    return !buf->failed;
}

bool fm_buf_escape_from(struct fm_buf *buf, size_t at)
{
    if (buf->failed) return false;
    const framemap_str text = fm_str_from(fm_buf_view(buf), at);
    const size_t plain = fm_plain_size(text);
    if (plain == text.size) return true;
    struct fm_buf shown = {.heap = buf->heap, .limit = buf->limit};
    fm_buf_escaped(&shown, fm_str_from(text, plain));
    buf->size = at + plain;
    if (shown.failed) buf->failed = true;
    fm_buf_str(buf, fm_buf_view(&shown));
    fm_buf_free(&shown);
    return !buf->failed;
}
