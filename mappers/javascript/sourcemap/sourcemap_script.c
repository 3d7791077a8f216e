/* Names the functions of the generated script by a merge join with the segments. See sourcemap_script.h. */
#include "mappers/javascript/sourcemap/sourcemap_script.h"

#include "core/error.h"
#include "core/text/scan.h"
#include "mappers/javascript/sourcemap/sourcemap_dart2js.h"
#include "mappers/javascript/sourcemap/sourcemap_intervals.h"
#include "mappers/javascript/sourcemap/sourcemap_sort.h"

/* Values of `names` that are not names. */
#define NO_SEGMENT UINT32_MAX /* no segment maps the position in the script */
/* the segment at the position has no name: bundlers do not write names for identifiers that they kept */
#define UNNAMED (UINT32_MAX - 1)

static uint64_t script_key(uint32_t line0, uint32_t col0) { return (uint64_t)line0 << 32 | col0; }

/* --- listing the positions to look up --- */

/* Whether a minifier may have removed the function's own name: it has none, and at most one name from outside, such as
 * a variable's. The start of such a function is looked up in the source. */
static bool may_be_nameless(const struct fm_js_functions *script, const struct fm_js_function *function)
{
    for (uint32_t i = 0; i < function->part_count; i++) {
        const struct fm_js_name_part *part = &script->parts[function->first_part + i];
        if (part->renamed &&
            script_key(part->at.line0, part->at.col0) >= script_key(function->begin.line0, function->begin.col0))
            return false;
    }
    return true;
}

static size_t list_places(const struct fm_sourcemap_script *t, struct fm_sourcemap_key *keys)
{
    const struct fm_js_functions *script = &t->js;
    size_t count = 0;
    for (size_t i = 0; i < script->part_count; i++) {
        const struct fm_js_name_part *part = &script->parts[i];
        if (part->renamed || (part->is_key && !t->dart))
            keys[count++] = (struct fm_sourcemap_key){script_key(part->at.line0, part->at.col0), (uint32_t)i};
    }
    for (size_t i = 0; i < script->function_count; i++) {
        const struct fm_js_text_position *begin = &script->functions[i].begin;
        if (t->dart || may_be_nameless(script, &script->functions[i]))
            keys[count++] =
                (struct fm_sourcemap_key){script_key(begin->line0, begin->col0), (uint32_t)(script->part_count + i)};
    }
    return count;
}

static enum fm_sourcemap_name_query_kind script_query_kind(const struct fm_js_functions *script, uint32_t which)
{
    if (which < script->part_count)
        return script->parts[which].is_key ? FM_SOURCEMAP_QUERY_KEY : FM_SOURCEMAP_QUERY_IDENTIFIER;
    return script->functions[which - script->part_count].begins_with_word ? FM_SOURCEMAP_QUERY_FUNCTION
                                                                          : FM_SOURCEMAP_QUERY_ARROW;
}

/* Lists the positions in the script that are looked up in the map. Several parts of names may be the same identifier,
 * because the name of a class is part of the names of all its methods. */
static void fill_places(struct fm_sourcemap_script *t, struct fm_sourcemap_key *keys)
{
    const size_t count = list_places(t, keys);
    fm_sourcemap_sort(keys, keys + t->place_room, count);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || keys[i].key != keys[i - 1].key) t->places[t->place_count++] = keys[i].key;
        struct fm_sourcemap_name_query *word = &t->queries[t->place_count - 1];
        if (i == 0 || keys[i].key != keys[i - 1].key)
            *word = (struct fm_sourcemap_name_query){
                .source = FM_NONE, .name = FM_NONE, .kind = script_query_kind(&t->js, keys[i].which)};
        if (keys[i].which < t->js.part_count) word->kind = script_query_kind(&t->js, keys[i].which);
        t->place_of[keys[i].which] = (uint32_t)(t->place_count - 1);
    }
    memset(t->names, 0xFF, t->place_count * sizeof *t->names);
    t->next_place = t->place_count > 0 ? t->places[0] : UINT64_MAX;
}

