/* Answers one query from an index of positions: native code and Dart snapshots. Called by resolve.c. */
#include "resolve/native/native_resolve.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "resolve/native/address.h"
#include "resolve/native/companion_file.h"
#include "resolve/native/inline_chain.h"
#include "resolve/native/section_scopes.h"

#include <stdio.h>

static const char no_scope[] = "the symbols have no such name";
static const char before_image[] = "the address is below the image";
static const char several[] = "the symbols give several answers for that position";
static const char bare_place[] = "the symbols cover the position but have no name, file or line for it";

/* Intermediate result; copied to the caller's frame only on success. */
struct found {
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list chain;
    bool bare; /* no frame of the chain has a name, file or line; only the code range of the outermost frame is used */
    framemap_frame_list *alternatives;
    size_t alternative_count;
    bool over; /* whether frames were left out because of the limits */
};

/* Adds the alternative chains of a lookup result, within the limits of the answer. */
static framemap_status add_alternatives(const struct fm_chain_context *context, const struct fm_hit *hit,
                                        struct found *out, framemap_error *error)
{
    const uint32_t count = (hit->place_count < FM_LIMIT_ALTERNATIVES ? hit->place_count : FM_LIMIT_ALTERNATIVES) - 1;
    framemap_frame_list *lists = FM_ARENA_ARRAY(context->arena, framemap_frame_list, count);
    uint32_t made = 0;
    if (lists == NULL) return fm_error_memory(error);
    for (; made < count && !context->room->over; made++) {
        const framemap_status status = fm_chain_of(context, hit, made + 1, &lists[made], error);
        if (status != FRAMEMAP_OK) return status;
        if (lists[made].count == 0) break;
    }
    out->alternatives = lists;
    out->alternative_count = made;
    out->status = FRAMEMAP_FRAME_AMBIGUOUS;
    out->reason = several;
    return FRAMEMAP_OK;
}

/* Sets chain, status and reason from the chain of the first location. */
static void settle(framemap_frame_list chain, struct found *out)
{
    out->chain = chain;
    out->reason = NULL;
    out->status = chain.frames[0].status;
    /* The answer has a location if any frame of the chain has one: for example, a function without a file may be around
     * an inlined function with a file. */
    for (size_t i = 1; i < chain.count && out->status != FRAMEMAP_FRAME_OK; i++)
        if (chain.frames[i].status != FRAMEMAP_FRAME_NO_MATCH) out->status = chain.frames[i].status;
    out->bare = out->status == FRAMEMAP_FRAME_NO_MATCH;
    if (out->bare) out->reason = bare_place;
}

static framemap_status answer_any(const struct fm_chain_context *context, const struct fm_hit *hit, struct found *out,
                                  framemap_error *error)
{
    framemap_frame_list chain;
    const framemap_status status = fm_chain_of(context, hit, 0, &chain, error);
    if (status != FRAMEMAP_OK) return status;
    settle(chain, out);
    return hit->place_count > 1 ? add_alternatives(context, hit, out, error) : FRAMEMAP_OK;
}

/* Resolves a position of a scope. */
static framemap_status answer(const struct fm_chain_context *context, uint64_t scope, uint64_t position,
                              const struct fm_short_hit *at, struct found *out, framemap_error *error)
{
    struct fm_hit hit;
    framemap_frame_list chain;
    framemap_status status = fm_chain_of_kept(context, at, &chain, error);
    if (status != FRAMEMAP_OK) return status;
    if (chain.count > 0) {
        settle(chain, out);
        return FRAMEMAP_OK;
    }
    status = fm_view_whole_hit(context->view, scope, position, at, &hit);
    if (status != FRAMEMAP_OK) return fm_error_set(error, status, "the index is damaged: a lookup leads outside of it");
    return hit.place_count ? answer_any(context, &hit, out, error) : FRAMEMAP_OK;
}

/* --- reporting that debug info is in another file --- */

/* Whether a frame is of a function that has no name in the debug info. */
static bool is_nameless(const framemap_frame *frame)
{
    return frame->function.size == 0 && (frame->inlined || frame->has_function_offset);
}

