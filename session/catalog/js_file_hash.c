/* Recognizes hashes in the names of scripts. */
#include "session/catalog/js_file_name.h"

#include "core/text/scan.h"

enum { LEAST_HEX = 6, LEAST_MIXED = 8 };

/* The kinds of characters in a part of a name. */
struct kinds {
    unsigned digits, digit_runs, lower, upper, hex, others;
    unsigned changes;  /* number of positions at which the kind of character changes */
    bool digit_inside; /* a digit is followed by a letter */
};

static int char_kind(char c)
{
    if (fm_is_digit(c)) return 0;
    if (c >= 'a' && c <= 'z') return 1;
    return c >= 'A' && c <= 'Z' ? 2 : 3;
}

static struct kinds kinds_of(framemap_str piece)
{
    struct kinds kinds = {.digits = 0};
    bool after_digit = false;
    for (size_t i = 0; i < piece.size; i++) {
        const char c = piece.data[i];
        const bool digit = fm_is_digit(c);
        kinds.digits += digit;
        kinds.digit_runs += digit && !after_digit;
        kinds.lower += c >= 'a' && c <= 'z';
        kinds.upper += c >= 'A' && c <= 'Z';
        kinds.hex += fm_is_hex(c);
        kinds.changes += i > 0 && char_kind(c) != char_kind(piece.data[i - 1]);
        kinds.others += c == '-' || c == '_';
        kinds.digit_inside = kinds.digit_inside || (after_digit && !digit);
        after_digit = digit;
    }
    return kinds;
}

static bool is_hex_hash(framemap_str piece, const struct kinds *kinds)
{
    return piece.size >= LEAST_HEX && kinds->hex == piece.size && kinds->digits > 0;
}

/* Whether letters and digits are mixed as in the hash of a bundler: 8 characters of base 32 (upper case), 8 or more of
 * base 64, or more of base 36. Ordinary words have digits at the end or in one place ("es2015", "version2",
 * "web3modal"), and capitals at the start of a word ("base64Encoder"). */
static bool is_mixed_hash(framemap_str piece, const struct kinds *kinds)
{
    if (piece.size < LEAST_MIXED || kinds->digits == 0 || kinds->lower + kinds->upper == 0) return false;
    if (kinds->digits + kinds->lower + kinds->upper + kinds->others != piece.size) return false;
    if (kinds->digit_runs > 1) return true;
    if (kinds->lower == 0) return piece.size == LEAST_MIXED;
    return kinds->upper > 0 && kinds->digit_inside && kinds->changes * 2 >= piece.size - 1;
}

static bool is_hash(framemap_str piece)
{
    const struct kinds kinds = kinds_of(piece);
    return is_hex_hash(piece, &kinds) || is_mixed_hash(piece, &kinds);
}

static bool is_mark(char c) { return c == '-' || c == '_' || c == '~' || c == '@' || c == '+'; }

/* Finds hashes in a part of a file name that has no dots. Cuts the part at the characters - _ ~ @ + and tests each
 * piece. */
static unsigned among_marks(framemap_str part, framemap_str *hashes, unsigned count)
{
    for (size_t at = 0; at < part.size && count < FM_JS_NAME_HASHES;) {
        size_t end = at;
        while (end < part.size && !is_mark(part.data[end])) end++;
        const framemap_str piece = fm_str_slice(part, at, end);
        if (is_hash(piece)) hashes[count++] = piece;
        at = end + 1;
    }
    return count;
}

/* Finds a hash in base 64. Such a hash may contain the characters - and _, which otherwise separate a hash from the
 * name. Tests the last 8 characters of the part, then the whole part. */