static framemap_status find_places(struct fm_sourcemap_script *t)
{
    struct fm_heap *heap = t->job->heap;
    const size_t room = t->js.part_count + t->js.function_count;
    t->next_place = UINT64_MAX;
    if (room == 0) return FRAMEMAP_OK;
    if (room >= UNNAMED)
        return fm_error_set(t->job->error, FRAMEMAP_E_LIMIT, "the script has more than 2^32 functions and names");
    t->place_room = room;
    struct fm_sourcemap_key *keys = fm_heap_resize(heap, NULL, 0, 2 * room * sizeof *keys);
    t->places = fm_heap_zalloc(heap, room, sizeof *t->places);
    t->place_of = fm_heap_zalloc(heap, room, sizeof *t->place_of);
    t->names = fm_heap_zalloc(heap, room, sizeof *t->names);
    t->exact = fm_heap_zalloc(heap, room, sizeof *t->exact);
    t->queries = fm_heap_zalloc(heap, room, sizeof *t->queries);
    const bool good = keys && t->places && t->place_of && t->names && t->exact && t->queries;
    if (good) {
        memset(t->place_of, 0xFF, room * sizeof *t->place_of);
        fill_places(t, keys);
    }
    fm_heap_free(heap, keys, keys ? 2 * room * sizeof *keys : 0);
    return good ? FRAMEMAP_OK : fm_error_memory(t->job->error);
}

/* --- counting segments at keywords --- */

#define WORD_SIZE 5 /* letters of the shortest keyword that starts a function */

/* Moves to the next function that starts with a keyword. */
static void script_next_word(struct fm_sourcemap_script *t)
{
    const struct fm_js_function *functions = t->js.functions;
    size_t next = t->next_function;
    while (next < t->js.function_count && !functions[next].begins_with_word) next++;
    t->next_function = next;
    t->next_word =
        next < t->js.function_count ? script_key(functions[next].begin.line0, functions[next].begin.col0) : UINT64_MAX;
    t->is_counted = false;
}

/* Counts whether a segment starts at a keyword or only inside of it. If segments start at both places, the one at the
 * start counts, because swc also maps positions inside the keywords of functions that it moved. */
static void script_pass_words(struct fm_sourcemap_script *t, uint64_t key)
{
    while (key >= t->next_word && key - t->next_word >= WORD_SIZE) {
        t->next_function++;
        script_next_word(t);
    }
    if (key < t->next_word || t->is_counted) return;
    t->whole += key == t->next_word;
    t->torn += key != t->next_word;
    t->is_counted = true;
}

/* --- counting segments outside of the text --- */

/* Reads the text up to a line. The empty line after the last line end is a line, too. */
static void script_read_line(struct fm_sourcemap_script *t, uint32_t line0)
{
    framemap_str line;
    while (t->lines_read <= line0 && fm_scan_code_line(&t->text, &line)) {
        t->lines_read++;
        t->line_size = (int64_t)line.size;
    }
    if (t->lines_read > line0) return;
    t->line_size = t->lines_read == line0 ? 0 : -1;
    t->lines_read = (uint64_t)line0 + 1;
}

/* Counts a segment after the end of its line, or after the last line. A line has no more columns than bytes. */
static inline void script_pass_line(struct fm_sourcemap_script *t, const struct fm_segment *segment)
{
    if (segment->line0 >= t->lines_read) script_read_line(t, segment->line0);
    t->outside += (int64_t)segment->col0 > t->line_size;
}

/* --- opening the script --- */

framemap_status fm_sourcemap_script_open(struct fm_sourcemap_script *t, framemap_str script,
                                         struct fm_sourcemap_job *job)
{
    framemap_error error = {.code = FRAMEMAP_OK};
    *t = (struct fm_sourcemap_script){.job = job,
                                      .bytes = script,
                                      .dart = fm_sourcemap_is_dart(&job->members),
                                      .last_key = UINT64_MAX,
                                      .text = fm_scan_of(script)};
    fm_arena_init(&t->texts, job->heap);
    framemap_status status = fm_js_functions_read(script, job->heap, &t->js, &error);
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(job->error);
    if (status != FRAMEMAP_OK) {
        fm_sourcemap_note(job->faults, error.message);
        fm_js_functions_free(&t->js);
        t->js = (struct fm_js_functions){.heap = job->heap};
    }
    script_next_word(t);
    return find_places(t);
}

