/* Functions for the files of the JavaScript restorer: which frames are looked up, the position of a frame, the sources
 * of an index, the stem of a script name, and which names are those of WebAssembly. */
#include "session/restore/restore_javascript_job.h"

#include "core/error.h"
#include "core/text/scan.h"
#include "core/text/text.h"

/* --- frames --- */

static bool has_place(const framemap_frame *frame)
{
    return frame->column || frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE;
}

bool fm_js_is_looked_up(const framemap_frame *frame)
{
    return frame->kind == FRAMEMAP_KIND_JS && frame->status == FRAMEMAP_FRAME_RAW && has_place(frame);
}

struct fm_printed_place fm_js_place_of_frame(const framemap_frame *frame)
{
    return (struct fm_printed_place){.file = frame->file,
                                     .line1 = frame->line,
                                     .column1 = frame->column,
                                     .bytecode = frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE,
                                     .address = frame->address};
}

/* --- sources --- */

static bool sources_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_js_job *script = context;
    return script->sources[number].index == key;
}

framemap_status fm_js_open_sources(struct fm_restore_job *job, const framemap_index *index, uint32_t *out,
                                   framemap_error *error)
{
    struct fm_js_job *script = job->js;
    const uint64_t hash = fm_hash64(&index, sizeof index, 0);
    *out = fm_table_find(&script->source_table, hash, sources_equal, script, index);
    if (*out != UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW(job->heap, script->sources, script->source_capacity, script->source_count + 1))
        return fm_error_memory(error);
    *out = (uint32_t)script->source_count++;
    struct fm_js_index_sources *sources = &script->sources[*out];
    sources->index = index;
    fm_source_texts_open(&sources->texts, index->view, job->heap);
    return fm_table_add(&script->source_table, hash, *out) ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- names --- */

/* Maps of scripts are not used for such files. A script may have the name "<unknown>", too, but no addresses. */
bool fm_js_is_wasm(const struct fm_js_map_query *want)
{
    const framemap_str file = want->file;
    return fm_str_starts(file, FM_STR("wasm:")) || fm_str_ends(fm_js_name_stem(file), FM_STR(".wasm")) ||
           fm_js_is_code_hash(file) || (want->bytecode && fm_js_is_unnamed_module(file));
}

bool fm_js_is_unnamed_module(framemap_str name)
{
    return fm_str_equal(name, FM_STR("<module>")) || fm_str_equal(name, FM_STR("<unknown>"));
}

bool fm_js_is_code_hash(framemap_str name)
{
    enum { HASH = 8 };
    return name.size == HASH && fm_is_all_hex(name);
}

framemap_str fm_js_name_stem(framemap_str file)
{
    const size_t safe = fm_str_find(file, FM_STR("//&")); /* JavaScriptCore writes "?" as "//&" in URLs of scripts */
    size_t cut = 0;
    while (cut < file.size && cut != safe && file.data[cut] != '?' && file.data[cut] != '#') cut++;
    const framemap_str stem = fm_str_basename(fm_str_slice(file, 0, cut));
    return stem.size ? stem : file;
}