static unsigned with_marks(framemap_str part, framemap_str *hashes, unsigned count)
{
    const framemap_str tail = fm_str_from(part, part.size > LEAST_MIXED ? part.size - LEAST_MIXED : 0);
    const struct kinds kinds = kinds_of(tail), whole = kinds_of(part);
    if (count == FM_JS_NAME_HASHES || part.size < LEAST_MIXED) return count;
    if (part.size > LEAST_MIXED && is_mark(tail.data[-1]) && kinds.upper > 0 && kinds.lower > 0 &&
        is_mixed_hash(tail, &kinds))
        hashes[count++] = tail;
    else if (whole.digit_runs > 1 && whole.upper == 0 && whole.digits * 4 > part.size && is_mixed_hash(part, &whole))
        hashes[count++] = part;
    return count;
}

unsigned fm_js_name_hashes(framemap_str name, framemap_str hashes[FM_JS_NAME_HASHES])
{
    unsigned count = 0;
    for (size_t at = 0; at < name.size;) {
        size_t end = at;
        while (end < name.size && name.data[end] != '.') end++;
        const framemap_str part = fm_str_slice(name, at, end);
        const unsigned before = count;
        count = among_marks(part, hashes, count);
        if (count == before) count = with_marks(part, hashes, count);
        at = end + 1;
    }
    return count;
}

/* Whether the rest of a name identifies a script: it has a letter before the ending. */
static bool has_letter_left(framemap_str rest, framemap_str name)
{
    const size_t dot = fm_str_find_last_byte(name, '.'), ending = dot == FM_NOT_FOUND ? 0 : name.size - dot;
    for (size_t i = 0; i + ending < rest.size; i++)
        if ((rest.data[i] | 32) >= 'a' && (rest.data[i] | 32) <= 'z') return true;
    return false;
}

bool fm_js_bare_name(framemap_str name, struct fm_arena *arena, framemap_str *out)
{
    framemap_str hashes[FM_JS_NAME_HASHES];
    const unsigned count = fm_js_name_hashes(name, hashes);
    size_t size = 0, at = 0;
    *out = (framemap_str){NULL, 0};
    if (count == 0) return true;
    char *to = fm_arena_alloc(arena, name.size + 1);
    if (to == NULL) return false;
    for (unsigned i = 0; i < count; i++) {
        const size_t from = (size_t)(hashes[i].data - name.data);
        memcpy(to + size, name.data + at, from - at);
        size += from - at;
        at = from + hashes[i].size;
        if (size > 0)
            size--; /* the mark before the hash is removed with it */
        else if (at < name.size)
            at++; /* no mark precedes the hash, so the mark after it is removed */
    }
    memcpy(to + size, name.data + at, name.size - at);
    size += name.size - at;
    to[size] = 0;
    if (has_letter_left(fm_str(to, size), name)) *out = fm_str(to, size);
    return true;
}

bool fm_js_doubtful_name(framemap_str name, struct fm_arena *arena, framemap_str *out)
{
    /* This is the most changes between capitals, small letters and digits in a word, counted after its first capital:
     * "Version2" has one. */
    enum { CHANGES_OF_WORDS = 1 };
    const size_t dot = fm_str_find_last_byte(name, '.'), end = dot == FM_NOT_FOUND ? name.size : dot;
    *out = (framemap_str){NULL, 0};
    if (end < LEAST_MIXED + 2 ||
        (!is_mark(name.data[end - LEAST_MIXED - 1]) && name.data[end - LEAST_MIXED - 1] != '.'))
        return true;
    const framemap_str piece = fm_str_slice(name, end - LEAST_MIXED, end);
    const struct kinds kinds = kinds_of(piece);
    if (kinds.digits + kinds.lower + kinds.upper + kinds.others != piece.size) return true;
    if (kinds.changes <= CHANGES_OF_WORDS && kinds.upper < piece.size) return true;
    const size_t head = end - LEAST_MIXED;
    char *to = fm_arena_alloc(arena, name.size);
    if (to == NULL) return false;
    memcpy(to, name.data, head);
    memcpy(to + head, name.data + end, name.size - end);
    *out = fm_str(to, name.size - LEAST_MIXED);
    return true;
}