void fm_sourcemap_script_free(struct fm_sourcemap_script *t)
{
    struct fm_heap *heap = t->job->heap;
    const size_t parts = t->place_room;
    fm_heap_free(heap, t->queries, t->queries ? parts * sizeof *t->queries : 0);
    fm_arena_free(&t->texts);
    fm_heap_free(heap, t->places, t->places ? parts * sizeof *t->places : 0);
    fm_heap_free(heap, t->place_of, t->place_of ? parts * sizeof *t->place_of : 0);
    fm_heap_free(heap, t->names, t->names ? parts * sizeof *t->names : 0);
    fm_heap_free(heap, t->exact, t->exact ? parts * sizeof *t->exact : 0);
    fm_js_functions_free(&t->js);
}

/* --- passing over the segments --- */

static void set_source(struct fm_sourcemap_name_query *word, const struct fm_segment *segment)
{
    word->source = segment->source;
    word->line0 = segment->original_line0;
    word->col0 = segment->original_col0;
}

static bool is_of_function(const struct fm_sourcemap_name_query *word)
{
    return word->kind != FM_SOURCEMAP_QUERY_IDENTIFIER && word->kind != FM_SOURCEMAP_QUERY_KEY;
}

/* Stores what a segment says about a listed position. exact: the segment starts at the position; otherwise it starts
 * one column before. A function that is called at once, as in "(function(){})()", may have its segment at the
 * parenthesis. */
static void script_record_segment(struct fm_sourcemap_script *t, size_t place, const struct fm_segment *segment,
                                  bool exact)
{
    const uint32_t name = segment->name;
    struct fm_sourcemap_name_query *word = &t->queries[place];
    if (exact && word->is_before) {
        word->source = FM_NONE;
        word->is_before = false;
    }
    /* If several segments are at a `function` keyword, the last one counts: if the function was moved here, it is the
     * function's own. At any other position the first one counts: at an arrow function, the last one belongs to the
     * parameter of the function. */
    const bool counts = exact && (!t->exact[place] || word->kind == FM_SOURCEMAP_QUERY_FUNCTION);
    if (counts && segment->source != FM_NONE)
        set_source(word, segment);
    else if (!exact && !t->exact[place] && is_of_function(word) && segment->source != FM_NONE) {
        set_source(word, segment);
        word->is_before = true;
    }
    const uint32_t found = name == FM_NONE ? UNNAMED : name;
    const bool better = exact && !t->exact[place];
    if (better || (exact == t->exact[place] && t->names[place] >= UNNAMED)) t->names[place] = found;
    if (exact) t->exact[place] = 1;
}

/* Text that is this many columns after a segment, and after the start of its line, may be unmapped. */
#define NEAR 100

/* Passes the listed positions before `end`, the position of a segment, and counts the identifiers in text that the map
 * describes. That is text on lines with segments, less than NEAR columns after a segment or after the start of the
 * line: bundlers do not map functions that they insert into a line. last: the position of the segment before `end`;
 * UINT64_MAX: there is none. */
static void script_pass_places(struct fm_sourcemap_script *t, uint64_t last, uint64_t end)
{
    const uint64_t line = end & ~(uint64_t)UINT32_MAX;
    for (; t->next < t->place_count && t->places[t->next] < end; t->next++) {
        const uint64_t place = t->places[t->next];
        const bool is_near = (place >= last && place - last < NEAR) || (place >= line && place - line < NEAR);
        t->mapped += is_near && t->queries[t->next].kind == FM_SOURCEMAP_QUERY_IDENTIFIER;
    }
}

/* Stores a segment for the listed positions to which it may belong. Some generators put a segment one column before the
 * identifier, at a parenthesis, a dot or a hash. last: the position of the segment before it. */
static void script_pass_segment(struct fm_sourcemap_script *t, const struct fm_segment *segment, uint64_t last)
{
    const uint64_t key = script_key(segment->line0, segment->col0);
    script_pass_places(t, last, key);
    t->next_place = t->next < t->place_count ? t->places[t->next] : UINT64_MAX;
    size_t at = t->next;
    if (at < t->place_count && t->places[at] == key) script_record_segment(t, at++, segment, true);
    if (at < t->place_count && t->places[at] == key + 1) script_record_segment(t, at, segment, false);
}

void fm_sourcemap_script_segments(struct fm_sourcemap_script *t, const struct fm_segment *segments, size_t count)
{
    uint64_t last = t->last_key;
    t->segments += count;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || segments[i].line0 != segments[i - 1].line0) t->lines++;
        const uint64_t key = script_key(segments[i].line0, segments[i].col0);
        script_pass_line(t, &segments[i]);
        if (key >= t->next_word) script_pass_words(t, key);
        if (key + 1 >= t->next_place) script_pass_segment(t, &segments[i], last);
        last = key;
    }
    t->last_key = last;
}

