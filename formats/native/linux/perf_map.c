/* Implements perf_map.h. */
#include "formats/native/linux/perf_map.h"

#include "core/text/scan.h"
#include "core/text/text.h"

#define MEMORY_FIRST 4096
#define MEMORY_MOST (1u << 20) /* most bytes of all records together; a path has at most 4,096 */

bool fm_perf_map_read(framemap_str line, struct fm_perf_map *out, framemap_str *path)
{
    const size_t at = fm_str_find(line, FM_STR(FM_PERF_MAP_WORD));
    uint64_t size, offset;
    framemap_str skipped;
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(line, at));
    if (!fm_scan_until(&s, ' ', &skipped) || !fm_scan_blanks1(&s) || !fm_scan_dec(&s, &out->pid, NULL)) return false;
    if (!fm_scan_until(&s, '[', &skipped) || !fm_scan_byte(&s, '[') || !fm_scan_0xhex(&s, &out->start, NULL))
        return false;
    if (!fm_scan_byte(&s, '(') || !fm_scan_0xhex(&s, &size, NULL) || !fm_scan_text(&s, FM_STR(") @ "))) return false;
    if (!fm_scan_0xhex(&s, &offset, NULL) && !fm_scan_dec(&s, &offset, NULL)) return false;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t end = fm_str_find(rest, FM_STR("]: "));
    if (end == FM_NOT_FOUND || offset > out->start || size > UINT64_MAX - out->start) return false;
    s = fm_scan_of(fm_str_from(rest, end + 3));
    if (!fm_scan_word(&s, &skipped) || fm_str_find_byte(skipped, 'x') == FM_NOT_FOUND) return false;
    out->end = out->start + size;
    out->load = out->start - offset;
    *path = fm_str_trim(fm_scan_rest(&s));
    return true;
}

/* --- records --- */

struct record {
    struct fm_perf_map map;
    framemap_str path;
};

/* Reads the record at an offset, and moves on to the next one. */
static bool next_record(const struct fm_perf_maps *maps, size_t *at, struct record *out)
{
    uint32_t size;
    if (*at >= maps->used) return false;
    memcpy(&out->map, maps->memory.data + *at, sizeof out->map);
    *at += sizeof out->map;
    memcpy(&size, maps->memory.data + *at, sizeof size);
    *at += sizeof size;
    out->path = fm_str(maps->memory.data + *at, size);
    *at += size;
    return true;
}

/* Returns room for `size` more bytes after the records; NULL: the limit is reached, or out of memory. */
static char *more_room(struct fm_perf_maps *maps, struct fm_document *doc, size_t size)
{
    if (size > MEMORY_MOST - maps->used) return NULL;
    size_t room = maps->memory.size ? maps->memory.size : MEMORY_FIRST;
    while (room < maps->used + size) room *= 2;
    /* the memory is the document's, so it may be written although the slice is const */
    if (room == maps->memory.size) return (char *)(uintptr_t)maps->memory.data + maps->used;
    char *grown = fm_document_alloc(doc, room);
    if (grown == NULL) return NULL;
    memset(grown, 0, room);
    if (maps->used) memcpy(grown, maps->memory.data, maps->used);
    maps->memory = fm_str(grown, room);
    return grown + maps->used;
}

void fm_perf_maps_add(struct fm_perf_maps *maps, struct fm_document *doc, const struct fm_perf_map *map,
                      framemap_str path)
{
    const uint32_t path_size = (uint32_t)path.size;
    const size_t size = sizeof *map + sizeof path_size + path.size;
    if (maps->count == FM_PERF_MAPS_MOST || path.size > MEMORY_MOST) return;
    char *to = more_room(maps, doc, size);
    if (to == NULL) return;
    memcpy(to, map, sizeof *map);
    memcpy(to + sizeof *map, &path_size, sizeof path_size);
    memcpy(to + sizeof *map + sizeof path_size, path.data, path.size);
    maps->used += size;
    maps->count++;
}

/* --- searching --- */

bool fm_perf_maps_has(const struct fm_perf_maps *maps, uint64_t pid)
{
    struct record record;
    for (size_t at = 0; next_record(maps, &at, &record);)
        if (record.map.pid == pid) return true;
    return false;
}

bool fm_perf_maps_find(const struct fm_perf_maps *maps, const uint64_t *pid, framemap_str path, uint64_t address,
                       struct fm_perf_map *out, bool *is_offset)
{
    struct record record;
    bool has_address = false, found = false;
    for (size_t at = 0; next_record(maps, &at, &record);) {
        const struct fm_perf_map *map = &record.map;
        const bool holds = address >= map->start && address < map->end;
        const bool may_be = address >= map->start - map->load && address < map->end - map->load;
        if ((!holds && (has_address || !may_be)) || (pid && map->pid != *pid)) continue;
        if (!fm_str_equal(record.path, path)) continue;
        *out = *map;
        has_address = has_address || holds;
        found = true;
    }
    *is_offset = !has_address;
    return found;
}
