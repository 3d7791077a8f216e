/* Implements answer_pack.h. The bytes: the status and the number of the frames. Without frames the reason follows;
 * otherwise their kind, the frames, and the aliases of the last one. All are varints, texts are their numbers in the
 * store. */
#include "session/restore/answer_pack.h"

#include "resolve/native/inline_chain.h"

enum { FRAMES_MOST = 64, ALIASES_MOST = 64 };

/* Bits of a frame's first number; its status is above them. */
enum {
    PACKED_INLINED = 1,
    PACKED_ARTIFICIAL = 2,
    PACKED_HAS_OFFSET = 4,
    PACKED_DECLARED = 8, /* it has declared_line or declared_file */
    PACKED_RARE = 16,    /* it has class_name, name or function_size */
    PACKED_STATUS = 32
};

/* --- writing --- */

static void put_frame(struct fm_answer_writer *out, const framemap_frame *frame)
{
    const bool is_declared = frame->declared_line || frame->declared_file.size;
    const bool is_rare = frame->class_name.size || frame->name.size || frame->function_size;
    fm_answer_writer_number(out, (frame->inlined ? PACKED_INLINED : 0u) | (frame->artificial ? PACKED_ARTIFICIAL : 0u) |
                                     (frame->has_function_offset ? PACKED_HAS_OFFSET : 0u) |
                                     (is_declared ? PACKED_DECLARED : 0u) | (is_rare ? PACKED_RARE : 0u) |
                                     (unsigned)frame->status * PACKED_STATUS);
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
}

/* Whether a result has its reason alone. Code without a name, file or line has the range of its function, too. */
static bool is_plain_miss(const framemap_frame *result)
{
    return result->status == FRAMEMAP_FRAME_NO_MATCH && result->reason != NULL && !result->has_function_offset &&
           result->function_size == 0 && result->alias_count == 0;
}

bool fm_answer_can_pack(const framemap_frame *result)
{
    const bool is_found = result->restored.count > 0;
    const bool has_wanted = is_found ? result->reason == NULL : is_plain_miss(result);
    return has_wanted && result->alternative_count == 0 && !result->over_limit &&
           result->restored.count <= FRAMES_MOST && result->alias_count <= ALIASES_MOST;
}

void fm_answer_pack(const framemap_frame *result, struct fm_answer_writer *out)
{
    const framemap_frame_list list = result->restored;
    fm_answer_writer_number(out, (unsigned)result->status);
    fm_answer_writer_number(out, list.count);
    if (list.count == 0) {
        fm_answer_writer_text(out, framemap_str_of(result->reason));
        return;
    }
    fm_answer_writer_number(out, (unsigned)list.frames[0].kind);
    for (size_t i = 0; i < list.count; i++) put_frame(out, &list.frames[i]);
    fm_answer_writer_number(out, result->alias_count);
    for (size_t i = 0; i < result->alias_count; i++) fm_answer_writer_text(out, result->aliases[i]);
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

bool fm_answer_unpack(struct fm_wire *bytes, const struct fm_answer_store *store, struct fm_arena *arena,
                      framemap_frame *out)
{
    *out = (framemap_frame){.status = (framemap_frame_status)get_number(bytes), .index = -1};
    const size_t count = (size_t)get_number(bytes);
    if (count == 0) {
        out->reason = get_text(bytes, store).data;
        return true;
    }
    framemap_frame *frames = fm_arena_alloc(arena, count * sizeof *frames);
    if (frames == NULL) return false;
    const framemap_kind kind = (framemap_kind)get_number(bytes);
    for (size_t i = 0; i < count; i++) get_frame(bytes, store, kind, &frames[i]);
    if (!get_aliases(bytes, store, arena, &frames[count - 1])) return false;
    out->kind = kind;
    out->restored = (framemap_frame_list){frames, count};
    fm_chain_lift_root(&out->restored, out);
    return true;
}
