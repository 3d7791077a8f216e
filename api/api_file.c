/* Public calls on files: include/framemap/file.h over core/mapfile.h. */
#include "api/option_structs.h"
#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/map_guard.h"
#include "core/mapfile.h"

#include <framemap/file.h>

struct framemap_file {
    struct fm_heap heap; /* heap from which the struct is allocated, and the bytes of a file that was read */
    struct fm_mapfile map;
};

framemap_status framemap_file_open(const char *path, const framemap_file_options *given, framemap_file **out,
                                   framemap_error *error)
{
    framemap_file_options options;
    struct fm_heap heap;
    if (path == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "%s is NULL", path ? "out" : "path");
    framemap_status status = fm_options_read(given, &options, sizeof options, error);
    if (status != FRAMEMAP_OK) return status;

    fm_heap_init(&heap, options.allocator, 0);
    framemap_file *file = fm_heap_zalloc(&heap, 1, sizeof *file);
    if (file == NULL) return fm_error_memory(error);
    fm_heap_init(&file->heap, options.allocator, options.max_memory);
    const size_t limit = options.read_up_to < SIZE_MAX ? (size_t)options.read_up_to : SIZE_MAX;
    status = options.within ? fm_member_file_open(path, limit, &file->heap, &file->map, error)
                            : fm_mapfile_open_small(path, limit, &file->heap, &file->map, error);
    status = fm_heap_fault(&file->heap, status, error);
    if (status == FRAMEMAP_OK)
        *out = file;
    else
        fm_heap_free(&heap, file, sizeof *file);
    return status;
}

framemap_str framemap_file_bytes(const framemap_file *file) { return file ? file->map.bytes : (framemap_str){"", 0}; }

bool framemap_file_changed(const framemap_file *file) { return file != NULL && fm_mapfile_changed(&file->map); }

void framemap_file_consumed(void *file, size_t offset) { fm_mapfile_consumed(&((framemap_file *)file)->map, offset); }

void framemap_file_release_range(void *file, size_t offset, size_t size)
{
    fm_mapfile_release_range(&((framemap_file *)file)->map, offset, size);
}

void framemap_file_close(framemap_file *file)
{
    if (file == NULL) return;
    fm_mapfile_close(&file->map);
    struct fm_heap heap;
    fm_heap_init(&heap, &file->heap.hook, 0);
    fm_heap_free(&heap, file, sizeof *file);
}

bool framemap_guard_mapped_files(void) { return fm_guard_install(); }
