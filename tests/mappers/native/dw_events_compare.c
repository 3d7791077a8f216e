/* Compares two recordings of dw_events.c, and checks one against the rules of dw_visitor.h. See dw_events.h. */
#include "core/text/text.h"
#include "tests/mappers/native/dw_event_stream.h"

#include <inttypes.h>
#include <string.h>

/* --- comparing the events of two backends --- */

/* Two streams that are compared, and the current position in each, in words. */
struct pair {
    const char *what; /* what the streams contain, for messages */
    const struct dw_stream *streams[2];
    const char *names[2];
    size_t at[2], end[2];
    uint64_t unit;  /* offset of the current unit in .debug_info; UINT64_MAX: no unit was begun */
    uint64_t entry; /* offset of the debug entry that was entered last; UINT64_MAX: no entry was entered */
    FILE *to;
};

static bool same_field(const struct pair *pair, size_t a, size_t b, enum dw_shape shape)
{
    if (shape == DW_SHAPE_TEXT)
        return fm_str_equal(dw_stream_text(pair->streams[0], a), dw_stream_text(pair->streams[1], b));
    size_t words = dw_field_words(pair->streams[0], a, shape);
    if (words != dw_field_words(pair->streams[1], b, shape)) return false;
    return memcmp(pair->streams[0]->words + a, pair->streams[1]->words + b, words * sizeof(uint64_t)) == 0;
}

static void print_place(const struct pair *pair)
{
    fputs(pair->what, pair->to);
    if (pair->unit != UINT64_MAX) fprintf(pair->to, ", unit at 0x%" PRIx64, pair->unit);
    if (pair->entry != UINT64_MAX) fprintf(pair->to, ", entry 0x%" PRIx64, pair->entry);
    fputs(": ", pair->to);
}

static void print_both(const struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        if (pair->at[i] < pair->end[i]) dw_print_event(pair->streams[i], pair->at[i], pair->names[i], pair->to);
    }
}

static bool differ_in_kind(const struct pair *pair)
{
    if (pair->to == NULL) return false;
    print_place(pair);
    for (int i = 0; i < 2; i++) {
        const bool more = pair->at[i] < pair->end[i];
        fprintf(pair->to, "%s reports %s%s", pair->names[i],
                more ? dw_event_table[pair->streams[i]->words[pair->at[i]]].name : "nothing more",
                i == 0 ? " where " : "\n");
    }
    print_both(pair);
    return false;
}

static bool differ_in_field(const struct pair *pair, const struct dw_field *field, size_t a, size_t b)
{
    if (pair->to == NULL) return false;
    print_place(pair);
    fprintf(pair->to, "%s of %s is ", field->name, dw_event_table[pair->streams[0]->words[pair->at[0]]].name);
    dw_print_field(pair->streams[0], a, field->shape, pair->to);
    fprintf(pair->to, " by %s and ", pair->names[0]);
    dw_print_field(pair->streams[1], b, field->shape, pair->to);
    fprintf(pair->to, " by %s\n", pair->names[1]);
    print_both(pair);
    return false;
}

static bool same_event(const struct pair *pair)
{
    size_t a = pair->at[0], b = pair->at[1];
    const uint64_t kind = pair->streams[0]->words[a];

    if (kind != pair->streams[1]->words[b]) return differ_in_kind(pair);
    a++, b++;
    for (const struct dw_field *field = dw_event_table[kind].fields; field->shape != DW_SHAPE_END; field++) {
        if (!same_field(pair, a, b, field->shape)) return differ_in_field(pair, field, a, b);
        a += dw_field_words(pair->streams[0], a, field->shape);
        b += dw_field_words(pair->streams[1], b, field->shape);
    }
    return true;
}

static bool same_streams(struct pair *pair)
{
    while (pair->at[0] < pair->end[0] && pair->at[1] < pair->end[1]) {
        if (!same_event(pair)) return false;
        const uint64_t *words = pair->streams[0]->words + pair->at[0];
        if (words[0] == DW_EVENT_ENTER) pair->entry = words[1];
        for (int i = 0; i < 2; i++) pair->at[i] += dw_event_words(pair->streams[i], pair->at[i]);
        if (words[0] == DW_EVENT_DONE) return true; /* both streams are at the end of the unit */
    }
    return (pair->at[0] == pair->end[0] && pair->at[1] == pair->end[1]) || differ_in_kind(pair);
}

static size_t next_unit(const struct dw_events *events, size_t number)
{
    while (number < events->unit_count && events->units[number].status == FRAMEMAP_E_CORRUPT) number++;
    return number;
}

/* Returns the position of a unit's claim, or of DONE after the last claim. */
static size_t claim_at(const struct dw_events *events, size_t number)
{
    if (number < events->unit_count) return events->units[number].claim;
    size_t at = 0;
    while (at < events->claims.count && events->claims.words[at] != DW_EVENT_DONE)
        at += dw_event_words(&events->claims, at);
    return at;
}