/* --- looking up names in the sources --- */

/* Whether a name may be one that webpack made when it joined modules, to avoid collisions: "closures_depth", "depth_0".
 * Minifiers that do not get the names of the sources (swc's, esbuild's) write such names to the map. */
static bool may_be_joined(const struct fm_sourcemap_script *t, uint32_t name)
{
    return fm_str_find_byte(fm_builder_segment_name_text(t->job->builder, name), '_') != FM_NOT_FOUND;
}

framemap_status fm_sourcemap_script_sources(struct fm_sourcemap_script *t)
{
    const size_t end = t->next < t->place_count ? t->next + 1 : t->place_count;
    if (t->answered == end) return FRAMEMAP_OK;
    /* leaves out queries for identifiers for which the map has a name or no segment */
    for (size_t i = t->answered; i < end; i++) {
        const bool known = t->names[i] == NO_SEGMENT || (t->names[i] != UNNAMED && !may_be_joined(t, t->names[i]));
        if (t->queries[i].kind == FM_SOURCEMAP_QUERY_KEY ||
            (t->queries[i].kind == FM_SOURCEMAP_QUERY_IDENTIFIER && known))
            t->queries[i].source = FM_NONE;
        if (t->queries[i].kind == FM_SOURCEMAP_QUERY_FUNCTION && t->exact[i] && t->names[i] < UNNAMED)
            t->queries[i].name = t->names[i];
    }
    const framemap_status status =
        fm_sourcemap_names_in_source(t->job, t->queries + t->answered, end - t->answered, &t->texts);
    /* The last position that was passed may belong to the next map, so its query is not answered yet. */
    t->answered = t->next < end ? t->next : end;
    return status;
}

/* --- making the names of functions --- */

/* Whether a name is a modifier such as "static", which may precede the name of a member: terser writes it to the map
 * instead of the member's name. */
static bool is_modifier(framemap_str name)
{
    static const framemap_str words[] = {FM_STR_INIT("async"), FM_STR_INIT("get"), FM_STR_INIT("set"),
                                         FM_STR_INIT("static"), FM_STR_INIT("function")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_equal(name, words[i])) return true;
    return false;
}

/* Returns the name of the segment that starts at a listed position; size 0: there is no such segment, or it has no
 * name. Names with a dot are ignored, because they are descriptions, which early TypeScript wrote. */
static framemap_str script_exact_name(const struct fm_sourcemap_script *t, uint32_t place)
{
    if (place == UINT32_MAX || !t->exact[place] || t->names[place] >= UNNAMED) return FM_STR("");
    const framemap_str name = fm_builder_segment_name_text(t->job->builder, t->names[place]);
    return fm_str_find_byte(name, '.') != FM_NOT_FOUND || is_modifier(name) ? FM_STR("") : name;
}

/* Returns the name of a property: the name of the segment that starts there, or, if there is no such segment, the name
 * in the script. */
static framemap_str script_key_name(const struct fm_sourcemap_script *t, size_t number)
{
    const framemap_str name = script_exact_name(t, t->place_of[number]);
    return name.size > 0 ? name : t->js.parts[number].text;
}

/* Returns a part of a name as spelled in the sources; size 0: the spelling is unknown. */
static framemap_str script_original_name(const struct fm_sourcemap_script *t, size_t number)
{
    const struct fm_js_name_part *part = &t->js.parts[number];
    if (part->is_key) return script_key_name(t, number);
    const uint32_t name = part->renamed ? t->names[t->place_of[number]] : UNNAMED;
    if (name == NO_SEGMENT) return FM_STR("");
    const framemap_str word = part->renamed ? t->queries[t->place_of[number]].text : FM_STR("");
    if (name == UNNAMED) return word.size > 0 ? word : part->text;
    const framemap_str text = fm_builder_segment_name_text(t->job->builder, name);
    return fm_sourcemap_is_joined_name(text, word) ? word : text;
}

/* Returns the name that Dart's compiler gave the function at its start; NO_SEGMENT: the map has no name there. */
static uint32_t script_dart_name(const struct fm_sourcemap_script *t, size_t function)
{
    const uint32_t place = t->place_of[t->js.part_count + function];
    return place != UINT32_MAX && t->exact[place] ? t->names[place] : NO_SEGMENT;
}

