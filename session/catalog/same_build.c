/* Compares object files to determine whether they come from one build; see same_build.h. Results are stored, so that no
 * pair of files is read twice. */
#include "session/catalog/same_build.h"

#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/text/text.h"

#include <stdio.h>

struct fm_pair {
    uint32_t a, b; /* numbers (fm_entry.order) of two entries; a is the smaller one */
    bool same;
};

void fm_same_builds_init(struct fm_same_builds *builds, struct fm_heap *heap, framemap_warning warning, void *context)
{
    *builds = (struct fm_same_builds){.heap = heap, .warning = warning, .context = context};
    fm_table_init(&builds->table, heap);
}

void fm_same_builds_free(struct fm_same_builds *builds)
{
    fm_heap_free(builds->heap, builds->pairs, builds->capacity * sizeof *builds->pairs);
    fm_table_free(&builds->table);
}

/* --- opening a file --- */

bool fm_look_into(const char *path, const char *arch, struct fm_heap *heap, struct fm_looked *out)
{
    if (fm_member_file_open(path, 0, heap, &out->file, NULL) != FRAMEMAP_OK) return false;
    fm_arena_init(&out->arena, heap);
    if (fm_image_probe(out->file.bytes) > 0 &&
        fm_image_open(out->file.bytes, arch, &out->arena, &out->image, NULL) == FRAMEMAP_OK)
        return true;
    fm_look_away(out);
    return false;
}

void fm_look_away(struct fm_looked *looked)
{
    fm_arena_free(&looked->arena);
    fm_mapfile_close(&looked->file);
}

/* --- comparing two entries --- */

static bool names(const struct fm_looked *looked, const char *path)
{
    const framemap_str link = looked->image.debuglink;
    return link.size > 0 && fm_str_equal(link, fm_str_basename(framemap_str_of(path)));
}

bool fm_is_linked(const struct fm_image *image, const struct fm_looked *other, char *why)
{
    const size_t room = FRAMEMAP_ERROR_MESSAGE_SIZE;
    if (image->id[0] != '\0' && other->image.id[0] != '\0') {
        if (strcmp(image->id, other->image.id) == 0) return true;
        snprintf(why, room, "this debug file is of another build and is not used: its build id is %s, not %s",
                 other->image.id, image->id);
        return false;
    }
    const uint32_t crc = fm_image_link_crc(other->file.bytes);
    if (crc == image->debuglink_crc) return true;
    snprintf(why, room,
             "this debug file is of another build and is not used: its CRC-32 is 0x%08x, .gnu_debuglink wants 0x%08x",
             (unsigned)crc, (unsigned)image->debuglink_crc);
    return false;
}

static bool check_link(const struct fm_same_builds *builds, const struct fm_looked *of, const struct fm_looked *other,
                       const char *path)
{
    char why[FRAMEMAP_ERROR_MESSAGE_SIZE];
    framemap_error warning = {0};
    if (fm_is_linked(&of->image, other, why)) return true;
    fm_error_set(&warning, FRAMEMAP_E_MISMATCH, "%s", why);
    fm_error_where(&warning, framemap_str_of(path));
    if (builds->warning) builds->warning(builds->context, &warning);
    return false;
}

static bool same_images(const struct fm_same_builds *builds, const struct fm_looked *a, const char *path_a,
                        const struct fm_looked *b, const char *path_b)
{
    if (names(a, path_b)) return check_link(builds, a, b, path_b);
    if (names(b, path_a)) return check_link(builds, b, a, path_a);
    const bool both = a->image.has_debug_info && b->image.has_debug_info;
    return fm_image_same_code(&a->image, &b->image) && (!both || fm_image_same_debug_info(&a->image, &b->image));
}

static const char *slice_of(const struct fm_entry *entry) { return entry->one_of_several ? entry->arch.data : NULL; }

static bool look_at_both(const struct fm_same_builds *builds, const struct fm_entry *a, const struct fm_entry *b)
{
    struct fm_looked in_a, in_b;
    if (!fm_look_into(a->path, slice_of(a), builds->heap, &in_a)) return false;
    bool same = fm_look_into(b->path, slice_of(b), builds->heap, &in_b);
    if (same) {
        same = same_images(builds, &in_a, a->path, &in_b, b->path);
        fm_look_away(&in_b);
    }
    fm_look_away(&in_a);
    return same;
}

static bool equal_files(struct fm_heap *heap, const struct fm_entry *a, const struct fm_entry *b)
{
    struct fm_mapfile in_a, in_b;
    if (a->stamp.size != b->stamp.size || !fm_str_equal(a->arch, b->arch)) return false;
    if (fm_member_file_open(a->path, 0, heap, &in_a, NULL) != FRAMEMAP_OK) return false;
    bool same = fm_member_file_open(b->path, 0, heap, &in_b, NULL) == FRAMEMAP_OK;
    if (same) {
        same = fm_str_equal(in_a.bytes, in_b.bytes);
        fm_mapfile_close(&in_b);
    }
    fm_mapfile_close(&in_a);
    return same;
}

static bool is_index_of(const struct fm_entry *index, const struct fm_entry *of)
{
    const framemap_str name = framemap_str_of(index->path), tail = FM_STR(".fmx");
    if (!index->is_index || of->is_index || !fm_str_ends(name, tail) ||
        index->stamp.modified_ns < of->stamp.modified_ns)
        return false;
    return fm_str_equal(fm_str_slice(name, 0, name.size - tail.size), framemap_str_of(of->path));
}

static bool find_out(const struct fm_same_builds *builds, const struct fm_entry *a, const struct fm_entry *b)
{
    return is_index_of(a, b) || is_index_of(b, a) || equal_files(builds->heap, a, b) || look_at_both(builds, a, b);
}

/* --- remembering the results of comparisons --- */

static bool pair_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_same_builds *builds = context;
    const struct fm_pair *have = &builds->pairs[number], *want = key;
    return have->a == want->a && have->b == want->b;
}

/* Stores the result for a pair. If there is no memory to store it, the pair will be compared again. */
static void remember(struct fm_same_builds *builds, uint64_t hash, const struct fm_pair *pair)
{
    if (builds->count >= UINT32_MAX - 1 || !FM_GROW(builds->heap, builds->pairs, builds->capacity, builds->count + 1))
        return;
    builds->pairs[builds->count] = *pair;
    if (fm_table_add(&builds->table, hash, (uint32_t)builds->count)) builds->count++;
}

bool fm_same_build(void *context, const struct fm_entry *a, const struct fm_entry *b)
{
    struct fm_same_builds *builds = context;
    struct fm_pair pair = {.a = a->order < b->order ? a->order : b->order,
                           .b = a->order < b->order ? b->order : a->order};
    const uint64_t hash = fm_hash_word((uint64_t)pair.a << 32 | pair.b, fm_hash_key(builds));
    const uint32_t found = fm_table_find(&builds->table, hash, pair_equal, builds, &pair);
    if (found != UINT32_MAX) return builds->pairs[found].same;
    pair.same = find_out(builds, a, b);
    remember(builds, hash, &pair);
    return pair.same;
}
