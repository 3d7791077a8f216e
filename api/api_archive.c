/* framemap_archive_symbols: the symbol files in an archive, recognized by the mappers from their first bytes. */
#include "api/archive_walk.h"

#include "api/index_handle.h"
#include "api/option_structs.h"
#include "core/archive/archive.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/mapper.h"

enum { HEAD = 4096 }; /* bytes of a file by which mappers recognize theirs */

struct archive_walk {
    const framemap_archive_options *options;
    struct fm_heap *heap;
    uint64_t left; /* bytes that may still be decompressed */
};

/* Reports a file that cannot be read, and goes on with the next. */
static framemap_status pass_over(const struct archive_walk *walk, framemap_str name, framemap_error *fault)
{
    fault->where[0] = 0;
    fm_error_where(fault, name);
    if (walk->options->warning) walk->options->warning(walk->options->context, fault);
    return FRAMEMAP_OK;
}

/* A name that can be a part of a path: it is not empty, not that of a folder, and has no NUL. */
static bool is_file_name(framemap_str name)
{
    return name.size > 0 && name.data[name.size - 1] != '/' && memchr(name.data, 0, name.size) == NULL;
}

/* Reads the head of a file. *is_one: whether it is a symbol file. */
static framemap_status look_at_head(struct archive_walk *walk, const struct fm_archive_member *member, bool *is_one,
                                    framemap_error *error)
{
    char head[HEAD];
    size_t size;
    *is_one = false;
    walk->left -= walk->left < HEAD ? walk->left : HEAD;
    const framemap_status status = fm_member_head(member, walk->heap, head, sizeof head, &size, error);
    if (status != FRAMEMAP_OK || size == 0) return status;
    const framemap_str bytes = fm_str(head, size);
    *is_one = fm_index_probe(bytes) || fm_mapper_for(bytes, fm_str_basename(member->name), NULL) != NULL;
    return FRAMEMAP_OK;
}

static framemap_status pass_on(struct archive_walk *walk, const struct fm_archive_member *member, framemap_str bytes,
                               framemap_error *error)
{
    const framemap_archive_member found = {
        .name = member->name, .bytes = bytes, .is_compressed = member->packing != FM_MEMBER_STORED};
    return walk->options->each(walk->options->context, &found, error);
}

static framemap_status visit_member(struct archive_walk *walk, const struct fm_archive_member *member,
                                    framemap_error *error)
{
    framemap_error fault = {0};
    framemap_str bytes = member->stored;
    bool is_one;
    if (!is_file_name(member->name) || member->refused != NULL) return FRAMEMAP_OK;
    framemap_status status = look_at_head(walk, member, &is_one, &fault);
    if (status != FRAMEMAP_OK) return pass_over(walk, member->name, &fault);
    if (!is_one || (walk->options->wants && !walk->options->wants(walk->options->context, member->name)))
        return FRAMEMAP_OK;
    if (member->packing == FM_MEMBER_STORED) return pass_on(walk, member, bytes, error);
    status = fm_heap_fault(walk->heap, fm_member_inflate(member, walk->heap, walk->left, &bytes, &fault), &fault);
    if (status != FRAMEMAP_OK) return pass_over(walk, member->name, &fault);
    walk->left -= bytes.size;
    status = pass_on(walk, member, bytes, error);
    if (bytes.size > 0) fm_heap_free(walk->heap, (char *)(uintptr_t)bytes.data, bytes.size);
    return status;
}

framemap_status fm_archive_symbols(framemap_str bytes, const framemap_archive_options *options, struct fm_heap *heap,
                                   framemap_error *error)
{
    struct fm_archive archive;
    struct archive_walk walk = {.options = options, .heap = heap, .left = fm_limit_inflated(bytes.size)};
    framemap_status status = fm_archive_open(bytes, &archive, error);
    while (status == FRAMEMAP_OK) {
        struct fm_archive_member member;
        bool more;
        status = fm_archive_next(&archive, &member, &more, error);
        if (status != FRAMEMAP_OK || !more) break;
        status = visit_member(&walk, &member, error);
    }
    return status;
}

framemap_status framemap_archive_symbols(framemap_str bytes, const framemap_archive_options *options,
                                         framemap_error *error)
{
    framemap_archive_options given;
    struct fm_heap heap;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (given.each == NULL || (bytes.data == NULL && bytes.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    fm_heap_init(&heap, given.allocator, given.max_memory);
    return fm_archive_symbols(bytes, &given, &heap, error);
}
