/* Searches for separate debug files of native images: .build-id trees, .gnu_debuglink, dSYM bundles. */
#define _XOPEN_SOURCE 700 /* makes the system headers declare realpath() */
#include "session/catalog/debug_files.h"

#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/text/text.h"
#include "session/catalog/path_text.h"
#include "session/catalog/scan/scan_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define WHOLE 8u /* rank of a file that has debug info */

/* The state of one search for a debug file. */
struct debug_search {
    struct fm_debug_files *files;
    struct fm_catalog *catalog;
    /* host for scanning the candidates; it lists them in the catalog of `entry`, so that they get the same labels */
    struct fm_scan_host host;
    const struct fm_entry *entry, *best;
    bool is_open; /* the file of `entry` could be read, so `looked` is set */
    struct fm_looked looked;
    framemap_str folder; /* folder of the entry's own file, with a slash at its end */
    struct fm_debug_file *row;
    bool failed; /* out of memory */
};

void fm_debug_files_init(struct fm_debug_files *files, const struct fm_scan_host *host)
{
    static const char *const system_folders[] = {"/usr/lib/debug"};
    *files = (struct fm_debug_files){.host = *host, .folders = system_folders, .folder_count = 1};
    fm_arena_init(&files->arena, host->catalog->heap);
    fm_table_init(&files->table, host->catalog->heap);
}

void fm_debug_files_free(struct fm_debug_files *files)
{
    struct fm_heap *heap = files->host.catalog->heap;
    fm_heap_free(heap, files->rows, files->capacity * sizeof *files->rows);
    fm_table_free(&files->table);
    fm_arena_free(&files->arena);
}

static bool is_done(const struct debug_search *search) { return search->failed || search->best->rank >= WHOLE; }

static void consider(struct debug_search *search, const struct fm_entry *found)
{
    if (found->rank > search->best->rank) search->best = found;
}

static const char *keep_result(struct debug_search *search, const char *text)
{
    framemap_str copy = {NULL, 0};
    search->failed = !fm_arena_str(&search->files->arena, framemap_str_of(text), &copy) || search->failed;
    return copy.data;
}

/* Records that a file of another build was refused. The file is at a path where only the debug file of this image
 * should be. */
static void refuse_file(struct debug_search *search, const char *path, const char *why)
{
    framemap_error fault = {0};
    if (search->row->refused_path && strcmp(search->row->refused_path, path) == 0)
        return; /* an earlier search has already reported this file */
    fm_error_set(&fault, FRAMEMAP_E_MISMATCH, "%s", why);
    fm_error_where(&fault, framemap_str_of(path));
    if (search->host.warning) search->host.warning(search->host.context, &fault);
    search->row->refused_path = keep_result(search, path);
    search->row->refused = keep_result(search, why);
}

/* Adds a file to the catalog, and selects it if it is better than the best file so far. */
static void list_and_consider(struct debug_search *search, const char *path)
{
    framemap_error fault = {0};
    if (fm_scan_path(&search->host, path, true, &fault) == FRAMEMAP_E_MEMORY) search->failed = true;
    const struct fm_entry *found = fm_catalog_at_path(search->catalog, path);
    if (found) consider(search, found);
}

static bool is_self(const struct debug_search *search, const struct fm_stamp *stamp)
{
    return stamp->device == search->entry->stamp.device && stamp->inode == search->entry->stamp.inode;
}

/* Whether prelink has moved a program after its debug file was split from it: both still have one build id, but
 * different addresses. */
static bool is_moved(const struct fm_image *image, const struct fm_image *other)
{
    const uint32_t here = fm_image_section(image, FM_STR(".text")), there = fm_image_section(other, FM_STR(".text"));
    return here != UINT32_MAX && there != UINT32_MAX && image->sections[here].address != other->sections[there].address;
}

static void refuse_moved(struct debug_search *search, const char *path)
{
    refuse_file(
        search, path,
        "this debug file is not used: its code is at other addresses than the program's, as prelink leaves it; undo "
        "that with prelink -u");
}

/* --- searching by build id --- */

/* Whether the code of a file in the catalog has other addresses than the program's code; if so, reports this. Opens the
 * file. */
static bool is_listed_as_moved(struct debug_search *search, const struct fm_entry *found)
{
    struct fm_looked other;
    if (found->is_index || !search->is_open || !fm_look_into(found->path, NULL, search->catalog->heap, &other))
        return false;
    const bool moved = is_moved(&search->looked.image, &other.image);
    fm_look_away(&other);
    if (moved) refuse_moved(search, found->path);
    return moved;
}

static void try_catalog_id(struct debug_search *search, struct fm_catalog *catalog)
{
    const framemap_image_query want = {.id = search->entry->id};
    const struct fm_entry *found;
    const enum fm_found how = want.id.size ? fm_catalog_find(catalog, &want, &found) : FM_FOUND_NOTHING;
    if (how == FM_FOUND_NO_MEMORY) search->failed = true;
    if (how == FM_FOUND && found != search->entry && !is_listed_as_moved(search, found)) consider(search, found);
}