#define WORDS_ENOUGH 16
/* least number of identifiers to judge a map by, because TypeScript does not map the name of a class */
#define FEW 4
#define SPARSE 4 /* a map with fewer segments per line maps only statements */
/* At most one keyword in 20 may have a segment inside, since generators may map code that they inserted there. */
#define TORN_MOST 20
/* At most one segment in 20 may be outside of the text, since tools may remove blanks at the ends of lines afterwards.
 */
#define OUTSIDE_MOST 20
#define RENAMED_MOST 20 /* one identifier in 20 may be renamed, because bundlers rename a few that would collide */

/* Whether a map of Dart's compiler fits the script: it names the start of each Dart function, but the script also has
 * functions of the compiler's JavaScript library. */
static bool dart_fits(const struct fm_sourcemap_script *t)
{
    size_t named = 0;
    for (size_t i = 0; i < t->js.function_count; i++) named += script_dart_name(t, i) < UNNAMED;
    return named > t->torn && named * 8 >= t->js.function_count;
}

/* Whether the map belongs to this script. The map of another build would have segments at arbitrary positions, also
 * outside of the text and inside of keywords, so only few segments and keywords may be so. If there are too few
 * keywords to decide, the identifiers in mapped text must have segments. Other text does not count, because compilers
 * and bundlers do not map the functions that they insert. */
static bool script_fits_map(const struct fm_sourcemap_script *t)
{
    size_t landed = 0;
    if (t->outside > t->segments / OUTSIDE_MOST) return false;
    if (t->dart) return dart_fits(t);
    if (t->whole + t->torn >= WORDS_ENOUGH || t->segments <= SPARSE * t->lines) return t->torn * TORN_MOST <= t->whole;
    if (t->mapped < FEW) return t->torn == 0;
    for (size_t i = 0; i < t->place_count; i++)
        landed += t->queries[i].kind == FM_SOURCEMAP_QUERY_IDENTIFIER && t->names[i] != NO_SEGMENT;
    return landed * 2 >= t->mapped && t->torn <= t->whole;
}

/* Takes the script's spelling for identifiers without a segment if nothing was renamed, since they are then spelled as
 * in the sources. */
static void resolve_unmapped(struct fm_sourcemap_script *t)
{
    size_t landed = 0, renamed = 0;
    for (size_t i = 0; i < t->js.part_count; i++) {
        const struct fm_js_name_part *part = &t->js.parts[i];
        if (!part->renamed || t->names[t->place_of[i]] == NO_SEGMENT) continue;
        landed++;
        renamed += !fm_str_equal(script_original_name(t, i), part->text);
    }
    if (renamed * RENAMED_MOST > landed) return;
    for (size_t i = 0; i < t->place_count; i++)
        if (t->names[i] == NO_SEGMENT) t->names[i] = UNNAMED;
}

static bool begins_capital(framemap_str text) { return text.size > 0 && text.data[0] >= 'A' && text.data[0] <= 'Z'; }

static bool leads_to_same(const struct fm_sourcemap_script *t, uint32_t a, uint32_t b)
{
    return a != UINT32_MAX && b != UINT32_MAX && t->exact[a] && t->exact[b] &&
           t->queries[a].line0 == t->queries[b].line0 && t->queries[a].col0 == t->queries[b].col0;
}

/* Whether a function starts right after a property without a segment: terser gives the segment of a method with
 * modifiers to the first modifier ("static a(", "get a("). */
static bool is_after_modifiers(const struct fm_sourcemap_script *t, const struct fm_js_name_part *key, uint32_t place,
                               const struct fm_js_function *function)
{
    return !t->exact[place] && key->at.line0 == function->begin.line0 &&
           /* this compares columns, so it assumes that the name is ASCII; after any other name the function is not
            * recognized */
           key->at.col0 + key->text.size == function->begin.col0;
}

/* Returns the last part of a function's name. If a property was renamed, terser and Closure Compiler write the original
 * name to the segment at the start of its function, and that segment has the property's source position. */
