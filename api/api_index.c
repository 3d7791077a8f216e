/* Public calls on one index: build, inspect, open, describe, look up, verify. Does not use sessions, and opens only
 * index files. */
#include "api/index_handle.h"

#include "api/build_input.h"
#include "api/option_structs.h"
#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "index/format/kinds.h"
#include "index/read/classes/class_view.h"
#include "index/read/segments/segment_view.h"
#include "mappers/mapper.h"
#include "resolve/demangle/demangle.h"
#include "resolve/javascript/source_content.h"
#include "resolve/native/lookup_many.h"
#include "resolve/resolve.h"

#include <unistd.h>

struct framemap_scratch {
    struct fm_heap heap;
    struct fm_arena arena;
    size_t frame_room; /* capacity of the last list of locations (fm_resolve_many) */
};

static framemap_status find_mapper(framemap_str bytes, framemap_str name, const char *want,
                                   const struct fm_mapper **out, framemap_error *error)
{
    *out = fm_mapper_for(bytes, name, want);
    if (*out) return FRAMEMAP_OK;
    if (want) return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is not a file of the kind \"%s\"", want);
    return fm_mapper_refuse(bytes, error);
}

static framemap_status fill_and_finish(const struct fm_build_input *input, struct fm_built *built,
                                       framemap_error *error)
{
    struct fm_builder *builder;
    framemap_status status = fm_builder_create(input->host.heap, &builder, error);
    if (status != FRAMEMAP_OK) return status;
    fm_builder_threads(builder, input->host.threads);
    status = input->mapper->build(input->bytes, input->name, &input->host, builder, error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, built, error);
    fm_builder_free(builder);
    return status;
}

