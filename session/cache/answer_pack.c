/* Implements answer_pack.h. An answer consists of a number with the status and with flags that state which of the next
 * parts are present, and these parts: the reason; the restored chain; the number of alternatives; the chains of the
 * alternatives. A chain begins with the number of its frames; if this is not zero, their kind, the frames, and the
 * aliases of the last frame follow. All values are varints; a text is written as its number in the store. */
#include "session/cache/answer_pack.h"

#include "resolve/native/inline_chain.h"

enum { FRAMES_MOST = 256, ALTERNATIVES_MOST = 256, ALIASES_MOST = 64 };

/* Bits of the first number of a result. The higher bits, from RESULT_STATUS on, are the status. */
enum { RESULT_OVER_LIMIT = 1, RESULT_HAS_REASON = 2, RESULT_HAS_ALTERNATIVES = 4, RESULT_STATUS = 8 };

/* Bits of the first number of a frame. The higher bits, from PACKED_STATUS on, are the status. */
enum {
    PACKED_INLINED = 1,
    PACKED_ARTIFICIAL = 2,
    PACKED_HAS_OFFSET = 4,
    PACKED_DECLARED = 8, /* the frame has declared_line or declared_file */
    PACKED_RARE = 16,    /* the frame has class_name, name or function_size */
    PACKED_SCRIPT = 32,  /* the frame has ignored or function_origin */
    PACKED_STATUS = 64
};

/* --- writing --- */

static void put_frame(struct fm_answer_writer *out, const framemap_frame *frame)
{
    const bool is_declared = frame->declared_line || frame->declared_file.size;
    const bool is_rare = frame->class_name.size || frame->name.size || frame->function_size;
    const bool is_script = frame->ignored || frame->function_origin != FRAMEMAP_FUNCTION_NONE;
    fm_answer_writer_number(out, (frame->inlined ? PACKED_INLINED : 0u) | (frame->artificial ? PACKED_ARTIFICIAL : 0u) |
                                     (frame->has_function_offset ? PACKED_HAS_OFFSET : 0u) |
                                     (is_declared ? PACKED_DECLARED : 0u) | (is_rare ? PACKED_RARE : 0u) |
                                     (is_script ? PACKED_SCRIPT : 0u) | (unsigned)frame->status * PACKED_STATUS);
    fm_answer_writer_number(out, frame->line);
    fm_answer_writer_number(out, frame->column);
    fm_answer_writer_text(out, frame->function);
    fm_answer_writer_text(out, frame->symbol);
    fm_answer_writer_text(out, frame->file);
    if (frame->has_function_offset) fm_answer_writer_number(out, frame->function_offset);
    if (is_declared) {
        fm_answer_writer_number(out, frame->declared_line);
        fm_answer_writer_text(out, frame->declared_file);
    }
    if (is_rare) {
        fm_answer_writer_number(out, frame->function_size);
        fm_answer_writer_text(out, frame->class_name);
        fm_answer_writer_text(out, frame->name);
    }
    if (is_script) fm_answer_writer_number(out, (unsigned)frame->function_origin * 2 + frame->ignored);
}

static void put_chain(struct fm_answer_writer *out, framemap_frame_list list)
{
    fm_answer_writer_number(out, list.count);
    if (list.count == 0) return;
    fm_answer_writer_number(out, (unsigned)list.frames[0].kind);
    for (size_t i = 0; i < list.count; i++) put_frame(out, &list.frames[i]);
    const framemap_frame *last = &list.frames[list.count - 1];
    fm_answer_writer_number(out, last->alias_count);
    for (size_t i = 0; i < last->alias_count; i++) fm_answer_writer_text(out, last->aliases[i]);
}

/* Whether the result has the range or the aliases of a function but no frame for it, as for code without a name, file
 * or line. */
static bool has_bare_function(const framemap_frame *result)
{
    return result->restored.count == 0 && (result->has_function_offset || result->function_size || result->alias_count);
}

bool fm_answer_can_pack(const framemap_frame *result)
{
    size_t frames = result->restored.count;
    if (result->alternative_count > ALTERNATIVES_MOST) return false;
    for (size_t i = 0; i < result->alternative_count; i++) frames += result->alternatives[i].count;
    return !has_bare_function(result) && frames <= FRAMES_MOST && result->alias_count <= ALIASES_MOST;
}