static bool lacks_names(const struct fm_view *view, const framemap_frame_list *chain)
{
    bool any = false;
    for (size_t i = 0; i < chain->count && !any; i++) any = is_nameless(&chain->frames[i]);
    return any && fm_lacks_names(view);
}

static bool is_unrelocated(const struct fm_view *view)
{
    framemap_str arch;
    return fm_view_attribute(view, FM_STR(FM_ATTRIBUTE_UNRELOCATED), &arch);
}

/* Sets status and reason where another file, or relocations of unsupported kinds, would complete the answer. */
static void note_companion(const struct fm_chain_context *context, uint64_t scope, uint64_t position,
                           struct found *found)
{
    framemap_str path;
    if (found->status == FRAMEMAP_FRAME_SYMBOL &&
        fm_split_file(context->view, scope, position, context->arena, &path)) {
        found->reason = fm_str_ends(path, FM_STR(".dwo")) ? fm_no_lines : fm_no_object;
    } else if (found->status != FRAMEMAP_FRAME_OK && is_unrelocated(context->view)) {
        found->reason = fm_not_relocated;
    } else if (found->status == FRAMEMAP_FRAME_OK && context->kind == FRAMEMAP_KIND_NATIVE &&
               lacks_names(context->view, &found->chain)) {
        found->status = FRAMEMAP_FRAME_SYMBOL;
        found->reason = fm_no_names;
    }
}

static void fill_answer(const struct fm_view_identity *about, const framemap_query *query, framemap_kind kind,
                        const struct found *found, framemap_frame *out)
{
    memset(out, 0, sizeof *out);
    out->kind = kind;
    out->status = found->status;
    out->reason = found->reason;
    out->over_limit = found->over;
    out->index = -1;
    out->module = about->name;
    out->id = about->id;
    out->arch = about->arch;
    out->address_kind = query->address_kind;
    out->has_address = query->address_kind != FRAMEMAP_ADDRESS_NONE;
    out->address = query->position;
    out->return_address = query->return_address;
    if (found->chain.count) fm_chain_lift_root(&found->chain, out);
    if (!found->bare) out->restored = found->chain;
    out->alternatives = found->alternatives;
    out->alternative_count = found->alternative_count;
}

/* Converts the query's address to a position of the scope. false: the address cannot be in this image, and *reason
 * explains why. */
static bool place_query(const struct fm_view *view, const framemap_query *query, uint64_t *position,
                        const char **reason)
{
    const struct fm_address_conversion conversion = fm_address_conversion_of(view, query);
    const enum fm_address_result result = fm_address_to_position(&conversion, query->position, position);
    *reason = result == FM_ADDRESS_BELOW_IMAGE ? before_image : fm_nothing_there;
    return result == FM_ADDRESS_IN_IMAGE;
}

/* Marks an answer that was cut by a limit: its status becomes SYMBOL instead of OK. */
static void note_limit(const struct fm_answer_room *room, struct found *found)
{
    if (!room->over || found->chain.count == 0) return;
    found->over = true;
    found->reason = fm_over_limit;
    if (found->status == FRAMEMAP_FRAME_OK) found->status = FRAMEMAP_FRAME_SYMBOL;
}

static framemap_status answer_scope(const struct fm_view *view, const framemap_query *query, uint64_t scope,
                                    struct fm_answer_room *room, struct fm_arena *arena, struct found *found,
                                    framemap_error *error)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    struct fm_short_hit at;
    uint64_t position;

    if (!place_query(view, query, &position, &found->reason)) return FRAMEMAP_OK;
    const uint64_t lookup_position = position - query->return_address;
    fm_view_find(view, scope, lookup_position, &at);
    const struct fm_chain_context context = {view, arena, query->demangle, about->family, position, room};
    const framemap_status status = answer(&context, scope, lookup_position, &at, found, error);
    if (status != FRAMEMAP_OK) return status;
    note_companion(&context, scope, lookup_position, found);
    note_limit(room, found);
    return FRAMEMAP_OK;
}

/* --- answering for several sections with the same name --- */

enum { CHOICES_NAMED = 200 };

/* The answers of the sections that share the queried name. */
struct choices {
    struct found first;
    framemap_frame_list *others;
    size_t count, capacity; /* number of elements of `others`, and its capacity */
    char *names;
    size_t names_size;
};