framemap_status framemap_index_build(framemap_str bytes, framemap_str name, const framemap_build_options *options,
                                     framemap_bytes *out, framemap_error *error)
{
    struct fm_build_input input;
    struct fm_built built;
    if (out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_status status = fm_build_input_open(bytes, name, options, &input, error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_heap_fault(&input.heap, fill_and_finish(&input, &built, error), error);
    if (status != FRAMEMAP_OK) {
        fm_error_where(error, name);
        return status;
    }
    *out = (framemap_bytes){.data = built.data, .size = built.size};
    if (input.options.allocator) out->allocator = *input.options.allocator;
    return FRAMEMAP_OK;
}

static void set_text(char *out, size_t room, framemap_str text)
{
    size_t size = text.size < room - 1 ? text.size : room - 1;
    if (size) memcpy(out, text.data, size);
    out[size] = 0;
}

/* Describes an index file in the same way as framemap_file_inspect describes the symbol file that it was made from. */
static framemap_status inspect_index(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images,
                                     size_t capacity, size_t *count, framemap_error *error)
{
    struct fm_view *view;
    framemap_status status = fm_view_open(bytes, heap, &view, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_view_about about;
    fm_view_about(view, &about);
    *count = 1;
    if (capacity > 0) {
        memset(images, 0, sizeof *images);
        set_text(images->kind, sizeof images->kind, FM_STR("fmx"));
        set_text(images->arch, sizeof images->arch, about.arch);
        set_text(images->id, sizeof images->id, about.id);
        set_text(images->type, sizeof images->type, FM_STR("index"));
        images->has_debug_info = images->has_line_table = about.has_lines;
        images->has_symbols = true;
        images->big_endian = about.big_endian;
        images->address_bits = about.address_bits;
        images->base = about.base;
        images->size = bytes.size;
        images->is_index = true;
        images->index_kind = fm_view_identity(view)->kind_row->code;
    }
    fm_view_close(view);
    return FRAMEMAP_OK;
}

static bool has_functions_of_bytecode(const struct fm_view *view)
{
    struct fm_view_offsets list;
    for (uint64_t i = 0; fm_view_offsets_at(view, i, &list); i++)
        if (list.kind == FM_OFFSETS_FUNCTIONS) return true;
    return false;
}

bool fm_index_is_map(framemap_str bytes, struct fm_index_map *out)
{
    struct fm_heap heap;
    struct fm_view *view;
    struct fm_view_about about;
    framemap_str file;
    fm_heap_init(&heap, NULL, 0);
    if (fm_view_open(bytes, &heap, &view, NULL) != FRAMEMAP_OK) return false;
    fm_view_about(view, &about);
    *out = (struct fm_index_map){.of_bytecode = about.is_segments && has_functions_of_bytecode(view)};
    if (about.name.size < sizeof out->name) set_text(out->name, sizeof out->name, about.name);
    if (about.is_segments && fm_view_attribute(view, FM_STR("file"), &file) && file.size < sizeof out->file)
        set_text(out->file, sizeof out->file, file);
    fm_view_close(view);
    return about.is_segments;
}

bool fm_index_has_classes(framemap_str bytes)
{
    struct fm_heap heap;
    struct fm_view *view;
    struct fm_classes_about about;
    fm_heap_init(&heap, NULL, 0);
    if (fm_view_open(bytes, &heap, &view, NULL) != FRAMEMAP_OK) return false;
    bool has = fm_view_classes(view, &about);
    fm_view_close(view);
    return has;
}

/* Sets the kind of index of each image from the name of the kind, which its mapper has set. */
static void set_index_kinds(framemap_image_info *images, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        images[i].is_index = false;
        images[i].index_kind = fm_kind_named(framemap_str_of(images[i].kind))->code;
    }
}

framemap_status framemap_file_inspect(framemap_str bytes, framemap_str name, framemap_image_info *images,
                                      size_t capacity, size_t *count, framemap_error *error)
{
    if (count == NULL || (images == NULL && capacity) || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fm_heap heap;
    const struct fm_mapper *mapper;
    fm_heap_init(&heap, NULL, 0);
    framemap_status status =
        fm_view_is_index(bytes) ? inspect_index(bytes, &heap, images, capacity, count, error) : FRAMEMAP_E_FORMAT;
    if (status == FRAMEMAP_E_FORMAT) {
        status = find_mapper(bytes, name, NULL, &mapper, error);
        if (status == FRAMEMAP_OK) status = mapper->inspect(bytes, name, &heap, images, capacity, count, error);
        if (status == FRAMEMAP_OK) set_index_kinds(images, *count < capacity ? *count : capacity);
    }
    if (status != FRAMEMAP_OK) fm_error_where(error, name);
    return status;
}

static framemap_status new_index(const framemap_allocator *allocator, framemap_index **out, framemap_error *error)
{
    struct fm_heap heap;
    fm_heap_init(&heap, allocator, 0);
    framemap_index *index = fm_heap_zalloc(&heap, 1, sizeof *index);
    if (index == NULL) return fm_error_memory(error);
    fm_heap_init(&index->heap, allocator, 0);
    *out = index;
    return FRAMEMAP_OK;
}

framemap_status framemap_index_open(framemap_str bytes, const framemap_allocator *allocator, framemap_index **out,
                                    framemap_error *error)
{
    if (out == NULL || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_index *index = NULL;
    framemap_status status = new_index(allocator, &index, error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_view_open(bytes, &index->heap, &index->view, error);
    if (status == FRAMEMAP_OK)
        *out = index;
    else
        framemap_index_close(index);
    return status;
}

/* Opens an index file by its path, or, if path is NULL, by a descriptor. The index then owns the descriptor. */
static framemap_status open_bytes(const char *path, int descriptor, framemap_index *index, framemap_error *error)
{
    framemap_status status = path ? fm_member_file_open(path, FM_READ_INDEX, &index->heap, &index->file, error)
                                  : fm_mapfile_take(descriptor, FM_READ_INDEX, &index->heap, &index->file, error);
    if (status == FRAMEMAP_OK) {
        status = fm_view_open(index->file.bytes, &index->heap, &index->view, error);
        if (status != FRAMEMAP_OK && path) fm_error_where(error, framemap_str_of(path));
    }
    return status;
}

framemap_status framemap_index_open_file(const char *path, const framemap_allocator *allocator, framemap_index **out,
                                         framemap_error *error)
{
    framemap_index *index = NULL;
    if (path == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "%s is NULL", path ? "out" : "path");
    framemap_status status = new_index(allocator, &index, error);
    if (status == FRAMEMAP_OK) status = open_bytes(path, -1, index, error);
    if (status == FRAMEMAP_OK)
        *out = index;
    else
        framemap_index_close(index);
    return status;
}

framemap_status fm_index_open_descriptor(int descriptor, const framemap_allocator *allocator, framemap_index **out,
                                         framemap_error *error)
{
    framemap_index *index = NULL;
    framemap_status status = new_index(allocator, &index, error);
    if (status == FRAMEMAP_OK)
        status = open_bytes(NULL, descriptor, index, error);
    else
        close(descriptor);
    if (status == FRAMEMAP_OK)
        *out = index;
    else
        framemap_index_close(index);
    return status;
}

bool framemap_index_changed(const framemap_index *index) { return index != NULL && fm_mapfile_changed(&index->file); }

framemap_status fm_index_adopt(framemap_bytes *built, const framemap_allocator *allocator, framemap_index **out,
                               framemap_error *error)
{
    framemap_status status = framemap_index_open(framemap_bytes_str(built), allocator, out, error);
    if (status != FRAMEMAP_OK) return status;
    (*out)->built = *built;
    memset(built, 0, sizeof *built);
    return FRAMEMAP_OK;
}

void framemap_index_close(framemap_index *index)
{
    if (index == NULL) return;
    if (index->view) fm_view_close(index->view);
    fm_mapfile_close(&index->file);
    framemap_bytes_free(&index->built);
    struct fm_heap heap = index->heap;
    fm_heap_free(&heap, index, sizeof *index);
}

framemap_status framemap_index_verify(const framemap_index *index, framemap_error *error)
{
    if (index == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the index is NULL");
    return fm_view_verify(index->view, error);
}

/* Returns the FRAMEMAP_QUERIED_BY_… bits of an index. If the table of kinds does not state them, they follow from the
 * form of the index. */
static unsigned queried_by(const struct fm_view_identity *identity)
{
    if (identity->kind_row->queried_by != 0) return identity->kind_row->queried_by;
    if (identity->form == FM_FORM_SEGMENTS) return FRAMEMAP_QUERIED_BY_LINE;
    return identity->form == FM_FORM_CLASSES ? FRAMEMAP_QUERIED_BY_MEMBER : FRAMEMAP_QUERIED_BY_ADDRESS;
}

void framemap_index_describe(const framemap_index *index, framemap_index_info *out)
{
    const struct fm_view_identity *identity = fm_view_identity(index->view);
    struct fm_view_about about;
    struct fm_segments_about segments = {.has_content = false};
    fm_view_about(index->view, &about);
    if (about.is_segments) fm_view_segments(index->view, &segments);
    *out = (framemap_index_info){.format_version = about.format_version,
                                 .kind = about.kind,
                                 .id = about.id,
                                 .arch = about.arch,
                                 .name = about.name,
                                 .base = about.base,
                                 .size_bytes = about.size_bytes,
                                 .scope_count = about.scope_count,
                                 .position_count = about.position_count,
                                 .function_count = about.function_count,
                                 .file_count = about.file_count,
                                 .string_bytes = about.string_bytes,
                                 .node_count = about.node_count,
                                 .class_count = about.class_count,
                                 .is_source_map = about.is_segments,
                                 .function_range_count = segments.stretch_count,
                                 .has_content = segments.has_content,
                                 .has_lines = about.has_lines,
                                 .kind_code = identity->kind_row->code,
                                 .family = identity->family,
                                 .queried_by = queried_by(identity)};
}

framemap_status framemap_scratch_create(const framemap_allocator *allocator, framemap_scratch **out,
                                        framemap_error *error)
{
    if (out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    struct fm_heap heap;
    fm_heap_init(&heap, allocator, 0);
    framemap_scratch *scratch = fm_heap_zalloc(&heap, 1, sizeof *scratch);
    if (scratch == NULL) return fm_error_memory(error);
    fm_heap_init(&scratch->heap, allocator, 0);
    fm_arena_init(&scratch->arena, &scratch->heap);
    *out = scratch;
    return FRAMEMAP_OK;
}

void framemap_scratch_free(framemap_scratch *scratch)
{
    if (scratch == NULL) return;
    fm_arena_free(&scratch->arena);
    struct fm_heap heap = scratch->heap;
    fm_heap_free(&heap, scratch, sizeof *scratch);
}

void framemap_scratch_limit(framemap_scratch *scratch, uint64_t max_memory)
{
    if (scratch == NULL) return;
    fm_arena_free(&scratch->arena);
    scratch->heap.ceiling = max_memory ? max_memory : UINT64_MAX;
}

/* Adds the source around each frame of the chain that was just made in the scratch. Normally a source text is read from
 * its start to find the line of a frame. If the chain has many frames, each source text is split into lines once
 * instead, as long as there is memory for the lists of lines. */
static void add_context(const framemap_index *index, framemap_scratch *scratch, framemap_frame *answer, uint32_t around)
{
    enum { FEW = 8 };
    const framemap_frame_list *chain = &answer->restored;
    bool split = chain->count > FEW;
    struct fm_source_texts texts;
    uint64_t text = 0;
    fm_source_texts_open(&texts, index->view, &scratch->heap);
    for (size_t i = 0; i < chain->count; i++) {
        framemap_frame *frame = (framemap_frame *)(uintptr_t)&chain->frames[i];
        if (split && !fm_source_texts_context(&texts, frame, around)) {
            split = false;
            /* a lack of memory for the list of lines is not an error, because the lookup is then only slower */
            atomic_store(&scratch->heap.over, false);
        }
        if (!split) fm_source_context(index->view, frame, around);
        fm_source_context_fits(frame, &text, answer);
    }
    fm_source_texts_close(&texts);
}

/* Accepts a query struct of any version: one of this version's size is used in place, any other is converted to *copy.
 */
static framemap_status read_query(const framemap_query **query, framemap_query *copy, framemap_error *error)
{
    if ((*query)->size == sizeof *copy) return FRAMEMAP_OK;
    const framemap_status status = fm_options_read(*query, copy, sizeof *copy, error);
    *query = copy;
    return status;
}

/* After a failure at the memory ceiling, frees the scratch memory, which would otherwise be kept for the next call. */
static void give_up_memory(framemap_scratch *scratch, framemap_error *error)
{
    fm_heap_fault(&scratch->heap, FRAMEMAP_E_MEMORY, error);
    atomic_store(&scratch->heap.over, false);
    fm_arena_free(&scratch->arena);
}

static inline bool is_known_query(const framemap_query *query)
{
    return (unsigned)query->address_kind <= FRAMEMAP_ADDRESS_FILE &&
           (unsigned)query->demangle <= FRAMEMAP_DEMANGLE_FULL && !fm_str_is_bad(query->scope) &&
           !fm_str_is_bad(query->printed_file) && (query->java == NULL || !fm_str_is_bad(query->java->exception));
}

static FM_APART framemap_status refuse_query(const framemap_query *query, framemap_error *error)
{
    framemap_status status = fm_demangle_check(query->demangle, error);
    if (status == FRAMEMAP_OK) status = fm_str_check(query->scope, "scope", error);
    if (status == FRAMEMAP_OK) status = fm_str_check(query->printed_file, "printed_file", error);
    if (status == FRAMEMAP_OK && query->java) status = fm_str_check(query->java->exception, "java->exception", error);
    if (status != FRAMEMAP_OK) return status;
    return fm_enum_check((unsigned)query->address_kind, FRAMEMAP_ADDRESS_FILE, "framemap_address_kind", error);
}

framemap_status framemap_resolve(const framemap_index *index, const framemap_query *query, framemap_scratch *scratch,
                                 framemap_frame *out, framemap_error *error)
{
    framemap_query given;
    if (index == NULL || query == NULL || scratch == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_status status = read_query(&query, &given, error);
    if (status != FRAMEMAP_OK) return status;
    if (!is_known_query(query)) return refuse_query(query, error);
    fm_arena_reset(&scratch->arena);
    status = fm_resolve(index->view, query, &scratch->arena, out, error);
    if (query->context && status == FRAMEMAP_OK) add_context(index, scratch, out, query->context);
    if (status == FRAMEMAP_E_MEMORY) give_up_memory(scratch, error);
    return status;
}

bool framemap_missing_companion(const framemap_index *index, const framemap_query *query, const framemap_frame *answer,
                                framemap_scratch *scratch, framemap_str *path, framemap_str *id)
{
    framemap_query given;
    framemap_str at = {NULL, 0}, of = {NULL, 0};
    if (index == NULL || query == NULL || scratch == NULL || path == NULL || id == NULL) return false;
    if (read_query(&query, &given, NULL) != FRAMEMAP_OK || !is_known_query(query) ||
        !fm_resolve_missing(index->view, query, answer, &scratch->arena, &at, &of))
        return false;
    *path = at;
    *id = of;
    return true;
}

/* Handles any query. This is a separate function because it needs stack space for a copy of the query, which the usual
 * query does not need. */
static FM_APART framemap_status lookup_any(const framemap_index *index, const framemap_query *query,
                                           const uint64_t *positions, size_t count, framemap_scratch *scratch,
                                           framemap_location_list *out, framemap_error *error)
{
    framemap_query given;
    if (index == NULL || query == NULL || (positions == NULL && count) || scratch == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    const framemap_status status = read_query(&query, &given, error);
    if (status != FRAMEMAP_OK) return status;
    if (!is_known_query(query)) return refuse_query(query, error);
    if (fm_view_is_classes(index->view) || fm_view_is_segments(index->view))
        return fm_error_set(
            error, FRAMEMAP_E_UNSUPPORTED,
            "batch lookup is for native and Dart indexes; use framemap_resolve for mappings and source maps");
    fm_arena_reset(&scratch->arena);
    const framemap_status answered =
        count == 1
            ? fm_resolve_location(index->view, query, positions[0], &scratch->arena, out, error)
            : fm_resolve_many(index->view, query, positions, count, &scratch->arena, &scratch->frame_room, out, error);
    if (answered == FRAMEMAP_E_MEMORY) give_up_memory(scratch, error);
    return answered;
}

framemap_status framemap_index_lookup_many(const framemap_index *index, const framemap_query *query,
                                           const uint64_t *positions, size_t count, framemap_scratch *scratch,
                                           framemap_location_list *out, framemap_error *error)
{
    const bool usual = count == 1 && index != NULL && query != NULL && positions != NULL && scratch != NULL &&
                       out != NULL && query->size == sizeof *query && is_known_query(query) &&
                       !fm_view_is_classes(index->view) && !fm_view_is_segments(index->view) &&
                       scratch->arena.first != NULL && scratch->heap.ceiling == UINT64_MAX;
    if (!usual) return lookup_any(index, query, positions, count, scratch, out, error);
    fm_arena_reset(&scratch->arena);
    return fm_resolve_location(index->view, query, positions[0], &scratch->arena, out, error);
}

framemap_str framemap_demangle_name(framemap_scratch *scratch, framemap_str symbol, framemap_demangle style)
{
    if (scratch == NULL || symbol.data == NULL || (unsigned)style > FRAMEMAP_DEMANGLE_FULL) return symbol;
    fm_arena_reset(&scratch->arena);
    return fm_demangle(symbol, style, &scratch->arena);
}

const framemap_mapper_info *const *framemap_mapper_list(size_t *count) { return fm_mapper_table(count); }
