/* Requests companions, appends their sections, and joins skeleton units with their split units. See dw_join.h. */
#include "mappers/native/dwarf/dw_join.h"

#include "core/error.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "mappers/native/dwarf/dw_companion.h"
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_package.h"

#include <stdio.h>

/* A companion whose sections will be appended. */
struct joined_file {
    struct fm_dw_sections sections;
    struct fm_dw_package package;
    bool is_package;
};

struct join {
    const struct fm_image *image;
    const struct fm_mapper_host *host;
    struct fm_dw_sections *sections;
    struct fm_dw_units *units;
    fm_dw_fault *fault;
    void *context;
    framemap_error *error;
    struct fm_arena arena; /* memory for the files, until they are joined */
    struct joined_file *files;
    size_t count, capacity;
    bool has_alternate;           /* the first element of `files` is the image's supplementary file */
    uint64_t stored_bytes, bytes; /* bytes of all companions: in their files, and of their debug info */
    struct fm_key *wanted;        /* the skeleton units, sorted by id */
    size_t wanted_count;
    bool *found;      /* for each unit: whether a file with its split unit was found */
    size_t unit_room; /* number of elements of `found` */
};

static void report(const struct join *join, framemap_status code, framemap_str where, const char *what)
{
    framemap_error error = {0};

    fm_error_set(&error, code, "%s", what);
    fm_error_where(&error, where);
    join->fault(join->context, &error);
}

/* --- listing the skeleton units --- */

static bool is_wanted(const struct fm_dw_unit_data *unit)
{
    return unit->unit_type == DW_UT_skeleton && unit->has_dwo_id;
}

static bool list_wanted(struct join *join)
{
    const struct fm_dw_units *units = join->units;

    for (size_t i = 0; i < units->count; i++) join->wanted_count += is_wanted(&units->units[i]);
    if (join->wanted_count == 0) return true;
    join->unit_room = units->count;
    join->wanted = fm_heap_zalloc(join->host->heap, join->wanted_count, sizeof *join->wanted);
    join->found = fm_heap_zalloc(join->host->heap, join->unit_room, sizeof *join->found);
    if (join->wanted == NULL || join->found == NULL) return false;
    for (size_t i = 0, at = 0; i < units->count; i++) {
        if (is_wanted(&units->units[i])) join->wanted[at++] = (struct fm_key){units->units[i].dwo_id, (uint32_t)i};
    }
    return fm_keys_sort(join->host->heap, join->wanted, join->wanted_count, NULL, NULL);
}

/* Returns the first skeleton unit with an id; NULL: no skeleton unit has this id. */
static const struct fm_key *wanted_by(const struct join *join, uint64_t id)
{
    const size_t at = fm_keys_lower(join->wanted, join->wanted_count, id);
    return at < join->wanted_count && join->wanted[at].key == id ? &join->wanted[at] : NULL;
}

/* --- checking one companion --- */

static void ignore_fault(void *context, const framemap_error *fault) { (void)context, (void)fault; }

/* Notes which skeleton units have their split units in this file. Returns how many have. */
static size_t match_units(struct join *join, const struct fm_dw_units *units)
{
    size_t count = 0;

    for (size_t i = 0; i < units->count; i++) {
        const struct fm_dw_unit_data *unit = &units->units[i];
        if (unit->unit_type != DW_UT_split_compile || !unit->has_dwo_id) continue;
        const struct fm_key *key = wanted_by(join, unit->dwo_id);
        if (key == NULL || join->found[key->number]) continue;
        join->found[key->number] = true;
        count++;
    }
    return count;
}

/* Scans a file by itself, to compare the ids of its units. */
static framemap_status match_file(struct join *join, struct joined_file *file, size_t *matched)
{
    struct fm_dw_sections sections = file->sections;
    struct fm_dw_units units;
    const struct fm_dw_place part = {
        .info_end = sections.info.size, .split = true, .package = file->is_package ? &file->package : NULL};

    fm_dw_units_init(&units, join->host->heap, &sections);
    const framemap_status status = fm_dw_units_scan_part(&units, &part, ignore_fault, NULL, join->error);
    *matched = status == FRAMEMAP_OK ? match_units(join, &units) : 0;
    fm_dw_units_free(&units);
    return status;
}

