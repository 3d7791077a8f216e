/* Implements scan_file.h: opens a file, decompressed if necessary, determines its kind by its bytes, and adds each
 * image of a symbol file to the catalog with id, architecture and name. scan_javascript.c handles source maps and
 * scripts, scan_archive.c handles archives. */
#include "session/catalog/scan/scan_file.h"

#include "api/index_handle.h"
#include "core/archive/archive.h"
#include "core/archive/inflate_input.h"
#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/mapfile.h"
#include "core/text/guid.h"
#include "core/text/text.h"
#include "mappers/javascript/sourcemap/sourcemap_mapper.h"
#include "mappers/native/breakpad/breakpad_module.h"
#include "session/catalog/path_text.h"
#include "session/catalog/scan/scan_archive.h"

/* Removes folders from the path, and the endings that tools append to a program's name for its symbol file, such as
 * ".debug". */
framemap_str fm_symbol_file_name(const char *path)
{
    static const char *const tails[] = {".gz", ".zst", ".xz", ".fmx", ".debug", ".dbg", ".sym", ".unstripped"};
    framemap_str name = fm_str_basename(framemap_str_of(path));
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        framemap_str tail = framemap_str_of(tails[i]);
        if (name.size > tail.size && fm_str_ends(name, tail)) name = fm_str_slice(name, 0, name.size - tail.size);
    }
    return name;
}

static bool all_hex(framemap_str text)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
    }
    return text.size > 0;
}

