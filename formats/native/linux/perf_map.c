/* Implements perf_map.h: parses a mapping of perf's text, and keeps mappings in one block of memory with three hash
 * tables, by file, by process and by both. A search visits the mappings of a file from the latest one back, until one
 * contains the address. */
#include "formats/native/linux/perf_map.h"

#include "core/hash/hash.h"
#include "core/text/scan.h"
#include "core/text/text.h"

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

/* --- the memory ---
 *
 * The memory begins with three hash tables, one for each kind of chain. A bucket of a table contains the number of the
 * map that was added to it last. The maps follow the tables, in the order in which they were added. */

enum chain { OF_FILE, OF_PROCESS, OF_BOTH, CHAINS };
enum { BUCKETS = 1024, HEAD = CHAINS * BUCKETS * sizeof(uint32_t) };

/* A map. older1: for each kind of chain, the number of the map that was added to the same bucket before this one. Maps
 * are numbered from 1; 0 means no map. */
struct record {
    struct fm_perf_map map;
    uint32_t older1[CHAINS];
};

static size_t record_at(size_t index) { return HEAD + index * sizeof(struct record); }

size_t fm_perf_maps_need(const struct fm_perf_maps *maps)
{
    enum { FIRST = 64 };
    if (maps->count == FM_PERF_MAPS_MOST || record_at(maps->count + 1) <= maps->memory.size) return 0;
    return record_at(maps->count ? maps->count * 2 : FIRST);
}

void fm_perf_maps_give(struct fm_perf_maps *maps, char *memory, size_t size)
{
    memset(memory, 0, size);
    if (maps->memory.size) memcpy(memory, maps->memory.data, maps->memory.size);
    maps->memory = fm_str(memory, size);
}

/* Returns the offset in the memory of the bucket for a file, for a process, or for both. */
static size_t bucket_at(enum chain chain, uint64_t file, uint64_t pid)
{
    const uint64_t hash = fm_hash_word(chain == OF_PROCESS ? 0 : file, chain == OF_FILE ? 0 : pid);
    return (chain * BUCKETS + (size_t)(hash % BUCKETS)) * sizeof(uint32_t);
}

void fm_perf_maps_add(struct fm_perf_maps *maps, const struct fm_perf_map *map)
{
    const uint32_t number1 = (uint32_t)maps->count + 1;
    char *memory = (char *)(uintptr_t)maps->memory.data;
    struct record record = {.map = *map};
    if (maps->count == FM_PERF_MAPS_MOST) return;
    for (enum chain chain = OF_FILE; chain < CHAINS; chain++) {
        char *latest1 = memory + bucket_at(chain, map->file, map->pid);
        memcpy(&record.older1[chain], latest1, sizeof number1);
        memcpy(latest1, &number1, sizeof number1);
    }
    memcpy(memory + record_at(maps->count++), &record, sizeof record);
}

/* --- searching for the mapping of an address --- */

/* A walk over the maps of one bucket, from the latest map to the first. */
struct walk {
    enum chain chain;
    uint32_t next1; /* number of the next map to visit; 0: there are no more maps */
    unsigned left;  /* number of maps that the walk may still visit */
};

static struct walk walk_from(const struct fm_perf_maps *maps, enum chain chain, uint64_t file, uint64_t pid)
{
    enum { SEARCHED = 256 };
    struct walk walk = {.chain = chain, .left = SEARCHED};
    if (maps->count > 0) memcpy(&walk.next1, maps->memory.data + bucket_at(chain, file, pid), sizeof walk.next1);
    return walk;
}

static bool next_map(const struct fm_perf_maps *maps, struct walk *walk, struct fm_perf_map *out)
{
    struct record record;
    if (walk->next1 == 0 || walk->left-- == 0) return false;
    memcpy(&record, maps->memory.data + record_at(walk->next1 - 1), sizeof record);
    walk->next1 = record.older1[walk->chain];
    *out = record.map;
    return true;
}

bool fm_perf_maps_has(const struct fm_perf_maps *maps, uint64_t pid)
{
    struct fm_perf_map map;
    for (struct walk walk = walk_from(maps, OF_PROCESS, 0, pid); next_map(maps, &walk, &map);)
        if (map.pid == pid) return true;
    return false;
}

bool fm_perf_maps_find(const struct fm_perf_maps *maps, const uint64_t *pid, uint64_t file, uint64_t address,
                       struct fm_perf_map *out, bool *is_offset)
{
    struct walk walk = walk_from(maps, pid ? OF_BOTH : OF_FILE, file, pid ? *pid : 0);
    *is_offset = false;
    for (struct fm_perf_map map; next_map(maps, &walk, &map);) {
        const bool holds = address >= map.start && address < map.end;
        const bool may_be = address >= map.start - map.load && address < map.end - map.load;
        if (map.file != file || (pid && map.pid != *pid) || (!holds && (*is_offset || !may_be))) continue;
        *out = map;
        *is_offset = !holds;
        if (holds) return true;
    }
    return *is_offset;
}