void fm_answer_pack(const framemap_frame *result, struct fm_answer_writer *out)
{
    fm_answer_writer_number(
        out, (result->over_limit ? RESULT_OVER_LIMIT : 0u) | (result->reason ? RESULT_HAS_REASON : 0u) |
                 (result->alternative_count ? RESULT_HAS_ALTERNATIVES : 0u) | (unsigned)result->status * RESULT_STATUS);
    if (result->reason) fm_answer_writer_text(out, framemap_str_of(result->reason));
    put_chain(out, result->restored);
    if (result->alternative_count == 0) return;
    fm_answer_writer_number(out, result->alternative_count);
    for (size_t i = 0; i < result->alternative_count; i++) put_chain(out, result->alternatives[i]);
}

/* --- reading --- */

static uint64_t get_number(struct fm_wire *in)
{
    uint64_t value = 0;
    fm_wire_varint(in, &value);
    return value;
}

static framemap_str get_text(struct fm_wire *in, const struct fm_answer_store *store)
{
    return fm_answer_store_text_at(store, get_number(in));
}

static void get_frame(struct fm_wire *in, const struct fm_answer_store *store, framemap_kind kind, framemap_frame *out)
{
    const unsigned flags = (unsigned)get_number(in);
    *out = (framemap_frame){.kind = kind, .status = (framemap_frame_status)(flags / PACKED_STATUS), .index = -1};
    out->inlined = (flags & PACKED_INLINED) != 0;
    out->artificial = (flags & PACKED_ARTIFICIAL) != 0;
    out->has_function_offset = (flags & PACKED_HAS_OFFSET) != 0;
    out->line = (uint32_t)get_number(in);
    out->column = (uint32_t)get_number(in);
    out->function = get_text(in, store);
    out->symbol = get_text(in, store);
    out->file = get_text(in, store);
    if (out->has_function_offset) out->function_offset = get_number(in);
    if (flags & PACKED_DECLARED) {
        out->declared_line = (uint32_t)get_number(in);
        out->declared_file = get_text(in, store);
    }
    if (flags & PACKED_RARE) {
        out->function_size = get_number(in);
        out->class_name = get_text(in, store);
        out->name = get_text(in, store);
    }
    if (flags & PACKED_SCRIPT) {
        const unsigned script = (unsigned)get_number(in);
        out->ignored = script % 2;
        out->function_origin = (framemap_function_origin)(script / 2);
    }
}

static bool get_aliases(struct fm_wire *in, const struct fm_answer_store *store, struct fm_arena *arena,
                        framemap_frame *root)
{
    const size_t count = (size_t)get_number(in);
    if (count == 0) return true;
    framemap_str *aliases = FM_ARENA_ARRAY(arena, framemap_str, count);
    if (aliases == NULL) return false;
    for (size_t i = 0; i < count; i++) aliases[i] = get_text(in, store);
    root->aliases = aliases;
    root->alias_count = count;
    return true;
}

static bool get_chain(struct fm_wire *in, const struct fm_answer_store *store, struct fm_arena *arena,
                      framemap_frame_list *out)
{
    const size_t count = (size_t)get_number(in);
    *out = (framemap_frame_list){NULL, 0};
    if (count == 0) return true;
    framemap_frame *frames = fm_arena_alloc(arena, count * sizeof *frames);
    if (frames == NULL) return false;
    const framemap_kind kind = (framemap_kind)get_number(in);
    for (size_t i = 0; i < count; i++) get_frame(in, store, kind, &frames[i]);
    *out = (framemap_frame_list){frames, count};
    return get_aliases(in, store, arena, &frames[count - 1]);
}

static bool get_alternatives(struct fm_wire *in, const struct fm_answer_store *store, struct fm_arena *arena,
                             framemap_frame *out)
{
    const size_t count = (size_t)get_number(in);
    framemap_frame_list *lists = FM_ARENA_ARRAY(arena, framemap_frame_list, count);
    if (lists == NULL) return false;
    out->alternatives = lists;
    out->alternative_count = count;
    for (size_t i = 0; i < count; i++)
        if (!get_chain(in, store, arena, &lists[i])) return false;
    return true;
}

bool fm_answer_unpack(struct fm_wire *bytes, const struct fm_answer_store *store, struct fm_arena *arena,
                      framemap_frame *out)
{
    const unsigned flags = (unsigned)get_number(bytes);
    *out = (framemap_frame){.status = (framemap_frame_status)(flags / RESULT_STATUS), .index = -1};
    out->over_limit = (flags & RESULT_OVER_LIMIT) != 0;
    if (flags & RESULT_HAS_REASON) out->reason = get_text(bytes, store).data;
    if (!get_chain(bytes, store, arena, &out->restored)) return false;
    if (out->restored.count) {
        out->kind = out->restored.frames[0].kind;
        fm_chain_lift_root(&out->restored, out);
    }
    return (flags & RESULT_HAS_ALTERNATIVES) == 0 || get_alternatives(bytes, store, arena, out);
}