static bool same_unit(const struct dw_events *a, size_t i, const struct dw_events *b, size_t j, struct pair pair)
{
    pair.what = "claims";
    pair.streams[0] = &a->claims, pair.streams[1] = &b->claims;
    pair.at[0] = claim_at(a, i), pair.at[1] = claim_at(b, j);
    pair.end[0] = a->claims.count, pair.end[1] = b->claims.count;
    if (!same_event(&pair)) return false;
    if (i == a->unit_count) return true;
    pair.what = "files";
    pair.unit = a->units[i].offset;
    pair.streams[0] = &a->files, pair.streams[1] = &b->files;
    pair.at[0] = a->units[i].files_from, pair.at[1] = b->units[j].files_from;
    pair.end[0] = a->files.count, pair.end[1] = b->files.count;
    if (!same_streams(&pair)) return false;
    pair.what = "units";
    pair.streams[0] = &a->bodies, pair.streams[1] = &b->bodies;
    pair.at[0] = a->units[i].from, pair.at[1] = b->units[j].from;
    pair.end[0] = a->bodies.count, pair.end[1] = b->bodies.count;
    return same_streams(&pair);
}

bool dw_events_equal(const struct dw_events *a, const char *a_name, const struct dw_events *b, const char *b_name,
                     FILE *to)
{
    struct pair pair = {.names = {a_name, b_name}, .unit = UINT64_MAX, .entry = UINT64_MAX, .to = to};
    struct pair faults = pair;
    size_t i = next_unit(a, 0), j = next_unit(b, 0);

    for (;; i = next_unit(a, i + 1), j = next_unit(b, j + 1)) {
        if (!same_unit(a, i, b, j, pair)) return false;
        /* both recordings have no more claims, or the kinds of the claims differ */
        if (i == a->unit_count || j == b->unit_count) break;
    }
    faults.what = "faults of the opening";
    faults.streams[0] = &a->faults, faults.streams[1] = &b->faults;
    faults.end[0] = a->faults.count, faults.end[1] = b->faults.count;
    return same_streams(&faults);
}

/* --- checking the rules of dw_visitor.h --- */

struct promise {
    const struct dw_stream *stream;
    uint64_t depth;
    bool begun, ended;
};

/* Returns the reason why the event at a position breaks a rule, or NULL. */
static const char *check_ranges(const struct dw_stream *stream, size_t at)
{
    for (uint64_t i = 0; i < stream->words[at]; i++) {
        if (stream->words[at + 1 + 2 * i] >= stream->words[at + 2 + 2 * i]) return "a range is empty or reversed";
    }
    return NULL;
}

static const char *check_event(struct promise *promise, size_t at)
{
    const uint64_t *words = promise->stream->words + at;
    const bool begun = promise->begun;

    switch ((enum dw_event_kind)words[0]) {
    case DW_EVENT_UNIT: promise->begun = true; return begun ? "a unit that begins twice" : NULL;
    case DW_EVENT_ROW: return begun ? NULL : "a row outside of units";
    case DW_EVENT_ENTER:
        promise->depth++;
        return begun ? check_ranges(promise->stream, at + 14)
                     /* in the stream, the ranges come after the function's offset, origin, two texts and seven
                      * numbers */
                     : "a function outside of units";
    case DW_EVENT_LEAVE: return promise->depth-- > 0 ? NULL : "more is left than was entered";
    case DW_EVENT_UNIT_END:
        promise->ended = true;
        return begun && promise->depth == 0 ? NULL : "a unit ends inside of a function";
    case DW_EVENT_DONE: return words[1] != FRAMEMAP_OK || promise->ended ? NULL : "a unit without an end";
    case DW_EVENT_CLAIM: return words[5] == 0 ? "a claim of nothing" : check_ranges(promise->stream, at + 5);
    case DW_EVENT_FILE:
    case DW_EVENT_FAULT:
    case DW_EVENT_KINDS: break;
    }
    return NULL;
}

static bool broken(const struct dw_stream *stream, size_t at, const char *name, const char *why, FILE *to)
{
    if (to == NULL) return false;
    fprintf(to, "%s breaks a promise of visitor.h: %s\n", name, why);
    if (stream != NULL) dw_print_event(stream, at, name, to);
    return false;
}

static bool sound_stream(const struct dw_stream *stream, const char *name, FILE *to)
{
    struct promise promise = {.stream = stream, .ended = true};

    for (size_t at = 0; at < stream->count; at += dw_event_words(stream, at)) {
        if (!promise.begun && stream->words[at] == DW_EVENT_UNIT) promise.ended = false;
        const char *why = check_event(&promise, at);
        if (why != NULL) return broken(stream, at, name, why, to);
        if (stream->words[at] == DW_EVENT_DONE) promise = (struct promise){.stream = stream, .ended = true};
    }
    return true;
}

static bool in_order(const struct dw_events *events)
{
    for (size_t i = 0; i < events->unit_count; i++) {
        if (events->units[i].offset >= events->units[i].end) return false;
        if (i > 0 && events->units[i].offset < events->units[i - 1].end) return false;
    }
    return true;
}

bool dw_events_sound(const struct dw_events *events, const char *name, FILE *to)
{
    if (events->unsound != NULL) return broken(NULL, 0, name, events->unsound, to);
    if (!in_order(events)) return broken(NULL, 0, name, "units that are not in order", to);
    return sound_stream(&events->claims, name, to) && sound_stream(&events->bodies, name, to);
}
