/* Finds names at positions of the original sources. See sourcemap_names_in_source.h. */
#include "mappers/javascript/sourcemap/sourcemap_names_in_source.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/scan.h"
#include "mappers/javascript/sourcemap/sourcemap_sort.h"

/* --- reading tokens of a source --- */

static bool is_part(unsigned char c)
{
    return fm_is_digit((char)c) || (unsigned)((c | 32) - 'a') < 26 || c == '_' || c == '$' || c >= 0x80;
}
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

#define BLANKS 256 /* most blanks to skip between two tokens of a declaration; the limit keeps the time linear */

static size_t source_skip_blanks(framemap_str text, size_t at)
{
    for (unsigned most = 0; most < BLANKS && at < text.size && is_blank(text.data[at]); most++) at++;
    return at;
}

static bool is_one_of(framemap_str word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fm_str_equal(word, framemap_str_of(words[i]))) return true;
    return false;
}

/* Whether a word is a keyword. Where a name is expected, maps of compilers often lead to the keyword that starts a
 * declaration. Some words are keywords only before another word. */
static bool is_reserved(framemap_str word, framemap_str text, size_t after)
{
    static const char *const always[] = {
        "await",  "case", "class",    "const", "constructor", "default", "delete", "do",   "else",  "enum",   "export",
        "false",  "for",  "function", "if",    "import",      "in",      "let",    "new",  "null",  "return", "super",
        "switch", "this", "throw",    "true",  "try",         "typeof",  "var",    "void", "while", "with",   "yield"};
    static const char *const before[] = {"abstract", "async",     "declare", "get",      "namespace", "override",
                                         "private",  "protected", "public",  "readonly", "set",       "static"};
    if (is_one_of(word, always, sizeof always / sizeof always[0])) return true;
    const size_t next = source_skip_blanks(text, after);
    const bool more =
        next < text.size && (is_part((unsigned char)text.data[next]) || strchr("#*[\"'", text.data[next]));
    return more && is_one_of(word, before, sizeof before / sizeof before[0]);
}

/* Returns the identifier at an offset. Identifiers with escapes are ignored, because they would have to be decoded. */
static framemap_str identifier(framemap_str text, size_t at)
{
    const size_t begin = at;
    if (at < text.size && text.data[at] == '#') at++;
    if (at >= text.size || fm_is_digit(text.data[at])) return FM_STR("");
    while (at < text.size && is_part((unsigned char)text.data[at])) at++;
    framemap_str word = fm_str_slice(text, begin, at);
    if (fm_str_equal(word, FM_STR("#"))) word.size = 0;
    const bool escaped = at < text.size && text.data[at] == '\\';
    return escaped || word.size > FM_LIMIT_SCRIPT_NAME || is_reserved(word, text, at) ? FM_STR("") : word;
}

/* Skips a keyword and the blanks after it; returns `at` if another word is there. */
static size_t skip_word(framemap_str text, size_t at, const char *word)
{
    const framemap_str wanted = framemap_str_of(word);
    const size_t end = at + wanted.size;
    if (!fm_str_equal(fm_str_slice(text, at, end), wanted) ||
        (end < text.size && is_part((unsigned char)text.data[end])))
        return at;
    return source_skip_blanks(text, end);
}

static framemap_str declared(framemap_str text, size_t at)
{
    static const char *const before[] = {"export", "default", "async"};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) at = skip_word(text, at, before[i]);
    const size_t after = skip_word(text, at, "function");
    if (after == at) return FM_STR("");
    return identifier(text, after < text.size && text.data[after] == '*' ? source_skip_blanks(text, after + 1) : after);
}

static size_t blanks_before(framemap_str text, size_t at)
{
    for (unsigned most = 0; most < BLANKS && at > 0 && is_blank(text.data[at - 1]); most++) at--;
    return at;
}

static size_t word_before(framemap_str text, size_t at)
{
    for (size_t most = 0; at > 0 && most < FM_LIMIT_SCRIPT_NAME && is_part((unsigned char)text.data[at - 1]); most++)
        at--;
    return at;
}

/* Returns the name in a `const name = ` that is directly before the position. Other forms are not accepted, because
 * types may be between name and value. */
