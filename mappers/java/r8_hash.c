/* Checks the hash in a mapping's head: the SHA-256 of the text after the head, as Java decodes and encodes this
 * text. */
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/utf8.h"
#include "mappers/java/r8_head.h"

static bool is_ascii(const unsigned char eight[8])
{
    uint64_t word;
    memcpy(&word, eight, sizeof word);
    return (word & 0x8080808080808080u) == 0;
}

/* Returns the offset of the first malformed byte from `at` on; if there is none, the size of the text. */
static size_t skip_characters(framemap_str text, size_t at)
{
    const unsigned char *p = (const unsigned char *)text.data;
    for (size_t size = 1; at < text.size && size > 0; at += size) {
        size = text.size - at >= 8 && is_ascii(p + at) ? 8 : fm_character_size(p + at, text.size - at);
    }
    return at;
}

/* Hashes the text with malformed bytes replaced by U+FFFD, as Java's decoder does. */
static void hash_decoded(framemap_str text, unsigned char digest[32])
{
    struct fm_sha256 sha;
    fm_sha256_begin(&sha);
    for (size_t at = 0; at < text.size;) {
        const size_t bad = skip_characters(text, at);
        fm_sha256_add(&sha, text.data + at, bad - at);
        if (bad == text.size) break;
        fm_sha256_add(&sha, "\xEF\xBF\xBD", 3);
        at = bad + fm_malformed_size((const unsigned char *)text.data + bad, text.size - bad);
    }
    fm_sha256_end(&sha, digest);
}

static framemap_status compare_hashes(framemap_str wanted, framemap_str text, framemap_error *error)
{
    unsigned char digest[32];
    char hex[64];
    hash_decoded(text, digest);
    fm_hex_put(digest, sizeof digest, hex);
    if (fm_str_equal(wanted, fm_str(hex, sizeof hex))) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_MISMATCH,
                        "the mapping does not match the hash in its header: the header has %.*s, the text has %.64s",
                        wanted.size < 80 ? (int)wanted.size : 80, wanted.data, hex);
}

static framemap_status compare_line(framemap_str head_line, framemap_str text, framemap_error *error)
{
    const framemap_str rest = fm_str_from(head_line, strlen("pg_map_hash"));
    const size_t at = fm_str_find(rest, FM_STR("SHA-256 "));
    if (at != FM_NOT_FOUND) return compare_hashes(fm_r8_trim(fm_str_from(rest, at + 7)), text, error);
    return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "the hash in the mapping's header is of an unknown kind: %.*s",
                        head_line.size < 100 ? (int)head_line.size : 100, head_line.data);
}

/* Implements framemap_mapping_check_hash. As in R8, a last line without an end is not hashed. */
framemap_status fm_r8_check_hash(framemap_str mapping, framemap_error *error)
{
    for (size_t from = 0;;) {
        const framemap_str rest = fm_str_from(mapping, from);
        const size_t size = fm_str_find_byte(rest, '\n');
        const framemap_str line =
            size == FM_NOT_FOUND ? (framemap_str)FM_STR_INIT("") : fm_r8_trim(fm_str_slice(rest, 0, size));
        if (size == FM_NOT_FOUND || (line.size > 0 && line.data[0] != '#'))
            return fm_error_set(error, FRAMEMAP_E_EMPTY, "the mapping's header has no hash to verify its text with");
        from += size + 1;
        const framemap_str head_line = line.size > 0 ? fm_r8_trim(fm_str_from(line, 1)) : line;
        if (fm_str_starts(head_line, FM_STR("pg_map_hash")))
            return compare_line(head_line, fm_str_from(mapping, from), error);
    }
}
