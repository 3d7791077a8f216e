/* Splits a script into tokens. Called by the function scanner; independent of its grammar. */
#include "mappers/javascript/functions/js_tokens.h"

/* Classes of bytes. Bytes of the classes I, D and E can be part of a name. Bytes of the classes L to U can be part of
 * what the lexer skips before a token. */
enum {
    I, /* letter */
    D, /* digit */
    E, /* backslash */
    S, /* punctuation that is a token by itself */
    P, /* other punctuation */
    L, /* slash */
    B, /* blank */
    N, /* line end */
    U  /* beyond ASCII: part of a name or a blank */
};

/* clang-format off */
static const unsigned char classes[256] = {
    P, P, P, P, P, P, P, P, P, B, N, B, B, N, P, P,
    P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P,
    B, P, P, P, I, P, P, P, S, S, P, P, S, P, P, L,
    D, D, D, D, D, D, D, D, D, D, S, S, P, P, P, P,
    S, I, I, I, I, I, I, I, I, I, I, I, I, I, I, I,
    I, I, I, I, I, I, I, I, I, I, I, S, E, S, P, I,
    P, I, I, I, I, I, I, I, I, I, I, I, I, I, I, I,
    I, I, I, I, I, I, I, I, I, I, I, S, P, S, P, P,
    U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
};
/* clang-format on */

struct keyword {
    const char *text;
    enum fm_js_word word;
};

#define SHORTEST 2
#define LONGEST 10
#define MOST 8 /* maximum number of keywords of one length, which is the number of elements in a row of `words` */

static const struct keyword words[LONGEST - SHORTEST + 1][MOST] = {
    {{"if", FM_JS_WORD_IF}, {"in", FM_JS_WORD_IN}, {"of", FM_JS_WORD_OF}, {"do", FM_JS_WORD_DO}},
    {{"var", FM_JS_WORD_VAR},
     {"let", FM_JS_WORD_LET},
     {"for", FM_JS_WORD_FOR},
     {"new", FM_JS_WORD_NEW},
     {"get", FM_JS_WORD_GET},
     {"set", FM_JS_WORD_SET},
     {"try", FM_JS_WORD_TRY}},
    {{"this", FM_JS_WORD_VALUE},
     {"else", FM_JS_WORD_ELSE},
     {"null", FM_JS_WORD_VALUE},
     {"void", FM_JS_WORD_VOID},
     {"case", FM_JS_WORD_CASE},
     {"true", FM_JS_WORD_VALUE},
     {"with", FM_JS_WORD_WITH}},
    {{"const", FM_JS_WORD_CONST},
     {"class", FM_JS_WORD_CLASS},
     {"async", FM_JS_WORD_ASYNC},
     {"await", FM_JS_WORD_AWAIT},
     {"throw", FM_JS_WORD_THROW},
     {"break", FM_JS_WORD_BREAK},
     {"while", FM_JS_WORD_WHILE},
     {"catch", FM_JS_WORD_CATCH}},
    {{"return", FM_JS_WORD_RETURN},
     {"typeof", FM_JS_WORD_TYPEOF},
     {"static", FM_JS_WORD_STATIC},
     {"switch", FM_JS_WORD_SWITCH},
     {"delete", FM_JS_WORD_DELETE},
     {"import", FM_JS_WORD_IMPORT},
     {"export", FM_JS_WORD_EXPORT}},
    {{"default", FM_JS_WORD_DEFAULT}, {"extends", FM_JS_WORD_EXTENDS}, {"finally", FM_JS_WORD_FINALLY}},
    {{"function", FM_JS_WORD_FUNCTION}, {"continue", FM_JS_WORD_CONTINUE}},
    {{NULL, FM_JS_WORD_NAME}},
    {{"instanceof", FM_JS_WORD_INSTANCEOF}},
};
/* The keywords of five letters that a row of `words`, which has MOST elements, has no room for. */
static const struct keyword more_words[] = {
    {"super", FM_JS_WORD_VALUE}, {"false", FM_JS_WORD_VALUE}, {"yield", FM_JS_WORD_YIELD}};

/* For each letter, a bit mask of the lengths of the keywords that begin with it: bit n is set if such a keyword has n
 * letters. */
static const uint16_t lengths['z' - 'a' + 1] = {
    0x20, 0x20, 0x130, 0xC4, 0xD0, 0x1A8, 0x8,  0x0, 0x444, 0x0,  0x0, 0x8,  0x0,
    0x18, 0x4,  0x0,   0x0,  0x40, 0x68,  0x78, 0x0, 0x18,  0x30, 0x0, 0x20, 0x0,
};