static framemap_str first_value(framemap_str text, size_t at)
{
    size_t end = blanks_before(text, at);
    if (end == 0 || text.data[end - 1] != '=') return FM_STR("");
    end = blanks_before(text, end - 1);
    const size_t begin = word_before(text, end), blank = blanks_before(text, begin);
    const framemap_str word = fm_str_slice(text, word_before(text, blank), blank);
    const bool declares =
        fm_str_equal(word, FM_STR("const")) || fm_str_equal(word, FM_STR("let")) || fm_str_equal(word, FM_STR("var"));
    return declares && blank < begin && begin < end ? identifier(text, begin) : FM_STR("");
}

static bool ends_in_word(framemap_str name, framemap_str word)
{
    return name.size > word.size && fm_str_ends(name, word) && name.data[name.size - word.size - 1] == '_';
}

bool fm_sourcemap_is_joined_name(framemap_str name, framemap_str word)
{
    size_t end = name.size;
    while (end > 0 && fm_is_digit(name.data[end - 1])) end--;
    const bool numbered = end > 1 && end < name.size && name.data[end - 1] == '_';
    const framemap_str stem = fm_str_slice(name, 0, numbered ? end - 1 : 0);
    return word.size > 0 && (ends_in_word(name, word) || ends_in_word(stem, word) || fm_str_equal(stem, word));
}

/* Returns the name of the function that is called at an offset. If a function is used only once, swc writes the
 * function itself in the place of its name, with the segment of the name: "x = run(1)" becomes "x =
 * function(n){}(1)". */
static framemap_str called(framemap_str text, size_t at, framemap_str name)
{
    const framemap_str word = identifier(text, at);
    return fm_str_equal(word, name) || fm_sourcemap_is_joined_name(name, word) ? word : FM_STR("");
}

framemap_str fm_sourcemap_name_at(framemap_str text, size_t at, enum fm_sourcemap_name_query_kind kind)
{
    if (kind == FM_SOURCEMAP_QUERY_IDENTIFIER) return identifier(text, at);
    const framemap_str name = declared(text, at);
    return name.size > 0 ? name : first_value(text, at);
}

static bool begins_function(framemap_str text, size_t at)
{
    if (at < text.size && text.data[at] == '(') return true;
    if (skip_word(text, at, "async") != at || skip_word(text, at, "function") != at) return true;
    const size_t size = identifier(text, at).size;
    const size_t after = source_skip_blanks(text, at + size);
    return size > 0 && fm_str_equal(fm_str_slice(text, after, after + 2), FM_STR("=>"));
}

/* Whether the position is directly after the opening parenthesis of a call, which must have a callee before it. A
 * position after a comma does not count: it may be in an array, where engines name functions by the array. */
bool fm_sourcemap_is_argument_at(framemap_str text, size_t at)
{
    const size_t before = blanks_before(text, at);
    if (before == 0 || !begins_function(text, at)) return false;
    const size_t called = blanks_before(text, before - 1);
    if (text.data[before - 1] != '(' || called == 0) return false;
    const char last = text.data[called - 1];
    return is_part((unsigned char)last) || last == ')' || last == ']';
}

/* --- moving through the text of a source --- */

/* A position in a text that only moves forward. Lines end at LF, CR LF and CR; columns are UTF-16 units. */
struct source_position {
    framemap_str text;
    size_t at;
    uint32_t line0, col0;
};

static bool at_line_end(const struct source_position *pos)
{
    return pos->at >= pos->text.size || pos->text.data[pos->at] == '\n' || pos->text.data[pos->at] == '\r';
}

static bool source_next_line(struct source_position *pos)
{
    while (!at_line_end(pos)) pos->at++;
    if (pos->at >= pos->text.size) return false;
    const bool two =
        pos->text.data[pos->at] == '\r' && pos->at + 1 < pos->text.size && pos->text.data[pos->at + 1] == '\n';
    pos->at += two ? 2 : 1;
    pos->line0++;
    pos->col0 = 0;
    return true;
}

static void next_column(struct source_position *pos)
{
    const unsigned char c = (unsigned char)pos->text.data[pos->at++];
    pos->col0 += c >= 0xF0 ? 2 : 1;
    while (pos->at < pos->text.size && (pos->text.data[pos->at] & 0xC0) == 0x80) pos->at++;
}

static bool move_to(struct source_position *pos, const struct fm_sourcemap_name_query *word)
{
    while (pos->line0 < word->line0)
        if (!source_next_line(pos)) return false;
    while (pos->col0 < word->col0 && !at_line_end(pos)) next_column(pos);
    return pos->line0 == word->line0 && pos->col0 == word->col0;
}

