/* Reads the identity of a source map without its mappings. Called by the mapper and by session/catalog. */
#include "mappers/javascript/sourcemap/document/sourcemap_debug_id.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/document/sourcemap_document.h"

framemap_status fm_sourcemap_members_of(framemap_str text, struct fm_sourcemap_members *out, framemap_error *error)
{
    struct fm_json_walk walk;
    fm_json_walk_init(&walk, text);
    if (fm_sourcemap_members_read(&walk, out) && fm_json_walk_done(&walk)) return FRAMEMAP_OK;
    if (walk.failed) return fm_json_walk_fault(&walk, error);
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the source map is not a JSON object");
}

/* Copies `file`, because the text of the document may be freed at the end of the call. */
static bool copy_file(const struct fm_sourcemap_members *members, struct fm_arena *arena, framemap_str *out)
{
    framemap_str text;
    *out = (framemap_str){NULL, 0};
    if (!fm_sourcemap_is(members, FM_SOURCEMAP_MEMBER_FILE, FM_JSON_STRING)) return true;
    return fm_json_piece_text(&members->at[FM_SOURCEMAP_MEMBER_FILE], arena, &text) && fm_arena_str(arena, text, out);
}

framemap_status fm_sourcemap_about(framemap_str bytes, struct fm_arena *arena, struct fm_sourcemap_about *out,
                                   framemap_error *error)
{
    struct fm_sourcemap_document document;
    struct fm_sourcemap_members members;
    framemap_status status = fm_sourcemap_document_open(bytes, arena->heap, &document, error);
    *out = (struct fm_sourcemap_about){.has_sections = false};
    if (status == FRAMEMAP_OK) status = fm_sourcemap_members_of(document.text, &members, error);
    if (status == FRAMEMAP_OK) {
        if (!fm_sourcemap_members_id(&members, out->id)) out->id[0] = 0;
        out->has_sections = fm_sourcemap_has(&members, FM_SOURCEMAP_MEMBER_SECTIONS);
        out->of_bytecode = fm_sourcemap_has(&members, FM_SOURCEMAP_MEMBER_HERMES_OFFSETS);
        if (!copy_file(&members, arena, &out->file)) status = fm_error_memory(error);
    }
    fm_sourcemap_document_close(&document);
    return status;
}