static enum fm_js_word lexer_word(const unsigned char *text, size_t size)
{
    const unsigned letter = (unsigned)text[0] - 'a';
    if (letter > 'z' - 'a' || size > LONGEST || !(lengths[letter] >> size & 1)) return FM_JS_WORD_NAME;
    const struct keyword *row = words[size - SHORTEST];
    for (unsigned i = 0; i < MOST && row[i].text != NULL; i++)
        if (row[i].text[0] == (char)text[0] && memcmp(row[i].text, text, size) == 0) return row[i].word;
    if (size != 5) return FM_JS_WORD_NAME;
    for (unsigned i = 0; i < sizeof more_words / sizeof *more_words; i++)
        if (memcmp(more_words[i].text, text, size) == 0) return more_words[i].word;
    return FM_JS_WORD_NAME;
}

/* --- skipping blanks and comments between tokens --- */

static size_t left(const struct fm_js_lexer *l) { return (size_t)(l->end - l->at); }
static int byte_at(const struct fm_js_lexer *l, size_t ahead) { return ahead < left(l) ? l->at[ahead] : -1; }

/* Whether a separator of lines or paragraphs (U+2028, U+2029) is at `at`. */
static bool is_separator(const unsigned char *at, const unsigned char *end)
{
    return end - at >= 3 && at[0] == 0xE2 && at[1] == 0x80 && (at[2] & 0xFE) == 0xA8;
}

/* Returns the size in bytes of the non-ASCII blank at `at`; 0: there is no such blank. */
static size_t wide_blank(const unsigned char *at, const unsigned char *end)
{
    if (end - at >= 2 && at[0] == 0xC2 && at[1] == 0xA0) return 2;
    if (end - at < 3 || at[0] < 0xE1) return 0;
    if (is_separator(at, end)) return 3;
    const unsigned code = (unsigned)(at[0] & 15) << 12 | (unsigned)(at[1] & 63) << 6 | (at[2] & 63);
    const bool blank = at[0] < 0xF0 && (code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x202F ||
                                        code == 0x205F || code == 0x3000 || code == 0xFEFF);
    return blank ? 3 : 0;
}

static void skip_line(struct fm_js_lexer *l)
{
    while (l->at < l->end && classes[*l->at] != N && !is_separator(l->at, l->end)) l->at++;
}

/* Skips a comment. Returns whether the comment contains a line end. */
static bool skip_comment(struct fm_js_lexer *l)
{
    bool newline = false;
    for (l->at += 2; l->at < l->end; l->at++) {
        if (*l->at == '*' && byte_at(l, 1) == '/') {
            l->at += 2;
            return newline;
        }
        newline = newline || classes[*l->at] == N || is_separator(l->at, l->end);
    }
    return newline;
}

/* Skips blanks and comments. Returns whether a line ends before the next token. */
static bool lexer_skip_blanks(struct fm_js_lexer *l)
{
    bool newline = false;
    while (l->at < l->end) {
        const unsigned class = classes[*l->at];
        const size_t wide = class == U ? wide_blank(l->at, l->end) : 0;
        if (class == B || class == N) {
            newline = newline || class == N;
            l->at++;
        } else if (wide > 0) {
            newline = newline || is_separator(l->at, l->end);
            l->at += wide;
        } else if (*l->at == '/' && byte_at(l, 1) == '/') {
            skip_line(l);
        } else if (*l->at == '/' && byte_at(l, 1) == '*') {
            newline = skip_comment(l) || newline;
        } else {
            break;
        }
    }
    return newline;
}

struct fm_js_lexer fm_js_lexer_of(framemap_str text)
{
    const unsigned char *begin = (const unsigned char *)text.data;
    struct fm_js_lexer lexer = {begin, begin, begin ? begin + text.size : begin};
    if (fm_str_starts(text, FM_STR("\xEF\xBB\xBF"))) lexer.at += 3;
    if (byte_at(&lexer, 0) == '#' && byte_at(&lexer, 1) == '!') skip_line(&lexer);
    return lexer;
}

/* --- reading tokens of several characters --- */

