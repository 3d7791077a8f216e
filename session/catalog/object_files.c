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

/* Whether the text is this number in decimal. */
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

/* --- listing the files in a static archive --- */

struct fm_object_member {
    framemap_str name, stored;
    uint64_t modified;
    uint32_t next; /* the next file with the same name; UINT32_MAX: there is no further file */
    uint32_t last; /* for the first file with a name: the last file with that name */
};

static bool has_name(const void *context, uint32_t number, const void *key)
{
    return fm_str_equal(((const struct fm_object_members *)context)->rows[number].name, *(const framemap_str *)key);
}

static uint32_t first_of(const struct fm_object_members *members, framemap_str name)
{
    return fm_table_find(&members->table, fm_hash_text(name, fm_hash_key(members)), has_name, members, &name);
}

static bool add_member(struct fm_object_members *members, const struct fm_archive_member *member)
{
    const uint32_t first = first_of(members, member->name), number = (uint32_t)members->count;
    if (!FM_GROW(members->heap, members->rows, members->capacity, members->count + 1)) return false;
    if (first == UINT32_MAX && !fm_table_add(&members->table, fm_hash_text(member->name, fm_hash_key(members)), number))
        return false;
    members->rows[members->count++] =
        (struct fm_object_member){member->name, member->stored, member->modified, UINT32_MAX, number};
    if (first == UINT32_MAX) return true;
    members->rows[members->rows[first].last].next = number;
    members->rows[first].last = number;
    return true;
}

bool fm_object_members_read(struct fm_object_members *members, struct fm_heap *heap, framemap_str bytes)
{
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more = true, kept = true;

    *members = (struct fm_object_members){.heap = heap};
    fm_table_init(&members->table, heap);
    if (fm_archive_open(bytes, &archive, NULL) != FRAMEMAP_OK || archive.kind != FM_ARCHIVE_AR) return true;
    while (kept && fm_archive_next(&archive, &member, &more, NULL) == FRAMEMAP_OK && more)
        if (member.stored.size > 0) kept = add_member(members, &member);
    return kept;
}

void fm_object_members_free(struct fm_object_members *members)
{
    if (members->heap == NULL) return;
    fm_heap_free(members->heap, members->rows, members->capacity * sizeof *members->rows);
    fm_table_free(&members->table);
    *members = (struct fm_object_members){.heap = NULL};
}

bool fm_object_members_next(const struct fm_object_members *members, framemap_str name, framemap_str time, size_t *at,
                            framemap_str *out)
{
    uint32_t i = *at == 0 ? first_of(members, name) : members->rows[*at - 1].next;
    for (; i != UINT32_MAX; i = members->rows[i].next) {
        const struct fm_object_member *row = &members->rows[i];
        if (time.size > 0 && !is_number(time, row->modified)) continue;
        *at = (size_t)i + 1;
        *out = row->stored;
        return true;
    }
    return false;
}