/* --- answering the queries source by source --- */

/* The queries of all sources, sorted by source and position. They are sorted first by column, then stably by source and
 * line. */
struct source_queries {
    struct fm_sourcemap_name_query *words;
    struct fm_sourcemap_key *keys;
    size_t count, next;
};

static bool source_gather_queries(struct fm_sourcemap_job *job, struct source_queries *queries, size_t count)
{
    queries->keys = fm_heap_zalloc(job->heap, 2 * count, sizeof *queries->keys);
    if (queries->keys == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        const struct fm_sourcemap_name_query *word = &queries->words[i];
        if (word->source == FM_NONE || word->source < job->source_base ||
            word->source - job->source_base >= job->source_count)
            continue;
        queries->keys[queries->count++] = (struct fm_sourcemap_key){word->col0, (uint32_t)i};
    }
    fm_sourcemap_sort(queries->keys, queries->keys + count, queries->count);
    for (size_t i = 0; i < queries->count; i++) {
        const struct fm_sourcemap_name_query *word = &queries->words[queries->keys[i].which];
        queries->keys[i].key = (uint64_t)word->source << 32 | word->line0;
    }
    fm_sourcemap_sort(queries->keys, queries->keys + count, queries->count);
    return true;
}

/* Returns the name of a function whose start in the script leads to this offset of a source. */
static framemap_str function_at(const struct fm_sourcemap_job *job, const struct fm_sourcemap_name_query *word,
                                framemap_str text, size_t at)
{
    framemap_str found = FM_STR("");
    if (word->is_before) return declared(text, at);
    if (word->name != FM_NONE) found = called(text, at, fm_builder_segment_name_text(job->builder, word->name));
    return found.size > 0 ? found : fm_sourcemap_name_at(text, at, word->kind);
}

static bool read_source(const struct fm_sourcemap_job *job, struct source_queries *queries, uint32_t source,
                        framemap_str text, struct fm_arena *arena)
{
    struct source_position pos = {.text = text};
    for (; queries->next < queries->count && queries->keys[queries->next].key >> 32 == source; queries->next++) {
        struct fm_sourcemap_name_query *word = &queries->words[queries->keys[queries->next].which];
        if (!move_to(&pos, word)) continue;
        const framemap_str found = function_at(job, word, text, pos.at);
        if (found.size > 0 && !fm_arena_str(arena, found, &word->text)) return false;
        word->argument = found.size == 0 && word->kind != FM_SOURCEMAP_QUERY_IDENTIFIER && !word->is_before &&
                         fm_sourcemap_is_argument_at(text, pos.at);
    }
    return true;
}

static framemap_status read_sources(struct fm_sourcemap_job *job, struct source_queries *queries,
                                    struct fm_arena *arena)
{
    struct fm_json_walk walk;
    struct fm_json_piece element;
    fm_json_walk_init(&walk, job->members.at[FM_SOURCEMAP_MEMBER_CONTENTS].raw);
    if (queries->count == 0 || !fm_json_walk_open(&walk, FM_JSON_ARRAY)) return FRAMEMAP_OK;
    for (uint32_t i = job->source_base; queries->next < queries->count && fm_json_walk_next(&walk, NULL, &element);
         i++) {
        framemap_str text = FM_STR("");
        if (queries->keys[queries->next].key >> 32 != i) continue;
        const bool some = element.type == FM_JSON_STRING && element.raw.size <= FM_LIMIT_SCRIPT_SOURCE;
        if (some && !fm_json_piece_text(&element, &job->texts, &text)) return fm_error_memory(job->error);
        if (!read_source(job, queries, i, text, arena)) return fm_error_memory(job->error);
        fm_sourcemap_job_reset_texts(job);
    }
    return FRAMEMAP_OK;
}

framemap_status fm_sourcemap_names_in_source(struct fm_sourcemap_job *job, struct fm_sourcemap_name_query *words,
                                             size_t count, struct fm_arena *arena)
{
    struct source_queries queries = {.words = words};
    if (count == 0 || !fm_sourcemap_is(&job->members, FM_SOURCEMAP_MEMBER_CONTENTS, FM_JSON_ARRAY)) return FRAMEMAP_OK;
    if (!source_gather_queries(job, &queries, count)) return fm_error_memory(job->error);
    const framemap_status status = read_sources(job, &queries, arena);
    fm_heap_free(job->heap, queries.keys, 2 * count * sizeof *queries.keys);
    return status;
}
