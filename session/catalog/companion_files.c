/* Opens the companions of a symbol file (files with a part of its debug info), and chooses among the candidates. See
 * companion_files.h. */
#include "session/catalog/companion_files.h"

#include "core/archive/member_file.h"
#include "core/hash/hash.h"
#include "core/text/text.h"
#include "session/catalog/object_files.h"

struct fm_companion_file {
    const char *path;
    struct fm_mapfile file;
    struct fm_stamp stamp; /* stamp of the file when it was opened */
    /* members of a static archive; read when an object file in the archive is requested */
    struct fm_object_members members;
};

void fm_companion_files_init(struct fm_companion_files *files, struct fm_heap *heap, fm_mutex *lock,
                             struct fm_catalog *home, const struct fm_debug_files *debug, const char *path)
{
    *files = (struct fm_companion_files){
        .candidates = {.heap = heap, .lock = lock, .home = home, .debug = debug, .path = path}};
    fm_arena_init(&files->candidates.arena, heap);
    fm_table_init(&files->table, heap);
}

void fm_companion_files_free(struct fm_companion_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        fm_object_members_free(&files->files[i]->members);
        fm_mapfile_close(&files->files[i]->file);
    }
    fm_heap_free(files->candidates.heap, files->files, files->capacity * sizeof *files->files);
    fm_table_free(&files->table);
    fm_heap_free(files->candidates.heap, files->candidates.rows,
                 files->candidates.capacity * sizeof *files->candidates.rows);
    fm_arena_free(&files->candidates.arena);
}

/* Whether an open file was changed. A file that was removed or replaced counts as unchanged, because its old bytes can
 * still be read. */
static bool has_changed(const struct fm_companion_file *open)
{
    const struct fm_stamp *before = &open->stamp;
    struct fm_stamp now;
    if (fm_mapfile_changed(&open->file)) return true;
    return fm_member_stamp_of(open->path, &now) && now.device == before->device && now.inode == before->inode &&
           !fm_stamp_same_content(before, &now);
}

bool fm_companion_files_changed(const struct fm_companion_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (has_changed(files->files[i])) return true;
    return false;
}

/* --- opening --- */

static bool has_path(const void *context, uint32_t number, const void *key)
{
    const struct fm_companion_files *files = context;
    return strcmp(files->files[number]->path, key) == 0;
}

/* Whether the file at the path is still the file that was opened, and unchanged. */
static bool is_current(const struct fm_companion_file *open)
{
    struct fm_stamp now;
    return fm_member_stamp_of(open->path, &now) && fm_stamp_same_content(&open->stamp, &now);
}

static struct fm_companion_file *open_file(struct fm_companion_files *files, const char *path)
{
    const uint64_t hash = fm_hash64(path, strlen(path), fm_hash_key(files));
    const uint32_t known = fm_table_find(&files->table, hash, has_path, files, path);
    if (known != UINT32_MAX && is_current(files->files[known])) return files->files[known];
    struct fm_companion_file *open = FM_ARENA_NEW(&files->candidates.arena, struct fm_companion_file);
    if (open == NULL || !FM_GROW(files->candidates.heap, files->files, files->capacity, files->count + 1)) return NULL;
    open->members = (struct fm_object_members){.heap = NULL};
    if (!fm_member_stamp_of(path, &open->stamp) ||
        fm_member_file_open(path, 0, files->candidates.heap, &open->file, NULL) != FRAMEMAP_OK)
        return NULL;
    /* The descriptor is closed, because a program may have thousands of companions, and the system limits the open
     * descriptors of a process. */
    fm_mapfile_close_descriptor(&open->file);
    open->path = path;
    /* the file that was opened earlier remains open, because its bytes were passed to the caller */
    if (known != UINT32_MAX) {
        files->files[files->count++] = files->files[known];
        return files->files[known] = open;
    }
    files->files[files->count] = open;
    if (fm_table_add(&files->table, hash, (uint32_t)files->count)) {
        files->count++;
        return open;
    }
    fm_mapfile_close(&open->file);
    return NULL;
}

static framemap_str bytes_of(struct fm_companion_files *files, const char *path)
{
    const struct fm_companion_file *open = open_file(files, path);
    return open != NULL ? open->file.bytes : (framemap_str){NULL, 0};
}

/* --- choosing the object files of an image --- */

/* Moves those candidates to the front whose paths have the same end as the stated path. Uses an insertion sort, since
 * there are few candidates. */
static void sort_by_end(struct fm_companion_files *files, framemap_str stated)
{
    struct fm_companion_candidate *list = files->candidates.rows;
    for (size_t i = 1; i < files->candidates.count; i++) {
        const struct fm_companion_candidate moving = list[i];
        const size_t common = fm_object_common_end(framemap_str_of(moving.path), stated);
        size_t at = i;
        for (; at > 0 && fm_object_common_end(framemap_str_of(list[at - 1].path), stated) < common; at--)
            list[at] = list[at - 1];
        list[at] = moving;
    }
}

