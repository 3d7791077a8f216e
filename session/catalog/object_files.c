/* Compares times and paths of object files, and lists those in static archives. See object_files.h. */
#include "session/catalog/object_files.h"

#include "core/archive/archive.h"
#include "core/limits.h"
#include "core/text/scan.h"
#include "core/text/text.h"

void fm_object_path_split(framemap_str name, framemap_str *path, framemap_str *member)
{
    const size_t open = fm_str_find_last_byte(name, '(');

    if (open == FM_NOT_FOUND || open == 0 || !fm_str_ends(name, FM_STR(")")) || open + 2 >= name.size) return;
    *path = fm_str_slice(name, 0, open);
    *member = fm_str_slice(name, open + 1, name.size - 1);
}

/* Seconds since 1970 as decimal digits. false: the request does not say. */
static bool wanted_time(framemap_str id, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < id.size; i++) {
        if (id.data[i] < '0' || id.data[i] > '9' || i >= 19) return false;
        *out = *out * 10 + (uint64_t)(id.data[i] - '0');
    }
    return id.size > 0;
}

static bool is_of_time(const char *path, uint64_t seconds)
{
    struct fm_stamp stamp;
    return fm_stamp_of(path, &stamp) && stamp.modified_ns >= 0 && (uint64_t)stamp.modified_ns / 1000000000 == seconds;
}

/* --- order --- */

/* How many bytes two paths have in common at their ends. */
static size_t common_end(const char *path, framemap_str stated)
{
    const size_t size = strlen(path);
    size_t count = 0;
    while (count < size && count < stated.size && path[size - count - 1] == stated.data[stated.size - count - 1])
        count++;
    return count;
}

/* Insertion: there are at most FM_LIMIT_COMPANION_TRIES. */
static void sort_by_end(struct fm_companion_files *files, framemap_str stated)
{
    struct fm_companion_candidate *list = files->candidates;
    for (size_t i = 1; i < files->candidate_count; i++) {
        const struct fm_companion_candidate moving = list[i];
        const size_t common = common_end(moving.path, stated);
        size_t at = i;
        for (; at > 0 && common_end(list[at - 1].path, stated) < common; at--) list[at] = list[at - 1];
        list[at] = moving;
    }
}

/* --- static archives --- */

/* Adds the files of a name in an archive. id: absent, or when they were modified. */
static void add_members(struct fm_companion_files *files, const char *path, framemap_str name,
                        const framemap_companion_request *wanted)
{
    const framemap_str bytes = fm_companion_files_bytes(files, path);
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more = true;
    uint64_t seconds;
    const bool timed = wanted_time(wanted->id, &seconds);

    if (fm_archive_open(bytes, &archive, NULL) != FRAMEMAP_OK || archive.kind != FM_ARCHIVE_AR) return;
    while (fm_archive_next(&archive, &member, &more, NULL) == FRAMEMAP_OK && more) {
        if (!fm_str_equal(member.name, name) || (timed && member.modified != seconds)) continue;
        const struct fm_companion_candidate found = {path, (size_t)(member.stored.data - bytes.data),
                                                     member.stored.size};
        if (found.size > 0 && !fm_companion_files_add(files, &found)) return;
    }
}

/* Puts the files in the archives in the place of the archives. */
static void choose_members(struct fm_companion_files *files, framemap_str name,
                           const framemap_companion_request *wanted)
{
    const size_t archives = files->candidate_count;

    for (size_t i = 0; i < archives; i++) add_members(files, files->candidates[i].path, name, wanted);
    files->candidate_count -= archives;
    if (archives > 0)
        memmove(files->candidates, files->candidates + archives, files->candidate_count * sizeof *files->candidates);
}

void fm_object_files_choose(struct fm_companion_files *files, const framemap_companion_request *wanted)
{
    framemap_str path = wanted->name, member = {NULL, 0};
    uint64_t seconds;
    size_t kept = 0;

    fm_object_path_split(wanted->name, &path, &member);
    sort_by_end(files, path);
    if (member.size > 0) {
        choose_members(files, member, wanted);
    } else if (wanted_time(wanted->id, &seconds)) {
        for (size_t i = 0; i < files->candidate_count; i++)
            if (is_of_time(files->candidates[i].path, seconds)) files->candidates[kept++] = files->candidates[i];
        files->candidate_count = kept;
    }
}