static uint64_t bytes_of(const struct fm_dw_sections *s)
{
    return (uint64_t)s->info.size + s->abbrev.size + s->str.size + s->line_str.size + s->str_offsets.size +
           s->addr.size + s->line.size + s->ranges.size + s->rnglists.size;
}

/* Whether one more companion is within the limit. Many small companions, each of which inflates to 64 MB, would be a
 * decompression bomb, so all companions together may inflate to no more than a single file of their total size. */
static bool counts(struct join *join, framemap_str bytes, const struct fm_dw_sections *sections, framemap_str name)
{
    join->stored_bytes += bytes.size;
    join->bytes += bytes_of(sections);
    if (join->bytes <= fm_limit_inflated(join->stored_bytes)) return true;
    report(join, FRAMEMAP_E_LIMIT, name,
           "the debug info of the files that belong to this one inflates beyond 64 times their size; the rest is not "
           "read");
    return false;
}

static framemap_status add_file(struct join *join, const struct joined_file *file)
{
    if (!FM_GROW(join->host->heap, join->files, join->capacity, join->count + 1)) return fm_error_memory(join->error);
    join->files[join->count++] = *file;
    return FRAMEMAP_OK;
}

/* Opens the index of a package; a file without one is a .dwo file. */
static framemap_status open_index(struct join *join, const struct fm_image *other, struct joined_file *file,
                                  framemap_str name)
{
    const uint32_t section = fm_image_section(other, FM_STR(".debug_cu_index"));
    framemap_str index;
    bool memory = true;

    if (section == UINT32_MAX || fm_image_contents(other, section, &index, NULL) != FRAMEMAP_OK) return FRAMEMAP_OK;
    file->is_package = true;
    const char *why = fm_dw_package_open(&file->package, join->host->heap, index, other->big_endian, &memory);
    if (why != NULL) report(join, FRAMEMAP_E_CORRUPT, name, why);
    return memory ? FRAMEMAP_OK : fm_error_memory(join->error);
}

/* Takes a file with split units if one of its units belongs to a skeleton unit of the program. *taken: whether the file
 * was taken. */
static framemap_status take_split(struct join *join, framemap_str bytes, framemap_str name, bool *taken)
{
    struct joined_file file = {.is_package = false};
    struct fm_image other;
    size_t matched = 0;

    *taken = false;
    framemap_status status = fm_image_open(bytes, NULL, &join->arena, &other, join->error);
    if (status == FRAMEMAP_E_MEMORY) return status;
    if (status != FRAMEMAP_OK || other.big_endian != join->image->big_endian) {
        report(join, FRAMEMAP_E_CORRUPT, name, "not an object file of this kind of program; it is not used");
        return FRAMEMAP_OK;
    }
    status = fm_dw_sections_load_split(&other, &file.sections, join->fault, join->context, join->error);
    if (status == FRAMEMAP_OK && counts(join, bytes, &file.sections, name)) {
        status = open_index(join, &other, &file, name);
        if (status == FRAMEMAP_OK) status = match_file(join, &file, &matched);
    }
    *taken = matched > 0;
    if (status == FRAMEMAP_OK && *taken) status = add_file(join, &file);
    if (status != FRAMEMAP_OK || !*taken) fm_dw_package_free(&file.package);
    return status;
}

/* --- requesting companions --- */

