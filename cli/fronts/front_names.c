/* Implements front_names.h: demangles names once and keeps them in a hash table, which is emptied when its texts exceed
 * a limit. Also cuts a demangled name to the function's own name, without scopes, template arguments and parameters. */
#include "cli/fronts/front_names.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 1 << 12,
    MOST_BYTES = 16 << 20 /* limit for the bytes of all names; beyond it the cache is cleared */
};

static void take_rows(struct fm_front_names *names, size_t room)
{
    names->rows = fm_cli_resize(NULL, room * sizeof *names->rows);
    memset(names->rows, 0, room * sizeof *names->rows);
    names->room = room;
}

framemap_status fm_front_names_open(struct fm_front_names *names, framemap_demangle style, framemap_error *error)
{
    *names = (struct fm_front_names){.style = style};
    framemap_status status = framemap_scratch_create(NULL, &names->scratch, error);
    if (status) return status;
    take_rows(names, ROWS);
    return FRAMEMAP_OK;
}

static void forget_all(struct fm_front_names *names)
{
    for (size_t i = 0; i < names->room && names->count; i++) {
        if (names->rows[i].symbol.data == NULL) continue;
        /* cast: the cache owns the block, although the member is const */
        free((char *)(uintptr_t)names->rows[i].symbol.data);
        names->rows[i] = (struct fm_front_name){0};
        names->count--;
    }
    names->bytes = 0;
}

void fm_front_names_close(struct fm_front_names *names)
{
    forget_all(names);
    free(names->rows);
    framemap_scratch_free(names->scratch);
    *names = (struct fm_front_names){0};
}