/* Tries FOLDER/.build-id/ab/cdef….debug, where distributions put the debug info of their packages. */
static void try_id_folder(struct debug_search *search, const char *folder)
{
    const framemap_str id = search->entry->id;
    char path[FM_PATH_ROOM];
    struct fm_stamp stamp;
    if (id.size < 8 ||
        !fm_path_make(path, "%s/.build-id/%.2s/%.*s.debug", folder, id.data, (int)id.size - 2, id.data + 2))
        return;
    if (!fm_stamp_of(path, &stamp) || is_self(search, &stamp)) return;
    fm_scan_path(&search->host, path, true, NULL);
    const struct fm_entry *found = fm_catalog_at_path(search->catalog, path);
    if (found && fm_str_equal(found->id, id) && !is_listed_as_moved(search, found)) consider(search, found);
}

/* --- searching by .gnu_debuglink --- */

static bool is_linked(struct debug_search *search, const char *path)
{
    struct fm_looked other;
    char why[FRAMEMAP_ERROR_MESSAGE_SIZE];
    if (!fm_look_into(path, NULL, search->catalog->heap, &other)) {
        refuse_file(search, path,
                    "not an object file, so it is not the debug file that .gnu_debuglink names; it is not used");
        return false;
    }
    const bool same = fm_is_linked(&search->looked.image, &other, why);
    const bool moved = same && is_moved(&search->looked.image, &other.image);
    fm_look_away(&other);
    if (!same) refuse_file(search, path, why);
    if (moved) refuse_moved(search, path);
    return same && !moved;
}

static void try_linked(struct debug_search *search, const char *path)
{
    struct fm_stamp stamp;
    if (is_done(search) || !fm_stamp_of(path, &stamp) || is_self(search, &stamp)) return;
    if (is_linked(search, path)) list_and_consider(search, path);
}

/* Searches for files with the name in .gnu_debuglink under the session's paths. If none of them belongs to the program,
 * reports one that belongs to another build. */
static void try_catalog_link(struct debug_search *search)
{
    const framemap_str link = search->looked.image.debuglink;
    char name[FM_PATH_ROOM];
    size_t count;
    if (!fm_path_make(name, "%.*s", (int)link.size, link.data)) return;
    const struct fm_entry *const *list = fm_catalog_named(search->catalog, fm_symbol_file_name(name), &count);
    for (size_t i = 0; i < count && !is_done(search); i++) {
        const struct fm_entry *found = list[i];
        if (is_self(search, &found->stamp) || found->rank <= search->best->rank) continue;
        if (!fm_str_equal(fm_str_basename(framemap_str_of(found->path)), link)) continue;
        if (search->row->refused_path && strcmp(search->row->refused_path, found->path) == 0) continue;
        if (is_linked(search, found->path)) consider(search, found);
    }
}

/* Tries FOLDER/usr/bin/app.debug for /usr/bin/app: the folders in a tree of debug files are named like the folders of
 * the programs. */
static void try_mirror(struct debug_search *search, const char *folder, const char *whole)
{
    const framemap_str link = search->looked.image.debuglink;
    char path[FM_PATH_ROOM];
    if (fm_path_make(path, "%s%s%s%.*s", folder, whole, whole[1] ? "/" : "", (int)link.size, link.data))
        try_linked(search, path);
}

static void try_link(struct debug_search *search)
{
    const framemap_str link = search->looked.image.debuglink, folder = search->folder;
    char path[FM_PATH_ROOM], whole[PATH_MAX];
    if (link.size == 0 || link.size > NAME_MAX) return;
    const int size = (int)folder.size, link_size = (int)link.size;
    if (fm_path_make(path, "%.*s%.*s", size, folder.data, link_size, link.data)) try_linked(search, path);
    if (fm_path_make(path, "%.*s.debug/%.*s", size, folder.data, link_size, link.data)) try_linked(search, path);
    try_catalog_link(search);
    if (!fm_path_make(path, "%.*s", size ? size : 1, size ? folder.data : ".") || realpath(path, whole) == NULL) return;
    for (size_t i = 0; i < search->files->folder_count; i++) try_mirror(search, search->files->folders[i], whole);
}

/* --- dSYMs --- */

static void try_bundle(struct debug_search *search, const char *path)
{
    const struct fm_entry *entry = search->entry, *found = NULL;
    const framemap_image_query want = {
        .path = framemap_str_of(path), .id = entry->id, .arch = entry->id.size ? (framemap_str){NULL, 0} : entry->arch};
    struct fm_stamp stamp;
    char why[FRAMEMAP_ERROR_MESSAGE_SIZE];
    if (is_done(search) || !fm_stamp_of(path, &stamp)) return;
    if (fm_scan_path(&search->host, path, false, NULL) == FRAMEMAP_E_MEMORY) search->failed = true;
    const enum fm_found how = fm_catalog_find(search->catalog, &want, &found);
    if (how == FM_FOUND &&
        (entry->id.size || search->catalog->same_build(search->catalog->same_build_context, entry, found))) {
        consider(search, found);
        return;
    }
    if (how == FM_FOUND_NOTHING) return;
    snprintf(why, sizeof why, "this dSYM is of another build and is not used: it has no image %s%s",
             entry->id.size ? "with the UUID " : "like this one", search->looked.image.id);
    refuse_file(search, path, why);
}