static framemap_status ask_for(struct join *join, framemap_companion_request *wanted)
{
    bool taken = false;
    framemap_str bytes;

    for (unsigned attempt = 0; attempt < FM_LIMIT_COMPANION_TRIES && !taken; attempt++) {
        wanted->attempt = attempt;
        if (!fm_companion_get(join->host, wanted, &bytes)) break;
        const framemap_status status = take_split(join, bytes, wanted->name, &taken);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

static framemap_status ask_for_package(struct join *join)
{
    framemap_companion_request wanted = {
        .size = sizeof wanted, .kind = FRAMEMAP_COMPANION_DWP, .id = framemap_str_of(join->image->id)};
    return ask_for(join, &wanted);
}

static framemap_status ask_for_unit(struct join *join, const struct fm_dw_unit_data *unit)
{
    char id[FM_DWO_ID_SIZE];
    const framemap_companion_request about = {.size = sizeof about,
                                              .kind = FRAMEMAP_COMPANION_DWO,
                                              .name = unit->dwo_name,
                                              .folder = unit->folder,
                                              .id = framemap_str_of(fm_dwo_id(unit->dwo_id, id))};
    framemap_companion_request wanted = about;
    return unit->dwo_name.size > 0 ? ask_for(join, &wanted) : FRAMEMAP_OK;
}

/* Takes the split units in the image itself: an object file with skeleton and split units (-gsplit-dwarf=single) names
 * itself as the file with the split units, but may have been renamed. Several skeleton units may come from objects that
 * `ld -r` joined; nothing relocates their split units, so none is taken. */
static framemap_status take_own(struct join *join, bool *taken)
{
    static const framemap_str section = FM_STR_INIT(".debug_info.dwo");

    *taken = false;
    if (join->wanted_count != 1 || fm_image_section(join->image, section) == UINT32_MAX) return FRAMEMAP_OK;
    return take_split(join, join->image->bytes, section, taken);
}

static framemap_status ask_for_split(struct join *join)
{
    bool is_whole = false;
    framemap_status status = take_own(join, &is_whole);

    if (status != FRAMEMAP_OK || is_whole || join->wanted_count == 0) return status;
    status = ask_for_package(join);
    for (size_t i = 0; i < join->unit_room && status == FRAMEMAP_OK; i++) {
        const struct fm_dw_unit_data *unit = &join->units->units[i];
        if (is_wanted(unit) && !join->found[i] && wanted_by(join, unit->dwo_id)->number == i)
            status = ask_for_unit(join, unit);
    }
    return status;
}

static framemap_status take_alternate(struct join *join)
{
    const struct fm_image *other = join->image->alternate;
    struct joined_file file = {.is_package = false};

    if (other == NULL) return FRAMEMAP_OK;
    const framemap_status status = fm_dw_sections_load(other, &file.sections, join->fault, join->context, join->error);
    if (status != FRAMEMAP_OK || !counts(join, other->bytes, &file.sections, join->image->altlink)) return status;
    join->has_alternate = true;
    return add_file(join, &file);
}

/* --- joining the sections --- */

/* Number of sections that are joined. Companions' addresses and line programs are not used. */
#define JOINED 7
static framemap_str *member(struct fm_dw_sections *sections, unsigned number)
{
    framemap_str *const members[JOINED] = {&sections->info,     &sections->abbrev, &sections->str,
                                           &sections->line_str, &sections->line,   &sections->str_offsets,
                                           &sections->rnglists};
    return members[number];
}

static bool append_all(struct join *join, unsigned number, framemap_str *out)
{
    uint64_t size = member(join->sections, number)->size;
    size_t at = 0;

    for (size_t i = 0; i < join->count; i++) size += member(&join->files[i].sections, number)->size;
    char *bytes = size <= SIZE_MAX ? fm_arena_alloc(join->image->arena, (size_t)size) : NULL;
    if (bytes == NULL) return false;
    for (size_t i = 0; i <= join->count; i++) {
        const framemap_str from = *member(i == 0 ? join->sections : &join->files[i - 1].sections, number);
        if (from.size > 0) memcpy(bytes + at, from.data, from.size);
        at += from.size;
    }
    *out = fm_str(bytes, at);
    return true;
}

/* Sets where the sections of the next file start, after those of the file before it. */
static void advance(struct fm_dw_place *part, const struct fm_dw_sections *before)
{
    part->info += before->info.size;
    part->abbrev += before->abbrev.size;
    part->str += before->str.size;
    part->line_str += before->line_str.size;
    part->line += before->line.size;
    part->str_offsets += before->str_offsets.size;
    part->rnglists += before->rnglists.size;
}

static framemap_status scan_files(struct join *join, const struct fm_dw_sections *own)
{
    const struct fm_dw_sections *before = own;
    struct fm_dw_place part = {.info_end = own->info.size, .has_foreign = true};
    framemap_status status;

    if (join->has_alternate) {
        part.has_alternate = true;
        part.alternate_info = own->info.size;
        part.alternate_str = own->str.size;
    }
    fm_dw_units_clear(join->units);
    /* the companion's faults were reported when it was scanned alone */
    status = fm_dw_units_scan_part(join->units, &part, ignore_fault, NULL, join->error);
    part.has_alternate = false;
    for (size_t i = 0; i < join->count && status == FRAMEMAP_OK; i++) {
        struct joined_file *file = &join->files[i];
        advance(&part, before);
        before = &file->sections;
        part.info_end = part.info + before->info.size;
        part.split = !join->has_alternate || i > 0;
        part.package = file->is_package ? &file->package : NULL;
        status = fm_dw_units_scan_part(join->units, &part, join->fault, join->context, join->error);
    }
    return status == FRAMEMAP_OK ? fm_dw_units_end(join->units, join->error) : status;
}

/* Joins a skeleton unit with its split unit. The split unit uses the address table and the base addresses of the
 * skeleton unit (DWARF 5 section 3.1.3). */
static void join_unit(struct fm_dw_unit_data *skeleton, struct fm_dw_unit_data *split, uint32_t number)
{
    skeleton->split_number = number + 1;
    split->is_joined = true;
    split->encoding.has_addr_base = skeleton->encoding.has_addr_base;
    split->encoding.addr_base = skeleton->encoding.addr_base;
    split->encoding.low_pc = skeleton->encoding.low_pc;
    if (split->encoding.version < 5) split->encoding.lists_start = skeleton->ranges_base;
    if (split->folder.size == 0) split->folder = skeleton->folder;
}

static void join_units(struct join *join)
{
    struct fm_dw_units *units = join->units;

    for (size_t i = 0; i < units->count; i++) {
        struct fm_dw_unit_data *split = &units->units[i];
        if (split->unit_type != DW_UT_split_compile || !split->has_dwo_id || split->is_joined) continue;
        const struct fm_key *key = wanted_by(join, split->dwo_id);
        struct fm_dw_unit_data *skeleton =
            key != NULL && key->number < units->count ? &units->units[key->number] : NULL;
        if (skeleton != NULL && is_wanted(skeleton) && skeleton->dwo_id == split->dwo_id && skeleton->split_number == 0)
            join_unit(skeleton, split, (uint32_t)i);
    }
}

static framemap_status append_files(struct join *join)
{
    const struct fm_dw_sections own = *join->sections;
    struct fm_dw_sections all = own;

    for (unsigned i = 0; i < JOINED; i++) {
        if (!append_all(join, i, member(&all, i))) return fm_error_memory(join->error);
    }
    fm_dw_sections_set_work(&all);
    *join->sections = all;
    const framemap_status status = scan_files(join, &own);
    if (status == FRAMEMAP_OK) join_units(join);
    return status;
}

static void end_join(struct join *join)
{
    struct fm_heap *heap = join->host->heap;

    for (size_t i = 0; i < join->count; i++) fm_dw_package_free(&join->files[i].package);
    fm_heap_free(heap, join->files, join->capacity * sizeof *join->files);
    if (join->wanted != NULL) fm_heap_free(heap, join->wanted, join->wanted_count * sizeof *join->wanted);
    if (join->found != NULL) fm_heap_free(heap, join->found, join->unit_room * sizeof *join->found);
    fm_arena_free(&join->arena);
}

framemap_status fm_dw_join(const struct fm_image *image, const struct fm_mapper_host *host,
                           struct fm_dw_sections *sections, struct fm_dw_units *units, fm_dw_fault *fault,
                           void *context, framemap_error *error)
{
    struct join join = {.image = image,
                        .host = host,
                        .sections = sections,
                        .units = units,
                        .fault = fault,
                        .context = context,
                        .error = error};

    fm_arena_init(&join.arena, host->heap);
    framemap_status status = take_alternate(&join);
    if (status == FRAMEMAP_OK && !list_wanted(&join)) status = fm_error_memory(error);
    if (status == FRAMEMAP_OK) status = ask_for_split(&join);
    if (status == FRAMEMAP_OK && join.count > 0) status = append_files(&join);
    end_join(&join);
    return status;
}