/* Hashes eight bytes at a time, since names are long and the cache must cost less than demangling. */
static uint64_t hash_of(framemap_str text)
{
    uint64_t hash = text.size * 0x9E3779B97F4A7C15u, word;
    size_t at = 0;
    for (; at + sizeof word <= text.size; at += sizeof word) {
        memcpy(&word, text.data + at, sizeof word);
        hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    word = 0;
    if (at < text.size) memcpy(&word, text.data + at, text.size - at);
    hash = (hash ^ word) * 0xD6E8FEB86659FD93u;
    return hash ^ hash >> 29;
}

static bool same(framemap_str left, framemap_str right)
{
    return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

/* Returns the row of a symbol, or the free row where it is to be stored. */
static struct fm_front_name *find_name_row(const struct fm_front_names *names, uint64_t hash, framemap_str symbol)
{
    for (size_t at = (size_t)hash;; at++) {
        struct fm_front_name *row = &names->rows[at & (names->room - 1)];
        if (row->symbol.data == NULL || (row->hash == hash && same(row->symbol, symbol))) return row;
    }
}

static void grow_names(struct fm_front_names *names)
{
    struct fm_front_name *old = names->rows;
    const size_t count = names->room;
    take_rows(names, 2 * count);
    for (size_t i = 0; i < count; i++)
        if (old[i].symbol.data) *find_name_row(names, old[i].hash, old[i].symbol) = old[i];
    free(old);
}

/* Copies a symbol and its demangled name into one block, since they are used together. */
static void fill_name_row(struct fm_front_names *names, struct fm_front_name *row, uint64_t hash, framemap_str symbol,
                          framemap_str shown)
{
    const size_t more = same(shown, symbol) ? 0 : shown.size;
    char *copy = fm_cli_resize(NULL, symbol.size + more);
    memcpy(copy, symbol.data, symbol.size);
    if (more) memcpy(copy + symbol.size, shown.data, more);
    row->hash = hash;
    row->symbol = (framemap_str){copy, symbol.size};
    row->shown = more || shown.size == 0 ? (framemap_str){copy + symbol.size, more} : row->symbol;
    names->count++;
    names->bytes += symbol.size + more;
}

void fm_front_names_begin(struct fm_front_names *names)
{
    names->made = 0;
    names->over_limit = false;
}

void fm_front_names_end(const struct fm_front_names *names, bool over_limit)
{
    if (over_limit || names->over_limit)
        fm_message("over-limit: the symbols contain more for one address than an answer can hold; the rest is omitted");
}

static framemap_str shown_by_style(struct fm_front_names *names, framemap_str symbol)
{
    const uint64_t hash = hash_of(symbol);
    struct fm_front_name *row = find_name_row(names, hash, symbol);
    if (row->symbol.data) return row->shown;

    if (names->bytes > MOST_BYTES) forget_all(names);
    if (2 * (names->count + 1) > names->room) grow_names(names);
    row = find_name_row(names, hash, symbol);
    fill_name_row(names, row, hash, symbol, framemap_demangle_name(names->scratch, symbol, names->style));
    return row->shown;
}

bool fm_front_is_swift(framemap_str symbol)
{
    static const char *const heads[] = {"$s", "$S", "$e", "_$s", "_$S", "_$e", "_T0", "_Tt", "__T0", "__Tt"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (symbol.size >= strlen(heads[i]) && memcmp(symbol.data, heads[i], strlen(heads[i])) == 0) return true;
    return false;
}

framemap_str fm_front_name_shown(struct fm_front_names *names, framemap_str symbol)
{
    enum { SHORTEST = 4 }; /* length of the shortest mangled name, "_Z1f" */
    if (names->style == FRAMEMAP_DEMANGLE_NONE || symbol.size < SHORTEST) return symbol;
    if (symbol.data[0] != '_' && symbol.data[0] != '.' && symbol.data[0] != '$')
        return symbol; /* no mangling scheme uses this prefix */
    if (names->style != FRAMEMAP_DEMANGLE_DEFAULT && fm_front_is_swift(symbol)) return symbol;

    const framemap_str shown = names->made <= FM_FRONT_NAMES_MAX ? shown_by_style(names, symbol) : symbol;
    if (shown.size > symbol.size) names->made += shown.size - symbol.size;
    if (names->made > FM_FRONT_NAMES_MAX) names->over_limit = true;
    return names->made > FM_FRONT_NAMES_MAX ? symbol : shown;
}

framemap_str fm_front_frame_name(struct fm_front_names *names, const framemap_frame *answer, size_t i)
{
    const framemap_frame *frame = &answer->restored.frames[i];
    framemap_str name = frame->function;
    if (i + 1 == answer->restored.count && frame->symbol.size) name = frame->symbol;
    if (i + 1 == answer->restored.count && answer->symbol.size) name = answer->symbol;
    return fm_front_name_shown(names, name);
}

/* --- making short names of functions --- */

static bool front_is_word(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '$';
}

static bool starts_with(framemap_str text, size_t at, const char *what)
{
    size_t size = strlen(what);
    return text.size - at >= size && memcmp(text.data + at, what, size) == 0;
}

/* Returns the end of the bracketed text that starts at `at`; the end of the whole text if the bracket is not closed. */
static size_t skip_brackets(framemap_str text, size_t at)
{
    size_t depth = 0;
    for (; at < text.size; at++) {
        char byte = text.data[at];
        if (byte == '(' || byte == '<' || byte == '[' || byte == '{') depth++;
        if ((byte == ')' || byte == '>' || byte == ']' || byte == '}') && --depth == 0) return at + 1;
    }
    return at;
}

/* Returns the end of an operator's name, before its parameters: "operator()", "operator<<", "operator int". */
static size_t skip_operator(framemap_str text, size_t at)
{
    at += strlen("operator");
    if (starts_with(text, at, "()")) return at + 2;
    while (at < text.size && strchr("<>=-+*/%^&|~!,[] ", text.data[at])) at++;
    while (at < text.size && text.data[at] != '(') at = text.data[at] == '<' ? skip_brackets(text, at) : at + 1;
    return at;
}

/* For a name nested in a function, such as "f(int) const::g()": returns the offset after the parameters and
 * qualifiers of the outer function. 0: the name is not nested in a function. */
static size_t skip_holder(framemap_str text, size_t at)
{
    static const char *const marks[] = {" const", " volatile", " &&", " &"};
    size_t end = skip_brackets(text, at);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (starts_with(text, end, marks[i])) end += strlen(marks[i]);
    return starts_with(text, end, "::") ? end : 0;
}

framemap_str fm_front_name_short(framemap_str shown)
{
    size_t begin = 0, at = 0;
    if (shown.size == 0) return shown; /* an absent string is not copied, since its data may be NULL */
    while (at < shown.size) {
        bool word_begin = at == 0 || !front_is_word(shown.data[at - 1]);
        if (word_begin && starts_with(shown, at, "operator") &&
            (at + 8 == shown.size || !front_is_word(shown.data[at + 8]))) {
            at = skip_operator(shown, at);
            break;
        }
        if (starts_with(shown, at, "(anonymous namespace)")) {
            at += strlen("(anonymous namespace)");
        } else if (word_begin && starts_with(shown, at, "decltype(")) {
            at = skip_brackets(shown, at + strlen("decltype"));
        } else if (shown.data[at] == '(' && at > begin) {
            size_t end = skip_holder(shown, at);
            if (!end) break; /* these brackets are the parameters at the end of the name */
            at = end;
        } else if (shown.data[at] == '<' || shown.data[at] == '{' || shown.data[at] == '(') {
            at = skip_brackets(shown, at);
        } else if (starts_with(shown, at, "::")) {
            begin = at += 2;
        } else if (shown.data[at] == ' ') {
            begin = ++at;
        } else {
            at++;
        }
    }
    return (framemap_str){shown.data + begin, at - begin};
}