/* Adds the files with a name in an archive. */
static void add_members(struct fm_companion_files *files, const char *path, framemap_str name, framemap_str time)
{
    struct fm_companion_file *open = open_file(files, path);
    framemap_str member;
    size_t at = 0;

    if (open == NULL) return;
    if (open->members.heap == NULL &&
        !fm_object_members_read(&open->members, files->candidates.heap, open->file.bytes)) {
        fm_object_members_free(&open->members);
        return;
    }
    while (fm_object_members_next(&open->members, name, time, &at, &member)) {
        const struct fm_companion_candidate found = {path, (size_t)(member.data - open->file.bytes.data), member.size};
        if (!fm_companion_candidates_add(&files->candidates, &found)) return;
    }
}

/* Replaces the candidates, which are all archives, by those files in the archives that have the given name and
 * modification time. */
static void choose_members(struct fm_companion_files *files, framemap_str name, framemap_str time)
{
    const size_t archives = files->candidates.count;

    for (size_t i = 0; i < archives; i++) add_members(files, files->candidates.rows[i].path, name, time);
    files->candidates.count -= archives;
    if (archives > 0)
        memmove(files->candidates.rows, files->candidates.rows + archives,
                files->candidates.count * sizeof *files->candidates.rows);
}

/* Keeps only the candidates that were modified at the time in the request. */
static void choose_objects(struct fm_companion_files *files, const framemap_companion_request *wanted)
{
    framemap_str path = wanted->name, member = {NULL, 0};
    size_t kept = 0;

    fm_object_path_split(wanted->name, &path, &member);
    sort_by_end(files, path);
    if (member.size > 0) {
        choose_members(files, member, wanted->id);
        return;
    }
    for (size_t i = 0; i < files->candidates.count; i++)
        if (fm_object_is_of_time(files->candidates.rows[i].path, wanted->id))
            files->candidates.rows[kept++] = files->candidates.rows[i];
    files->candidates.count = kept;
}

bool fm_companion_files_get(void *context, const framemap_companion_request *wanted, framemap_str *bytes)
{
    struct fm_companion_files *files = context;

    const unsigned at = wanted->attempt;

    if (at == 0) fm_companion_candidates_list(&files->candidates, wanted);
    if (at == 0 && wanted->kind == FRAMEMAP_COMPANION_OBJECT) choose_objects(files, wanted);
    while (at < files->candidates.count) {
        const struct fm_companion_candidate *candidate = &files->candidates.rows[at];
        *bytes = bytes_of(files, candidate->path);
        if (candidate->size > 0) *bytes = fm_str_slice(*bytes, candidate->at, candidate->at + candidate->size);
        if (bytes->size > 0) return true;
        /* The candidate cannot be read, or is empty. It is removed, and the next candidate gets its number. */
        files->candidates.count--;
        memmove(&files->candidates.rows[at], &files->candidates.rows[at + 1],
                (files->candidates.count - at) * sizeof *files->candidates.rows);
    }
    return false;
}

/* --- computing the cache key of an image with its companions --- */

/* Returns the next field of a line. A field ends at a tab, or at the end of the line. */
static framemap_str next_field(framemap_str *line)
{
    const size_t tab = fm_str_find_byte(*line, '\t');
    const framemap_str field = fm_str_slice(*line, 0, tab == FM_NOT_FOUND ? line->size : tab);
    *line = fm_str_from(*line, tab == FM_NOT_FOUND ? line->size : tab + 1);
    return field;
}

static framemap_companion_request read_request(framemap_str line)
{
    framemap_companion_request request = {.size = sizeof request};
    const framemap_str kind = next_field(&line);
    request.kind = (framemap_companion_kind)(kind.size == 1 ? kind.data[0] - '0' : 0);
    request.id = next_field(&line);
    request.folder = next_field(&line);
    request.name = line;
    return request;
}

static void hash_stamp(struct fm_sha256 *hash, const char *path)
{
    struct fm_stamp stamp = {0};
    (void)fm_member_stamp_of(path, &stamp);
    fm_sha256_add(hash, path, strlen(path) + 1);
    fm_sha256_add(hash, &stamp, sizeof stamp);
}

void fm_companion_files_key(struct fm_companion_files *files, framemap_str recorded, const char *key, char out[65])
{
    unsigned char digest[32];
    struct fm_sha256 hash;

    fm_sha256_begin(&hash);
    fm_sha256_add(&hash, key, strlen(key));
    while (recorded.size > 0) {
        const size_t end = fm_str_find_byte(recorded, '\n');
        const framemap_companion_request request = read_request(fm_str_slice(recorded, 0, end));
        recorded = end == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(recorded, end + 1);
        fm_companion_candidates_list(&files->candidates, &request);
        for (size_t i = 0; i < files->candidates.count; i++) hash_stamp(&hash, files->candidates.rows[i].path);
        fm_sha256_add(&hash, "\n", 1);
    }
    fm_sha256_end(&hash, digest);
    fm_hex_put(digest, sizeof digest, out);
    out[64] = 0;
}
