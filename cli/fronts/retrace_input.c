/* Implements retrace_input.h: finds malformed UTF-8, and replaces it by U+FFFD as Java's decoder does. Determines where
 * the last line that is not blank ends, by Java's rules for white space. */
#include "cli/fronts/retrace_input.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static size_t skip_ascii(framemap_str text, size_t at)
{
    uint64_t word;
    for (; text.size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text.data + at, sizeof word);
        if (word & 0x8080808080808080u) break;
    }
    while (at < text.size && (unsigned char)text.data[at] < 0x80) at++;
    return at;
}

size_t fm_find_malformed(framemap_str text)
{
    for (size_t at = skip_ascii(text, 0); at < text.size; at = skip_ascii(text, at)) {
        size_t size = fm_utf8_size((const unsigned char *)text.data + at, text.size - at);
        if (size == 0) return at;
        at += size;
    }
    return SIZE_MAX;
}

static bool follows(const unsigned char *at, size_t left, size_t which)
{
    return which < left && (at[which] & 0xC0) == 0x80;
}

/* Returns the number of malformed bytes that Java replaces with one U+FFFD: the longest prefix of a valid sequence,
 * or a whole encoded surrogate. */
static size_t malformed_size(const unsigned char *at, size_t left)
{
    if (at[0] < 0xE0 || at[0] > 0xF4 || !follows(at, left, 1)) return 1;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F)) return 1;
    return follows(at, left, 2) ? 3 : 2;
}

static void add_bytes(struct fm_scanner *scanner, const char *data, size_t size)
{
    if (scanner->room - scanner->size < size) {
        scanner->room = (scanner->room + size) * 2;
        scanner->data = fm_cli_resize(scanner->data, scanner->room);
    }
    memcpy(scanner->data + scanner->size, data, size);
    scanner->size += size;
}

/* Whether a character is white space to Java but not ASCII: U+1680, U+2000 to U+200A except U+2007, U+2028, U+2029,
 * U+205F, U+3000. */
static bool is_wide_space(const char *at, size_t size)
{
    static const char *const spaces =
        "\xE1\x9A\x80\xE2\x80\x80\xE2\x80\x81\xE2\x80\x82\xE2\x80\x83\xE2\x80\x84\xE2\x80\x85\xE2\x80\x86"
        "\xE2\x80\x88\xE2\x80\x89\xE2\x80\x8A\xE2\x80\xA8\xE2\x80\xA9\xE2\x81\x9F\xE3\x80\x80";
    for (const char *row = spaces; size == 3 && *row; row += 3)
        if (memcmp(row, at, 3) == 0) return true;
    return false;
}

static bool is_wide_end(const char *at, size_t size)
{
    return (size == 2 && memcmp(at, "\xC2\x85", 2) == 0) ||
           (size == 3 && (memcmp(at, "\xE2\x80\xA8", 3) == 0 || memcmp(at, "\xE2\x80\xA9", 3) == 0));
}

static void add_wide(struct fm_scanner *scanner, const char *at, size_t size)
{
    const bool ends = is_wide_end(at, size), space = is_wide_space(at, size);
    scanner->any |= !space;
    if (!space && ends) scanner->last_word = scanner->size; /* U+0085 ends a line but is not white space */
    /* Each CR directly before such a line end (U+0085, U+2028, U+2029) ends a line of its own. */
    for (size_t i = scanner->size; ends && i > 0 && scanner->data[i - 1] == '\r'; i--) scanner->data[i - 1] = '\n';
    if (ends)
        add_bytes(scanner, "\n", 1);
    else
        add_bytes(scanner, at, size);
    if (!space && !ends) scanner->last_word = scanner->size;
}

static bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r') || (byte >= 0x1C && byte <= 0x1F);
}

static void add_ascii(struct fm_scanner *scanner, const char *data, size_t size)
{
    add_bytes(scanner, data, size);
    size_t kept = size;
    while (kept && is_space(data[kept - 1])) kept--;
    if (kept == 0) return;
    scanner->last_word = scanner->size - size + kept;
    scanner->any = true;
}

/* Returns the offset after the last line that has a word, if that line is complete. */
static size_t end_of_line(const struct fm_scanner *scanner)
{
    size_t at = scanner->last_word;
    while (at < scanner->size && scanner->data[at] != '\n' && scanner->data[at] != '\r') at++;
    if (at + 1 < scanner->size && scanner->data[at] == '\r' && scanner->data[at + 1] == '\n') at++;
    return at < scanner->size ? at + 1 : at;
}

void fm_scanner_add(struct fm_scanner *scanner, framemap_str bytes)
{
    for (size_t at = 0; at < bytes.size;) {
        size_t end = skip_ascii(bytes, at), size;
        if (end > at) add_ascii(scanner, bytes.data + at, end - at);
        if (end == bytes.size) break;
        size = fm_utf8_size((const unsigned char *)bytes.data + end, bytes.size - end);
        if (size)
            add_wide(scanner, bytes.data + end, size);
        else
            add_wide(scanner, "\xEF\xBF\xBD", 3);
        at = end + (size ? size : malformed_size((const unsigned char *)bytes.data + end, bytes.size - end));
    }
}

framemap_str fm_scanner_text(const struct fm_scanner *scanner)
{
    return (framemap_str){scanner->data, scanner->any ? end_of_line(scanner) : 0};
}

void fm_scanner_forget(struct fm_scanner *scanner, size_t size)
{
    scanner->size -= size;
    if (size && scanner->size) memmove(scanner->data, scanner->data + size, scanner->size);
    scanner->any = false;
}

void fm_scanner_free(struct fm_scanner *scanner)
{
    free(scanner->data);
    *scanner = (struct fm_scanner){.size = 0};
}