static void name_choice(struct choices *choices, framemap_str key)
{
    if (key.size > CHOICES_NAMED || choices->names_size > CHOICES_NAMED) return;
    const int added = snprintf(choices->names + choices->names_size, CHOICES_NAMED + key.size, "%s%.*s",
                               choices->names_size > 0 ? ", " : "", (int)key.size, key.data);
    choices->names_size += (size_t)added;
}

static bool add_choice(struct choices *choices, const struct found *one, framemap_str key, struct fm_arena *arena)
{
    if (choices->first.chain.count == 0) {
        choices->first = *one;
        choices->names = fm_arena_alloc(arena, 2 * CHOICES_NAMED + 8);
        if (choices->names == NULL) return false;
        name_choice(choices, key);
        return true;
    }
    if (choices->count == FM_LIMIT_ALTERNATIVES - 1) return true;
    if (choices->count == choices->capacity) {
        const size_t capacity = choices->capacity ? 2 * choices->capacity : 4;
        framemap_frame_list *others = FM_ARENA_ARRAY(arena, framemap_frame_list, capacity);
        if (others == NULL) return false;
        if (choices->count) memcpy(others, choices->others, choices->count * sizeof *others);
        choices->others = others;
        choices->capacity = capacity;
    }
    choices->others[choices->count++] = one->chain;
    name_choice(choices, key);
    return true;
}

/* Makes one answer of several: a single one is used as it is; several become alternatives, and the reason names their
 * sections. */
static framemap_status settle_choices(const struct choices *choices, struct fm_arena *arena, struct found *found,
                                      framemap_error *error)
{
    static const char format[] = "several sections have this name: give one of %s";

    *found = choices->first;
    if (choices->count == 0) return FRAMEMAP_OK;
    char *reason = fm_arena_alloc(arena, sizeof format + choices->names_size);
    if (reason == NULL) return fm_error_memory(error);
    snprintf(reason, sizeof format + choices->names_size, format, choices->names);
    found->status = FRAMEMAP_FRAME_AMBIGUOUS;
    found->reason = reason;
    found->bare = false;
    found->alternatives = choices->others;
    found->alternative_count = choices->count;
    return FRAMEMAP_OK;
}

static framemap_status answer_namesakes(const struct fm_view *view, const framemap_query *query,
                                        struct fm_answer_room *room, struct fm_arena *arena, struct found *found,
                                        framemap_error *error)
{
    struct fm_namesakes namesakes = fm_namesakes_of(view, query->scope);
    struct choices choices = {.count = 0};
    framemap_str key;
    uint64_t scope;

    while (!room->over && fm_namesakes_next(view, &namesakes, &scope, &key)) {
        struct found one = {.status = FRAMEMAP_FRAME_NO_MATCH};
        const framemap_status status = answer_scope(view, query, scope, room, arena, &one, error);
        if (status != FRAMEMAP_OK) return status;
        found->reason = fm_nothing_there;
        if (one.chain.count > 0 && !add_choice(&choices, &one, key, arena)) return fm_error_memory(error);
    }
    if (choices.first.chain.count == 0) return FRAMEMAP_OK;
    const framemap_status status = settle_choices(&choices, arena, found, error);
    if (status == FRAMEMAP_OK) note_limit(room, found);
    return status;
}

framemap_status fm_resolve_native(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                                  framemap_frame *out, framemap_error *error)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    struct found found = {.status = FRAMEMAP_FRAME_NO_MATCH, .reason = no_scope};
    struct fm_answer_room room = fm_answer_room(arena);
    framemap_query in_image;
    uint64_t scope;
    framemap_status status = FRAMEMAP_OK;
    if (fm_find_scope(view, query, &scope)) {
        status = answer_scope(view, query, scope, &room, arena, &found, error);
    } else if (query->scope.size == 0) {
        if (!about->numbered_scopes && about->has_addresses) found.reason = fm_say_sections(view, arena);
    } else if (fm_section_query(view, query, &in_image)) {
        status = answer_scope(view, &in_image, about->image, &room, arena, &found, error);
    } else {
        status = answer_namesakes(view, query, &room, arena, &found, error);
    }
    if (status == FRAMEMAP_OK) fill_answer(about, query, about->family, &found, out);
    return status;
}