/* Tries App.dSYM beside the file App. If the file is in a folder App.app, also tries App.app.dSYM beside that
 * folder. */
static void try_bundles(struct debug_search *search)
{
    /* at most this many folders are tried above an image such as App.app/Contents/MacOS/App */
    enum { MOST_LEVELS = 4 };
    char path[FM_PATH_ROOM];
    if (!fm_path_make(path, "%s.dSYM", search->entry->path)) return;
    try_bundle(search, path);
    framemap_str folder = search->folder;
    for (unsigned level = 0; level < MOST_LEVELS && folder.size > 1; level++) {
        folder = fm_str_slice(folder, 0, folder.size - 1);
        const framemap_str name = fm_str_basename(folder);
        const bool bundle = fm_str_find_byte(name, '.') != FM_NOT_FOUND && name.data[0] != '.';
        if (bundle && fm_path_make(path, "%.*s.dSYM", (int)folder.size, folder.data)) try_bundle(search, path);
        folder = fm_str_slice(folder, 0, folder.size - name.size);
    }
}

/* --- running one complete search for a debug file --- */

static void say_what_is_wanted(struct debug_search *search)
{
    static const char stripped[] = "the file given for this image is stripped: ";
    char text[FRAMEMAP_ERROR_MESSAGE_SIZE];
    /* An earlier search has already computed this text. */
    if (search->row->wanted) return;
    memcpy(text, stripped, sizeof stripped);
    fm_image_describe_debug_file(&search->looked.image, text + sizeof stripped - 1, sizeof text - sizeof stripped);
    const char *kept = keep_result(search, text);
    search->row->wanted = kept ? kept + sizeof stripped - 1 : NULL;
    search->row->lack = search->looked.image.is_stripped && !search->looked.image.has_go_table ? kept : NULL;
}

static void look_around(struct debug_search *search)
{
    if (search->is_open && search->looked.image.format == FM_IMAGE_MACHO) try_bundles(search);
    for (size_t i = 0; i < search->files->folder_count && !is_done(search); i++)
        try_id_folder(search, search->files->folders[i]);
    if (!search->is_open) return;
    if (!is_done(search)) try_link(search);
    if (!is_done(search)) say_what_is_wanted(search);
}

static bool run_search(struct fm_debug_files *files, const struct fm_entry *entry, struct fm_debug_file *row)
{
    struct debug_search search = {
        .files = files, .catalog = entry->home, .host = files->host, .entry = entry, .best = entry, .row = row};
    search.host.catalog = entry->home;
    search.folder = fm_folder_of(entry->path);
    row->of = entry;
    search.is_open = fm_look_into(entry->path, entry->one_of_several ? entry->arch.data : NULL, search.catalog->heap,
                                  &search.looked);
    try_catalog_id(&search, entry->home);
    if (entry->home != files->host.catalog && !is_done(&search)) try_catalog_id(&search, files->host.catalog);
    if (!is_done(&search)) look_around(&search);
    if (search.is_open) fm_look_away(&search.looked);
    row->entry = search.best;
    row->known = search.catalog->count;
    row->stamp = search.best->stamp;
    fm_member_stamp_of(search.best->path, &row->stamp);
    return !search.failed;
}

static bool row_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_debug_files *files = context;
    return files->rows[number].of == key;
}

/* Whether the result of an earlier search is still valid. A result is invalid if the file that was found has been
 * replaced since. A result without debug info is invalid once further files are listed. */
static bool is_still_good(const struct fm_debug_file *row)
{
    struct fm_stamp now;
    if (row->entry->rank < WHOLE && row->known != row->of->home->count) return false;
    return row->entry == row->of ||
           (fm_member_stamp_of(row->entry->path, &now) && memcmp(&now, &row->stamp, sizeof now) == 0);
}

bool fm_debug_files_find(struct fm_debug_files *files, const struct fm_entry *entry, const struct fm_debug_file **out)
{
    const uint64_t hash = fm_hash_word(entry->order, fm_hash_key(files));
    uint32_t number = fm_table_find(&files->table, hash, row_equal, files, entry);
    if (number == UINT32_MAX) {
        if (!FM_GROW(files->host.catalog->heap, files->rows, files->capacity, files->count + 1)) return false;
        number = (uint32_t)files->count;
        files->rows[number] = (struct fm_debug_file){.of = entry};
        if (!run_search(files, entry, &files->rows[number]) || !fm_table_add(&files->table, hash, number)) return false;
        files->count++;
    } else if (!is_still_good(&files->rows[number]) && !run_search(files, entry, &files->rows[number])) {
        return false;
    }
    *out = &files->rows[number];
    return true;
}
