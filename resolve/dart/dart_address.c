/* Converts offsets in the instruction sections of a Dart snapshot to addresses, and addresses to frames. */
#include "resolve/dart/dart_address.h"

#include "core/error.h"
#include "core/text/scan.h"
#include "index/read/view.h"

static const char no_text[] =
    "the symbols do not contain the start of the code that the stack's offsets are relative to";

static bool address_attribute(const struct fm_view *view, framemap_str key, uint64_t *out)
{
    framemap_str value;
    if (!fm_view_attribute(view, key, &value)) return false;
    struct fm_scan s = fm_scan_of(value);
    return fm_scan_0xhex(&s, out, NULL) && fm_scan_done(&s);
}

bool fm_dart_texts_of(const struct fm_view *view, struct fm_dart_texts *out)
{
    if (fm_view_identity(view)->kind_row->code != FRAMEMAP_INDEX_DART) return false;
    *out = (struct fm_dart_texts){.has_text = false};
    out->has_text = address_attribute(view, FM_STR("dart_text_at"), &out->text) &&
                    fm_view_attribute(view, FM_STR("dart_text"), &out->symbol);
    if (!address_attribute(view, FM_STR("dart_text_end"), &out->text_end)) out->text_end = UINT64_MAX;
    out->has_vm = address_attribute(view, FM_STR("dart_vm_at"), &out->vm);
    return true;
}

bool fm_dart_address(const struct fm_dart_texts *texts, const struct fm_dart_place *place, uint64_t *linked)
{
    *linked = place->offset;
    if (place->linked) return true;
    if (place->in_vm ? !texts->has_vm : !texts->has_text) return false;
    *linked += place->in_vm ? texts->vm : texts->text;
    return true;
}

/* Removes the mark "compiler-generated" from a frame at the first byte of a function. No call can be at that byte, so
 * the frame is not of a call: it represents a function that is awaited through its tear-off. The debug info marks
 * tear-offs of static methods as compiler-generated, but here the tear-off is what the user needs to see
 * (DebugInformationEntry.callInfo in package:native_stack_traces). */
static framemap_status show_listener(struct fm_arena *arena, framemap_frame *out, framemap_error *error)
{
    if (out->restored.count != 1 || !out->restored.frames[0].artificial || !out->has_function_offset ||
        out->function_offset != 0)
        return FRAMEMAP_OK;
    framemap_frame *shown = fm_arena_alloc(arena, sizeof *shown);
    if (shown == NULL) return fm_error_memory(error);
    *shown = out->restored.frames[0];
    shown->artificial = false;
    out->restored.frames = shown;
    return FRAMEMAP_OK;
}

framemap_status fm_resolve_dart(const struct fm_view *view, const struct fm_dart_texts *texts,
                                const struct fm_dart_place *place, struct fm_arena *arena, framemap_frame *out,
                                framemap_error *error)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.return_address = place->return_address;
    query.demangle = FRAMEMAP_DEMANGLE_NONE; /* Dart does not mangle names, but some look like mangled C++ names */
    if (fm_dart_address(texts, place, &query.position)) {
        const framemap_status status = fm_resolve(view, &query, arena, out, error);
        return status == FRAMEMAP_OK ? show_listener(arena, out, error) : status;
    }
    *out =
        (framemap_frame){.kind = FRAMEMAP_KIND_DART, .status = FRAMEMAP_FRAME_NO_MATCH, .reason = no_text, .index = -1};
    return FRAMEMAP_OK;
}