static framemap_str script_member_name(const struct fm_sourcemap_script *t, size_t number)
{
    const struct fm_js_function *function = &t->js.functions[number];
    const size_t last = function->first_part + function->part_count - 1;
    const struct fm_js_name_part *part = &t->js.parts[last];
    const uint32_t start = t->place_of[t->js.part_count + number], key = t->place_of[last];
    if (!part->is_key ||
        !(is_after_modifiers(t, part, key, function) || (t->names[key] == UNNAMED && leads_to_same(t, key, start))))
        return script_original_name(t, last);
    const framemap_str name = script_exact_name(t, start);
    return name.size > 0 ? name : part->text;
}

/* Whether the name found for an owner is really that of its member. Closure Compiler writes a method of a class as
 * "T.prototype.add", and maps all of this text to the name of the method. */
static bool is_of_member(const struct fm_sourcemap_script *t, size_t number, framemap_str text, framemap_str member)
{
    return t->js.parts[number].renamed && t->names[t->place_of[number]] == UNNAMED && fm_str_equal(text, member) &&
           !fm_str_equal(text, t->js.parts[number].text);
}

/* Appends the function's name. A part whose spelling is unknown is left out, and so is the dot after it. */
static void script_spell_name(const struct fm_sourcemap_script *t, size_t number, struct fm_buf *name)
{
    const struct fm_js_function *function = &t->js.functions[number];
    const size_t end = function->first_part + function->part_count;
    const framemap_str member = end > function->first_part ? script_member_name(t, number) : FM_STR("");
    for (size_t i = function->first_part; i < end && name->size <= FM_LIMIT_SCRIPT_NAME; i++) {
        const bool last = i + 1 == end;
        const framemap_str text = last ? member : script_original_name(t, i);
        if (last && text.size == 0 && !name->failed) fm_buf_clear(name);
        if (text.size == 0 || (t->js.parts[i].if_capital && !begins_capital(text)) ||
            (!last && is_of_member(t, i, text, member)))
            i++;
        else
            (void)fm_buf_str(name, text);
    }
}

/* Whether the function is named by a variable only. */
static bool is_of_variable(const struct fm_sourcemap_script *t, const struct fm_js_function *function)
{
    return function->part_count == 1 && t->js.parts[function->first_part].renamed;
}

/* Whether nothing but the parts of its name is known about the function. */
static bool has_parts_only(const struct fm_sourcemap_script *t, size_t number)
{
    const uint32_t place = t->place_of[t->js.part_count + number];
    return place == UINT32_MAX || t->queries[place].kind == FM_SOURCEMAP_QUERY_IDENTIFIER ||
           (!t->queries[place].argument && t->queries[place].text.size == 0);
}

/* Whether the function has the same name as the previous function, because both names were inferred together. There may
 * be millions of such functions with one long name, which is made only once. */
static bool is_as_before(const struct fm_sourcemap_script *t, size_t number)
{
    const struct fm_js_function *function = &t->js.functions[number];
    return number > 0 && function->first_part == function[-1].first_part &&
           function->part_count == function[-1].part_count && function->part_count > 0 && has_parts_only(t, number) &&
           has_parts_only(t, number - 1);
}

/* Replaces the function's name by the name in the source, if the source's name is more informative. A function that is
 * an argument in the source gets "<anonymous>" if only a variable names it in the script: a minifier that inlines a
 * call turns arguments into variables. */
static void use_own_name(const struct fm_sourcemap_script *t, size_t number, struct fm_buf *name)
{
    const uint32_t place = t->place_of[t->js.part_count + number];
    if (place == UINT32_MAX || t->queries[place].kind == FM_SOURCEMAP_QUERY_IDENTIFIER || name->failed) return;
    const bool argument = t->queries[place].argument && is_of_variable(t, &t->js.functions[number]);
    const framemap_str own = argument ? FM_STR("<anonymous>") : t->queries[place].text;
    if (own.size == 0 || fm_str_ends(fm_buf_view(name), own)) return;
    fm_buf_clear(name);
    (void)fm_buf_str(name, own);
}

static framemap_status name_function(const struct fm_sourcemap_script *t, size_t number, struct fm_buf *buffer,
                                     uint32_t *out)
{
    *out = FM_NONE;
    fm_buf_clear(buffer);
    script_spell_name(t, number, buffer);
    use_own_name(t, number, buffer);
    if (buffer->failed) return fm_error_memory(t->job->error);
    if (buffer->size == 0 || buffer->size > FM_LIMIT_SCRIPT_NAME) return FRAMEMAP_OK;
    return fm_builder_string(t->job->builder, fm_buf_view(buffer), out, t->job->error);
}