static void skip_name(struct fm_js_lexer *l)
{
    for (;;) {
        while (l->at < l->end && classes[*l->at] <= D) l->at++;
        if (l->at == l->end || (classes[*l->at] != U && classes[*l->at] != E) || wide_blank(l->at, l->end) > 0) return;
        const bool braced = *l->at == '\\' && byte_at(l, 1) == 'u' && byte_at(l, 2) == '{';
        l->at += braced ? 3 : 1;
        if (!braced) continue;
        while (l->at < l->end && classes[*l->at] <= D) l->at++;
        if (byte_at(l, 0) == '}') l->at++;
    }
}

static void skip_digits(struct fm_js_lexer *l)
{
    while (l->at < l->end && (classes[*l->at] == D || *l->at == '_')) l->at++;
}

static void skip_number(struct fm_js_lexer *l)
{
    const int second = byte_at(l, 1);
    if (*l->at == '0' && second > '9' && second != 'e' && second != 'E') {
        skip_name(l); /* the letters that numbers contain are skipped: 0x1F, 0b1, 0o7, 0n */
        return;
    }
    skip_digits(l);
    if (byte_at(l, 0) == '.') {
        l->at++;
        skip_digits(l);
    }
    if ((byte_at(l, 0) | 32) == 'e') {
        l->at++;
        if (byte_at(l, 0) == '+' || byte_at(l, 0) == '-') l->at++;
    }
    skip_name(l);
}

static void skip_string(struct fm_js_lexer *l)
{
    const unsigned char quote = *l->at++;
    while (l->at < l->end && *l->at != quote) {
        if (*l->at == '\\' && l->at + 1 < l->end) {
            l->at += l->at[1] == '\r' && byte_at(l, 2) == '\n' ? 3 : 2;
            continue;
        }
        if (classes[*l->at] == N) return;
        l->at++;
    }
    if (l->at < l->end) l->at++;
}

static void skip_regex(struct fm_js_lexer *l)
{
    bool listed = false; /* whether the character is inside the brackets [ ] of a regular expression */
    for (l->at++; l->at < l->end && classes[*l->at] != N; l->at++) {
        if (*l->at == '/' && !listed) {
            l->at++;
            skip_name(l);
            return;
        }
        if (*l->at == '\\' && l->at + 1 < l->end && classes[l->at[1]] != N)
            l->at++;
        else if (*l->at == '[')
            listed = true;
        else if (*l->at == ']')
            listed = false;
    }
}

/* Skips a part of a template. Returns whether the part ends with `${`. */
static bool skip_template(struct fm_js_lexer *l)
{
    for (; l->at < l->end; l->at++) {
        if (*l->at == '\\' && l->at + 1 < l->end) {
            l->at++;
        } else if (*l->at == '`') {
            l->at++;
            return false;
        } else if (*l->at == '$' && byte_at(l, 1) == '{') {
            l->at += 2;
            return true;
        }
    }
    return false;
}

/* --- reading punctuation --- */

/* Reads an operator of `size` characters at the cursor and returns its token kind. If an equals sign follows, the
 * operator and the sign form an assignment, whose kind is `assigning`. */
static unsigned char operator_of(struct fm_js_lexer *l, size_t size, enum fm_js_token_kind assigning)
{
    const bool assigns = byte_at(l, size) == '=';
    l->at += size + assigns;
    return (unsigned char)(assigns ? assigning : FM_JS_TOKEN_OPERATOR);
}

static unsigned char just(struct fm_js_lexer *l, size_t size, unsigned kind)
{
    l->at += size;
    return (unsigned char)kind;
}

static unsigned char read_question(struct fm_js_lexer *l)
{
    const int second = byte_at(l, 1), third = byte_at(l, 2);
    if (second == '?') return operator_of(l, 2, FM_JS_TOKEN_LOGICAL_ASSIGN);
    if (second == '.' && (third < '0' || third > '9')) return just(l, 2, FM_JS_TOKEN_OPTIONAL);
    return just(l, 1, '?');
}

static unsigned char read_equals(struct fm_js_lexer *l)
{
    const int second = byte_at(l, 1);
    if (second == '>') return just(l, 2, FM_JS_TOKEN_ARROW);
    if (second == '=') return just(l, byte_at(l, 2) == '=' ? 3 : 2, FM_JS_TOKEN_OPERATOR);
    return just(l, 1, FM_JS_TOKEN_ASSIGN);
}

static unsigned char read_angle(struct fm_js_lexer *l, int byte)
{
    size_t size = 1;
    while (size < (byte == '<' ? 2U : 3U) && byte_at(l, size) == byte) size++;
    const unsigned char kind = operator_of(l, size, FM_JS_TOKEN_OTHER_ASSIGN);
    /* "<=" and ">=" are comparisons and have the kind of an operator, not that of an assignment */
    return size == 1 ? FM_JS_TOKEN_OPERATOR : kind;
}