/* Returns the id in a path such as ".build-id/ab/cdef….debug", for a file that does not contain its id. */
static framemap_str id_of_path(const char *path, char *room, size_t room_size)
{
    framemap_str text = framemap_str_of(path), mark = FM_STR(".build-id/");
    size_t at = fm_str_find_last(text, mark);
    if (at == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    framemap_str rest = fm_str_from(text, at + mark.size);
    if (fm_str_ends(rest, FM_STR(".debug"))) rest = fm_str_slice(rest, 0, rest.size - 6);
    if (rest.size < 8 || rest.size > room_size || rest.data[2] != '/') return (framemap_str){NULL, 0};
    memcpy(room, rest.data, 2);
    memcpy(room + 2, rest.data + 3, rest.size - 3);
    framemap_str id = fm_str(room, rest.size - 1);
    return all_hex(id) ? id : (framemap_str){NULL, 0};
}

static unsigned rank_of(const framemap_image_info *info)
{
    const bool has_lines = info->has_line_table || info->has_go_table;
    /* the debug info itself is preferred to Breakpad's symbols, which have no columns */
    const bool has_less = info->has_debug_info && info->index_kind == FRAMEMAP_INDEX_BREAKPAD;
    unsigned rank = (info->has_debug_info ? 8u : 0) + (has_lines ? 4u : 0) + (info->has_symbols && !has_less ? 2u : 0);
    /* an index of a file is preferred to the file itself, which would have to be compiled */
    return rank + info->is_index;
}

static bool is_mapping(const framemap_image_info *info, framemap_str bytes)
{
    if (info->is_index) return fm_index_has_classes(bytes) && info->index_kind != FRAMEMAP_INDEX_DART_NAMES;
    return info->index_kind == FRAMEMAP_INDEX_R8 || info->index_kind == FRAMEMAP_INDEX_PROGUARD;
}

/* Returns the id that is used for an ELF file without a build id: its debug id, in the byte order of build ids. */
static framemap_str code_id_of(const framemap_image_info *image, char digits[FM_GUID_DIGITS])
{
    size_t count = 0;
    if (image->id[0]) return (framemap_str){NULL, 0};
    for (const char *at = image->debug_id; *at && count < FM_GUID_DIGITS; at++)
        if (*at != '-') digits[count++] = *at;
    if (count < FM_GUID_DIGITS) return (framemap_str){NULL, 0};
    fm_guid_swap(digits);
    return fm_str(digits, count);
}

/* Whether the id is a GUID with an age after it, as Breakpad writes it for programs of Windows. Ages are small. */
static bool has_age(const framemap_image_info *image)
{
    const size_t size = strlen(image->id);
    return image->index_kind == FRAMEMAP_INDEX_BREAKPAD && size > FM_GUID_DIGITS && size < FM_GUID_DIGITS + 8;
}

/* Returns the name that stacks have for an image. The kernel has one name, whatever the name of its file is. Symbol
 * files of Breakpad state the name. */
static framemap_str name_of_image(const struct fm_scanned *file, const framemap_image_info *image)
{
    struct fm_breakpad_module module;
    if (image->index_kind == FRAMEMAP_INDEX_KALLSYMS) return FM_STR(FM_KERNEL_NAME);
    if (image->index_kind == FRAMEMAP_INDEX_BREAKPAD && !image->is_index &&
        fm_breakpad_module_read(file->bytes, &module)) {
        const framemap_str name = fm_breakpad_image_name(&module);
        if (name.size > 0) return name;
    }
    return fm_symbol_file_name(file->path + file->name_at);
}

static framemap_status list_images(const struct fm_scan_host *host, const struct fm_scanned *file,
                                   const framemap_image_info *images, size_t count, framemap_error *error)
{
    char room[80], digits[FM_GUID_DIGITS];
    for (size_t i = 0; i < count; i++) {
        struct fm_entry entry = {.path = file->path,
                                 .name = name_of_image(file, &images[i]),
                                 .id = framemap_str_of(images[i].id),
                                 .arch = framemap_str_of(images[i].arch),
                                 .code_id = code_id_of(&images[i], digits),
                                 .stamp = *file->stamp,
                                 .rank = rank_of(&images[i]),
                                 .is_index = images[i].is_index,
                                 .is_mapping = is_mapping(&images[i], file->bytes),
                                 .is_names = images[i].index_kind == FRAMEMAP_INDEX_DART_NAMES,
                                 .is_dart = images[i].index_kind == FRAMEMAP_INDEX_DART,
                                 .has_age = has_age(&images[i]),
                                 .in_archive = file->name_at > 0,
                                 .archive_size = file->name_at > 0 ? file->name_at - 1 : 0,
                                 .offset = file->offset,
                                 .one_of_several = count > 1};
        if (entry.id.size == 0) entry.id = id_of_path(file->path, room, sizeof room);
        if (!fm_catalog_add(host->catalog, &entry)) return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

static framemap_status list_symbols(const struct fm_scan_host *host, const struct fm_scanned *file,
                                    framemap_error *error)
{
    framemap_image_info images[FM_LIMIT_SLICES];
    size_t count = 0;
    bool listed = false;
    const framemap_str name = fm_str_basename(framemap_str_of(file->path));
    framemap_status status = framemap_file_inspect(file->bytes, name, images, FM_LIMIT_SLICES, &count, error);
    if (count > FM_LIMIT_SLICES) count = FM_LIMIT_SLICES;
    if (status == FRAMEMAP_OK && images[0].is_index)
        status = fm_scan_map_index(host, file, framemap_str_of(images[0].id), &listed, error);
    if (status == FRAMEMAP_OK && !listed) status = list_images(host, file, images, count, error);
    return status;
}

/* Lists the map that a script names, unless it is listed already. Anything else to which the name leads is ignored,
 * since scripts are not always trustworthy. */
static framemap_status list_named_map(const struct fm_scan_host *host, const char *path,
                                      const struct fm_scanned *script, framemap_error *error)
{
    struct fm_mapfile file;
    struct fm_stamp stamp;
    char whole[PATH_MAX];
    framemap_status status = FRAMEMAP_OK;
    if (fm_catalog_has_path(host->catalog, path) || !fm_stamp_of(path, &stamp)) return FRAMEMAP_OK;
    if (!fm_may_open(host, script, path, "a source map", whole)) return FRAMEMAP_OK;
    if (fm_mapfile_open(whole, &file, NULL) != FRAMEMAP_OK) return FRAMEMAP_OK;
    const bool beside = fm_str_equal(fm_folder_of(path), fm_folder_of(script->path));
    const struct fm_scanned scanned = {.path = path,
                                       .root = script->root,
                                       .stamp = &stamp,
                                       .bytes = file.bytes,
                                       .depth = beside ? script->depth : UINT32_MAX};
    struct fm_index_map map;
    const bool is_index = fm_index_is_map(file.bytes, &map);
    if (is_index || fm_scan_is_source_map(&scanned)) {
        framemap_error fault = {0};
        status = is_index ? list_symbols(host, &scanned, &fault) : fm_scan_source_map(host, &scanned, &fault);
        if (status == FRAMEMAP_E_MEMORY) fm_error_memory(error);
        if (status != FRAMEMAP_OK && status != FRAMEMAP_E_MEMORY) {
            fm_fault_at(&fault, path);
            fm_scan_warn(host, &fault);
            status = FRAMEMAP_OK;
        }
    }
    fm_mapfile_close(&file);
    return status;
}

static void note_passed(const struct fm_scan_host *host, const struct fm_scanned *file)
{
    if (host->passed == NULL || host->passed->code != FRAMEMAP_OK || file->given) return;
    if (fm_mapper_recognise(file->bytes, host->passed)) fm_fault_at(host->passed, file->path);
}

/* Adds the images of a symbol file; *is_one: whether the file is a symbol file. */
static framemap_status list_file(const struct fm_scan_host *host, const struct fm_scanned *file, bool *is_one,
                                 framemap_error *error)
{
    const bool is_index = fm_view_is_index(file->bytes);
    const struct fm_mapper *mapper =
        is_index ? NULL : fm_mapper_for(file->bytes, fm_str_basename(framemap_str_of(file->path)), NULL);
    *is_one = is_index || mapper != NULL;
    if (!*is_one) return FRAMEMAP_OK;
    return mapper == &fm_sourcemap_mapper ? fm_scan_source_map(host, file, error) : list_symbols(host, file, error);
}

static framemap_status list_member(const struct fm_scan_host *host, const struct fm_scanned *file,
                                   framemap_error *error)
{
    bool is_one;
    return list_file(host, file, &is_one, error);
}

static framemap_status list_script(const struct fm_scan_host *host, const struct fm_scanned *file,
                                   framemap_error *error)
{
    struct fm_arena arena;
    framemap_str map;
    bool listed = false;
    fm_arena_init(&arena, host->catalog->heap);
    framemap_status status = fm_scan_script(host, file, &arena, &map, &listed, error);
    if (status == FRAMEMAP_OK && map.size > 0) status = list_named_map(host, map.data, file, error);
    fm_arena_free(&arena);
    if (status == FRAMEMAP_OK && map.size == 0 && fm_scan_has_modules(file)) {
        size_t count;
        status = fm_scan_modules(host, file, list_member, &count, error);
        listed = listed || count > 0;
    }
    if (status != FRAMEMAP_OK || listed) return status;
    note_passed(host, file);
    return fm_mapper_refuse(file->bytes, error);
}

/* Refuses an archive without symbol files. An archive that is found in a folder is recorded, so that an error can
 * name it if the folder has no symbol files. */
static framemap_status refuse_archive(const struct fm_scan_host *host, const struct fm_scanned *file,
                                      const framemap_error *nothing, framemap_error *error)
{
    if (host->passed != NULL && host->passed->code == FRAMEMAP_OK && !file->given) {
        *host->passed = *nothing;
        fm_fault_at(host->passed, file->path);
    }
    if (error) *error = *nothing;
    return nothing->code;
}

/* Lists a file that is not a symbol file itself: an archive of symbol files, or a script. */
static framemap_status list_other(const struct fm_scan_host *host, const struct fm_scanned *file, framemap_error *error)
{
    framemap_error nothing;
    size_t count;
    bool is_thin;
    framemap_status status = fm_scan_thin(host, file, list_file, &is_thin, error);
    if (is_thin) return status;
    status = fm_scan_archive(host, file, list_member, &count, &nothing, error);
    if (status == FRAMEMAP_E_FORMAT) return list_script(host, file, error);
    if (status != FRAMEMAP_OK || count > 0) return status;
    return refuse_archive(host, file, &nothing, error);
}

/* Whether a compressed file that begins with these bytes may be a symbol file or an archive of symbol files. */
static bool is_wanted(framemap_str head, framemap_str name)
{
    struct fm_archive archive;
    if (fm_view_is_index(head) || fm_mapper_for(head, name, NULL) != NULL) return true;
    return !fm_is_compressed(head) && fm_archive_open(head, &archive, NULL) != FRAMEMAP_E_FORMAT;
}

/* Opens a file that was found in a folder. A compressed file is decompressed only if it is a symbol file. A file that
 * does not fit into memory is skipped, since folders may contain large logs. *passed: the file was skipped. */
static framemap_status open_found(const struct fm_scan_host *host, const char *path, struct fm_mapfile *out,
                                  bool *passed, framemap_error *error)
{
    struct fm_heap *heap = host->catalog->heap;
    const framemap_status status = fm_member_file_open_wanted(path, is_wanted, heap, out, error);
    *passed = status == FRAMEMAP_E_MEMORY;
    if (!*passed) return status;
    fm_heap_fault(heap, status, error);
    fm_fault_at(error, path);
    fm_scan_warn(host, error);
    return FRAMEMAP_OK;
}

/* Keeps the bytes that were decompressed while the file was listed, so that compiling can use them. */
static void keep_bytes(const struct fm_scan_host *host, const char *path, struct fm_mapfile *file)
{
    const struct fm_entry *entry = file->heap != NULL ? fm_catalog_at_path(host->catalog, path) : NULL;
    if (entry == NULL || entry->is_source_map || file->heap != host->catalog->heap || file->start > 0 ||
        file->block_size != file->bytes.size || !fm_kept_files_add(&host->catalog->kept, path, file->bytes))
        return;
    file->heap = NULL;
    file->bytes = (framemap_str){"", 0};
}

/* Lists a folder in an archive, such as a dSYM. *count: number of symbol files in the folder; also 0 if there is no
 * such archive. */
static framemap_status list_folder_within(const struct fm_scan_host *host, const char *path, const char *root,
                                          size_t *count)
{
    const size_t size = fm_archive_path_size(path);
    framemap_str below = framemap_str_of(path + size + (size > 0));
    char archive[FM_PATH_ROOM];
    struct fm_mapfile file;
    struct fm_stamp stamp;
    framemap_error nothing;
    *count = 0;
    while (fm_str_starts(below, FM_STR("/"))) below = fm_str_from(below, 1);
    while (fm_str_ends(below, FM_STR("/"))) below = fm_str_slice(below, 0, below.size - 1);
    if (size == 0 || below.size == 0 || !fm_path_make(archive, "%.*s", (int)size, path)) return FRAMEMAP_OK;
    if (!fm_stamp_of(archive, &stamp) || fm_mapfile_open(archive, &file, NULL) != FRAMEMAP_OK) return FRAMEMAP_OK;
    const struct fm_scanned scanned = {
        .path = archive, .root = root, .stamp = &stamp, .bytes = file.bytes, .given = true, .below = below};
    const framemap_status status = fm_scan_archive(host, &scanned, list_member, count, &nothing, NULL);
    fm_mapfile_close(&file);
    return status;
}

/* Handles a path at which there is no file; `error` has the reason. If the path leads to a folder in an archive, lists
 * the files below that folder. */
static framemap_status scan_no_file(const struct fm_scan_host *host, const char *path, const char *root,
                                    framemap_error *error)
{
    size_t count;
    if (list_folder_within(host, path, root, &count) == FRAMEMAP_E_MEMORY) return fm_error_memory(error);
    return count > 0 ? FRAMEMAP_OK : FRAMEMAP_E_IO;
}

framemap_status fm_scan_file(const struct fm_scan_host *host, const char *path, const char *root,
                             const struct fm_stamp *stamp, uint32_t depth, framemap_error *error)
{
    struct fm_mapfile file;
    const bool given = depth == UINT32_MAX;
    bool is_one, passed = false;
    framemap_status status = given ? fm_member_file_open(path, 0, host->catalog->heap, &file, error)
                                   : open_found(host, path, &file, &passed, error);
    if (status == FRAMEMAP_E_IO && given) return scan_no_file(host, path, root, error);
    if (status != FRAMEMAP_OK || passed) return status;
    const bool in_archive = fm_archive_path_size(path) > 0;
    const struct fm_scanned scanned = {.path = path,
                                       .root = root,
                                       .stamp = stamp,
                                       .bytes = file.bytes,
                                       .depth = given ? 0 : depth,
                                       .name_at = in_archive ? (size_t)(strrchr(path, '!') - path) + 1 : 0,
                                       .given = given};
    status = list_file(host, &scanned, &is_one, error);
    if (!is_one) status = list_other(host, &scanned, error);
    if (status == FRAMEMAP_OK && is_one) keep_bytes(host, path, &file);
    fm_mapfile_close(&file);
    return status;
}