/* Names a function as the map of Dart's compiler does. Closures that the compiler added inside functions (for async
 * code or callbacks) have no name in the map: they get the name of the enclosing function. */
static framemap_status name_dart_function(const struct fm_sourcemap_script *t, size_t number, struct fm_buf *buffer,
                                          uint32_t *names)
{
    const uint32_t name = script_dart_name(t, number), outer = t->js.functions[number].outer;
    names[number] = outer == FM_JS_NONE ? FM_NONE : names[outer];
    return name < UNNAMED ? fm_sourcemap_dart_name(t->job, name, buffer, &names[number]) : FRAMEMAP_OK;
}

/* --- writing the intervals of functions --- */

static bool script_add_interval(struct fm_sourcemap_intervals *intervals, struct fm_js_text_position place,
                                uint32_t function)
{
    return fm_sourcemap_intervals_add(intervals, (struct fm_sourcemap_interval){place.line0, place.col0, function});
}

/* Writes the intervals: each function starts one; where the function ends, an interval of its enclosing function starts
 * again. names: the name of each function, if it has one. */
static bool script_emit_functions(const struct fm_sourcemap_script *t, const uint32_t *names,
                                  struct fm_sourcemap_intervals *intervals)
{
    const struct fm_js_function *functions = t->js.functions;
    uint32_t open = FM_JS_NONE;
    for (size_t i = 0; i <= t->js.function_count; i++) {
        const bool last = i == t->js.function_count;
        while (open != (last ? FM_JS_NONE : functions[i].outer)) {
            const uint32_t outer = functions[open].outer;
            if (!script_add_interval(intervals, functions[open].end, outer == FM_JS_NONE ? FM_NONE : names[outer]))
                return false;
            open = outer;
        }
        if (!last && !script_add_interval(intervals, functions[i].begin, names[i])) return false;
        open = (uint32_t)i;
    }
    return true;
}

static framemap_status hand_on(const struct fm_sourcemap_script *t, const struct fm_sourcemap_intervals *intervals)
{
    framemap_status status = FRAMEMAP_OK;
    uint32_t function = FM_NONE;
    for (size_t i = 0; status == FRAMEMAP_OK && i < intervals->count; i++) {
        const struct fm_sourcemap_interval *s = &intervals->list[i];
        if (s->function != function)
            status = fm_builder_generated_stretch(t->job->builder, s->line0, s->col0, s->function, FM_FUNCTION_TEXT,
                                                  t->job->error);
        function = s->function;
    }
    return status;
}

static framemap_status name_all(const struct fm_sourcemap_script *t, uint32_t *names)
{
    struct fm_sourcemap_intervals intervals = {.heap = t->job->heap};
    struct fm_buf buffer;
    framemap_status status = FRAMEMAP_OK;
    fm_buf_init(&buffer, t->job->heap);
    for (size_t i = 0; status == FRAMEMAP_OK && i < t->js.function_count; i++) {
        if (t->dart)
            status = name_dart_function(t, i, &buffer, names);
        else if (is_as_before(t, i))
            names[i] = names[i - 1];
        else
            status = name_function(t, i, &buffer, &names[i]);
    }
    if (status == FRAMEMAP_OK && !script_emit_functions(t, names, &intervals)) status = fm_error_memory(t->job->error);
    if (status == FRAMEMAP_OK)
        status = t->dart ? fm_sourcemap_dart_write_intervals(t->job, t->bytes, &intervals) : hand_on(t, &intervals);
    fm_buf_free(&buffer);
    fm_sourcemap_intervals_free(&intervals);
    return status;
}

framemap_status fm_sourcemap_script_finish(struct fm_sourcemap_script *t)
{
    const size_t count = t->js.function_count;
    if (count == 0) return FRAMEMAP_OK;
    script_pass_places(t, t->last_key, UINT64_MAX); /* the positions after the last segment */
    if (!script_fits_map(t)) {
        fm_sourcemap_note(t->job->faults,
                          "the source map does not belong to this script: no function names are taken from the script");
        return FRAMEMAP_OK;
    }
    if (!t->dart) resolve_unmapped(t);
    uint32_t *names = fm_heap_zalloc(t->job->heap, count, sizeof *names);
    if (names == NULL) return fm_error_memory(t->job->error);
    const framemap_status status = name_all(t, names);
    fm_heap_free(t->job->heap, names, count * sizeof *names);
    return status;
}
