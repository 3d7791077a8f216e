/* Reads the names of declarations: identifiers, whose words later identifiers may refer to, operators, and local and
 * private names. Called by swift_operators.c. */
#include "resolve/demangle/punycode.h"
#include "resolve/demangle/swift/swift_parts.h"

/* Maximum number of bytes of an identifier, with the words that it refers to. */
#define MOST_IDENTIFIER ((size_t)64 << 10)

/* Collects the pieces of an identifier. A single piece is borrowed from the name, several are copied. */
struct pieces {
    framemap_str text;
    size_t room; /* 0: the text is borrowed */
};

static bool append(struct fm_swift_reader *r, struct pieces *pieces, framemap_str piece)
{
    const size_t size = pieces->text.size + piece.size;
    if (size > MOST_IDENTIFIER) return false;
    if (pieces->text.size == 0) {
        pieces->text = piece;
        return true;
    }
    if (size > pieces->room) {
        char *text = fm_swift_alloc(r->pool, 2 * size);
        if (text == NULL) return false;
        memcpy(text, pieces->text.data, pieces->text.size);
        pieces->text.data = text;
        pieces->room = 2 * size;
    }
    if (piece.size) memcpy((char *)(uintptr_t)pieces->text.data + pieces->text.size, piece.data, piece.size);
    pieces->text.size = size;
    return true;
}

/* Whether a word of an identifier ends before a character: at an underscore, and before a capital letter that follows
 * another character. */
static bool ends_word(char before, char c) { return c == '_' || (fm_swift_is_upper(c) && !fm_swift_is_upper(before)); }

/* Adds the words of two or more bytes of a literal piece to the words that later identifiers may refer to. */
static void add_words(struct fm_swift_reader *r, framemap_str piece)
{
    size_t begin = FM_NOT_FOUND;
    for (size_t i = 0; i <= piece.size && r->word_count < FM_SWIFT_WORDS; i++) {
        const bool at_end = i == piece.size;
        if (begin != FM_NOT_FOUND && (at_end || ends_word(piece.data[i - 1], piece.data[i]))) {
            if (i - begin >= 2) r->words[r->word_count++] = fm_str_slice(piece, begin, i);
            begin = FM_NOT_FOUND;
        }
        if (begin == FM_NOT_FOUND && !at_end && piece.data[i] != '_' && !fm_is_digit(piece.data[i])) begin = i;
    }
}

/* Reads the letters that refer to earlier words. *is_last: the letter that ends the words was read. */
static bool word_references(struct fm_swift_reader *r, struct pieces *pieces, bool *is_last)
{
    *is_last = false;
    while (!*is_last && (fm_swift_is_lower(fm_swift_peek(r)) || fm_swift_is_upper(fm_swift_peek(r)))) {
        const char c = fm_swift_take(r);
        *is_last = fm_swift_is_upper(c);
        const unsigned word = (unsigned)(*is_last ? c - 'A' : c - 'a');
        if (word >= r->word_count || !append(r, pieces, r->words[word])) return false;
    }
    return true;
}

/* Reads a length and so many bytes. */
static bool literal(struct fm_swift_reader *r, bool is_punycode, framemap_str *piece)
{
    const int32_t size = fm_swift_natural(r);
    if (size <= 0) return false;
    if (is_punycode) fm_swift_take_if(r, '_');
    if ((size_t)size > r->text.size - r->at) return false;
    *piece = fm_str_slice(r->text, r->at, r->at + (size_t)size);
    r->at += (size_t)size;
    return true;
}

static bool punycode(struct fm_swift_reader *r, framemap_str code, framemap_str *piece)
{
    char text[FM_PUNYCODE_ROOM];
    const size_t size = fm_swift_work(r->pool, code.size) ? fm_punycode(code, FM_PUNYCODE_SWIFT, text) : 0;
    char *kept = size ? fm_swift_alloc(r->pool, size) : NULL;
    if (kept == NULL) return false;
    memcpy(kept, text, size);
    *piece = fm_str(kept, size);
    return true;
}

struct fm_swift_node *fm_swift_identifier(struct fm_swift_reader *r)
{
    struct pieces pieces = {{NULL, 0}, 0};
    framemap_str piece;
    bool has_words = false, is_punycode = false;
    if (fm_swift_take_if(r, '0')) {
        is_punycode = fm_swift_take_if(r, '0');
        has_words = !is_punycode;
    }
    do {
        bool is_last = false;
        if (has_words && !word_references(r, &pieces, &is_last)) return NULL;
        if (is_last) has_words = false;
        if (fm_swift_take_if(r, '0')) break;
        if (!literal(r, is_punycode, &piece)) return NULL;
        if (!is_punycode)
            add_words(r, piece);
        else if (!punycode(r, piece, &piece))
            return NULL;
        if (!append(r, &pieces, piece)) return NULL;
    } while (has_words);
    if (pieces.text.size == 0) return NULL;
    return fm_swift_substitutable(r, fm_swift_text(r->pool, FM_SWIFT_IDENTIFIER, pieces.text));
}

struct fm_swift_node *fm_swift_operator_name(struct fm_swift_reader *r)
{
    /* the characters of operators for 'a' to 'z' */
    static const char characters[] = "& @/= >    <*!|+?%-~   ^ .";
    const framemap_str name = fm_swift_text_of(fm_swift_pop(r, FM_SWIFT_IDENTIFIER));
    char *text = name.size ? fm_swift_alloc(r->pool, name.size) : NULL;
    if (text == NULL) return NULL;
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i];
        text[i] = (unsigned char)c >= 0x80 ? c : fm_swift_is_lower(c) ? characters[c - 'a'] : ' ';
        if (text[i] == ' ') return NULL;
    }
    switch (fm_swift_take(r)) {
    case 'i': return fm_swift_text(r->pool, FM_SWIFT_INFIX_OPERATOR, fm_str(text, name.size));
    case 'p': return fm_swift_text(r->pool, FM_SWIFT_PREFIX_OPERATOR, fm_str(text, name.size));
    case 'P': return fm_swift_text(r->pool, FM_SWIFT_POSTFIX_OPERATOR, fm_str(text, name.size));
    default: return NULL;
    }
}

struct fm_swift_node *fm_swift_local_name(struct fm_swift_reader *r)
{
    const char c = fm_swift_peek(r);
    struct fm_swift_node *discriminator;
    if (c == 'L' || c == 'l') {
        r->at++;
        discriminator = fm_swift_pop(r, FM_SWIFT_IDENTIFIER);
        if (c == 'l') return fm_swift_make1(r, FM_SWIFT_PRIVATE_NAME, discriminator);
        return fm_swift_make2(r, FM_SWIFT_PRIVATE_NAME, discriminator, fm_swift_pop_with(r, FM_SWIFT_IS_NAME));
    }
    if ((c >= 'a' && c <= 'j') || (c >= 'A' && c <= 'J')) {
        struct fm_swift_node *letter =
            fm_swift_text(r->pool, FM_SWIFT_IDENTIFIER, fm_str_slice(r->text, r->at, r->at + 1));
        r->at++;
        return fm_swift_make2(r, FM_SWIFT_RELATED_NAME, letter, fm_swift_pop_any(r));
    }
    discriminator = fm_swift_index_node(r);
    return fm_swift_make2(r, FM_SWIFT_LOCAL_NAME, discriminator, fm_swift_pop_with(r, FM_SWIFT_IS_NAME));
}
