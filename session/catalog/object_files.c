/* Compares names, paths and times of object files. See object_files.h. */
#include "session/catalog/object_files.h"

#include "core/file_stamp.h"
#include "core/text/text.h"

#define NS_PER_SECOND 1000000000

void fm_object_path_split(framemap_str name, framemap_str *path, framemap_str *member)
{
    const size_t open = fm_str_find_last_byte(name, '(');

    if (open == FM_NOT_FOUND || open == 0 || !fm_str_ends(name, FM_STR(")")) || open + 2 >= name.size) return;
    *path = fm_str_slice(name, 0, open);
    *member = fm_str_slice(name, open + 1, name.size - 1);
}

size_t fm_object_common_end(framemap_str path, framemap_str stated)
{
    size_t count = 0;
    while (count < path.size && count < stated.size &&
           path.data[path.size - count - 1] == stated.data[stated.size - count - 1])
        count++;
    return count;
}

/* Whether the text is this number. */
static bool is_number(framemap_str text, uint64_t number)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' || i >= 19) return false;
        value = value * 10 + (uint64_t)(text.data[i] - '0');
    }
    return value == number;
}

bool fm_object_is_of_time(const char *path, framemap_str time)
{
    struct fm_stamp stamp;
    if (time.size == 0) return true;
    return fm_stamp_of(path, &stamp) && stamp.modified_ns >= 0 &&
           is_number(time, (uint64_t)stamp.modified_ns / NS_PER_SECOND);
}

bool fm_object_member_next(struct fm_archive *archive, framemap_str name, framemap_str time, framemap_str *out)
{
    struct fm_archive_member member;
    bool more = true;

    if (archive->kind != FM_ARCHIVE_AR) return false;
    while (fm_archive_next(archive, &member, &more, NULL) == FRAMEMAP_OK && more) {
        const bool fits = fm_str_equal(member.name, name) && (time.size == 0 || is_number(time, member.modified));
        if (!fits || member.stored.size == 0) continue;
        *out = member.stored;
        return true;
    }
    return false;
}
