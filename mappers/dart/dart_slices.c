/* Recognizes Dart programs by their symbols and chooses a slice of a fat file. Called by dart_mapper.c. */
#include "mappers/dart/dart_slices.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"

bool fm_dart_is_program(framemap_str bytes)
{
    static const framemap_str names[] = {FM_STR_INIT("kDartSnapshotText"),
                                         FM_STR_INIT("kDartIsolateSnapshotInstructions"),
                                         FM_STR_INIT("kDartVmSnapshotInstructions")};
    if (!fm_image_names_hold(bytes, FM_STR("kDart")))
        return false; /* nearly all files that are not of Dart end here, after one search instead of three */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_image_names_hold(bytes, names[i])) return true;
    return false;
}

struct dart_slices {
    framemap_image_info rows[FM_LIMIT_SLICES];
    size_t count;
};

static framemap_str bytes_of(framemap_str bytes, const framemap_image_info *slice)
{
    return fm_str_slice(bytes, (size_t)slice->offset, (size_t)(slice->offset + slice->size));
}

static bool is_better(const framemap_image_info *slice, const framemap_image_info *than)
{
    return strcmp(slice->type, "debug file") == 0 || !than->has_debug_info;
}

/* Moves the slices that are Dart programs to the front. */
static void keep_programs(framemap_str bytes, struct dart_slices *slices)
{
    size_t kept = 0;
    for (size_t i = 0; i < slices->count; i++) {
        const framemap_image_info slice = slices->rows[i];
        size_t same = 0;
        if (!fm_dart_is_program(bytes_of(bytes, &slice))) continue;
        while (same < kept && strcmp(slices->rows[same].arch, slice.arch) != 0) same++;
        if (same == kept || is_better(&slice, &slices->rows[same])) slices->rows[same] = slice;
        if (same == kept) kept++;
    }
    if (kept) slices->count = kept;
}

static framemap_status list(framemap_str bytes, struct fm_heap *heap, struct dart_slices *out, framemap_error *error)
{
    framemap_status status = fm_image_inspect(bytes, heap, out->rows, FM_LIMIT_SLICES, &out->count, error);
    if (status == FRAMEMAP_OK && out->count > 1) keep_programs(bytes, out);
    return status;
}

framemap_status fm_dart_inspect(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                                size_t *count, framemap_error *error)
{
    struct dart_slices *slices = fm_heap_zalloc(heap, 1, sizeof *slices);
    if (slices == NULL) return fm_error_memory(error);
    framemap_status status = list(bytes, heap, slices, error);
    for (size_t i = 0; status == FRAMEMAP_OK && i < slices->count && i < capacity; i++) images[i] = slices->rows[i];
    if (status == FRAMEMAP_OK) *count = slices->count;
    fm_heap_free(heap, slices, sizeof *slices);
    return status;
}

/* Opens the only slice, or the one for the architecture. */
static framemap_status open_one(framemap_str bytes, const char *arch, const struct dart_slices *slices,
                                struct fm_arena *arena, struct fm_image *out, framemap_error *error)
{
    for (size_t i = 0; i < slices->count && (arch || slices->count == 1); i++) {
        const framemap_status status = fm_image_open(bytes_of(bytes, &slices->rows[i]), arch, arena, out, error);
        if (status != FRAMEMAP_E_MISMATCH) return status;
    }
    return fm_image_open(bytes, arch, arena, out, error); /* this call fails, with a message that lists the slices */
}

framemap_status fm_dart_image_open(framemap_str bytes, const char *arch, struct fm_arena *arena, struct fm_image *out,
                                   framemap_error *error)
{
    struct dart_slices *slices = fm_heap_zalloc(arena->heap, 1, sizeof *slices);
    if (slices == NULL) return fm_error_memory(error);
    framemap_status status = list(bytes, arena->heap, slices, error);
    if (status == FRAMEMAP_OK) status = open_one(bytes, arch, slices, arena, out, error);
    fm_heap_free(arena->heap, slices, sizeof *slices);
    return status;
}