static unsigned char read_dot(struct fm_js_lexer *l)
{
    const int second = byte_at(l, 1);
    if (second >= '0' && second <= '9') {
        skip_number(l);
        return FM_JS_TOKEN_NUMBER;
    }
    return second == '.' && byte_at(l, 2) == '.' ? just(l, 3, FM_JS_TOKEN_SPREAD) : just(l, 1, '.');
}

static unsigned char read_punctuation(struct fm_js_lexer *l, bool operand)
{
    const int byte = *l->at, second = byte_at(l, 1);
    switch (byte) {
    case '.': return read_dot(l);
    case '?': return read_question(l);
    case '=': return read_equals(l);
    case '<':
    case '>': return read_angle(l, byte);
    case '"':
    case '\'': skip_string(l); return FM_JS_TOKEN_STRING;
    case '/':
        if (!operand) return operator_of(l, 1, FM_JS_TOKEN_OTHER_ASSIGN);
        skip_regex(l);
        return FM_JS_TOKEN_REGEX;
    case '+':
    case '-': return second == byte ? just(l, 2, FM_JS_TOKEN_STEP) : operator_of(l, 1, FM_JS_TOKEN_OTHER_ASSIGN);
    case '*':
        if (second == '*') return operator_of(l, 2, FM_JS_TOKEN_OTHER_ASSIGN);
        return second == '=' ? just(l, 2, FM_JS_TOKEN_OTHER_ASSIGN) : just(l, 1, '*');
    case '&':
    case '|':
        return second == byte ? operator_of(l, 2, FM_JS_TOKEN_LOGICAL_ASSIGN)
                              : operator_of(l, 1, FM_JS_TOKEN_OTHER_ASSIGN);
    case '%':
    case '^': return operator_of(l, 1, FM_JS_TOKEN_OTHER_ASSIGN);
    case '!':
        if (second != '=') return just(l, 1, FM_JS_TOKEN_NOT);
        return just(l, byte_at(l, 2) == '=' ? 3 : 2, FM_JS_TOKEN_OPERATOR);
    case '~': return just(l, 1, FM_JS_TOKEN_NOT);
    case '#':
        l->at++;
        skip_name(l);
        return FM_JS_TOKEN_PRIVATE;
    default: return just(l, 1, FM_JS_TOKEN_OPERATOR);
    }
}

struct fm_js_token fm_js_lexer_template(struct fm_js_lexer *l)
{
    struct fm_js_token token = {.kind = FM_JS_TOKEN_TEMPLATE, .begin = (uint32_t)(l->at - l->begin)};
    token.opens = skip_template(l);
    token.end = (uint32_t)(l->at - l->begin);
    return token;
}

/* Skips a short name. Names are usually ASCII. */
static inline void skip_short_name(struct fm_js_lexer *l)
{
    const unsigned char *at = l->at + 1;
    while (at < l->end && classes[*at] <= D) at++;
    if (at == l->end || (classes[*at] != U && classes[*at] != E))
        l->at = at;
    else
        skip_name(l);
}

void fm_js_lexer_next(struct fm_js_lexer *l, bool operand, struct fm_js_token *token)
{
    token->newline = l->at < l->end && classes[*l->at] >= L && lexer_skip_blanks(l);
    token->word = FM_JS_WORD_NAME;
    token->kind = FM_JS_TOKEN_END;
    token->opens = false;
    const unsigned char *begin = l->at;
    token->begin = token->end = (uint32_t)(begin - l->begin);
    if (begin == l->end) return;
    switch (classes[*begin]) {
    case S:
        token->kind = *begin;
        l->at++;
        break;
    case I:
        skip_short_name(l);
        token->kind = FM_JS_TOKEN_WORD;
        token->word = (unsigned char)lexer_word(begin, (size_t)(l->at - begin));
        break;
    case U:
    case E:
        skip_name(l);
        token->kind = FM_JS_TOKEN_WORD;
        break;
    case D:
        skip_number(l);
        token->kind = FM_JS_TOKEN_NUMBER;
        break;
    default:
        if (*begin == '`') {
            l->at++;
            token->kind = FM_JS_TOKEN_TEMPLATE;
            token->opens = skip_template(l);
        } else {
            token->kind = read_punctuation(l, operand);
        }
        break;
    }
    token->end = (uint32_t)(l->at - l->begin);
}
