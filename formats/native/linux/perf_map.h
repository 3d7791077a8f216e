/* Mapped files, as `perf script --show-mmap-events` prints them above the samples of their process:
 *
 *     my comm  12/13 6544038.7: PERF_RECORD_MMAP2 12/13: [0x7f5a1c000000(0x5000) @ 0x1000 08:01 5 0]: r-xp /bin/app
 *
 * Called by perf_script.c, which stores the mappings of a text, and by perf_samples.c. */
#ifndef FM_FORMATS_NATIVE_LINUX_PERF_MAP_H
#define FM_FORMATS_NATIVE_LINUX_PERF_MAP_H

#include "formats/trace_document.h"

#define FM_PERF_MAP_WORD "PERF_RECORD_MMAP"
/* maximum number of files of all processes together that are recorded; further ones are ignored */
#define FM_PERF_MAPS_MOST 16384

struct fm_perf_map {
    uint64_t pid, start, end;
    uint64_t load; /* the address that corresponds to offset 0 in the file */
    uint64_t file; /* number by which the caller identifies the file, or a hash of its path */
};

/* Reads a line, and sets all members but `file`. *path: a slice of the line. Returns false if the line does not
 * describe a file that is mapped as code. */
bool fm_perf_map_read(framemap_str line, struct fm_perf_map *out, framemap_str *path);

/* The mapped files of a text, chained by process and by file. A copy of the structure shares the memory. */
struct fm_perf_maps {
    framemap_str memory; /* memory of the caller, who may move it (scan/lanes.h) */
    size_t count;
};

/* Returns the size of the memory that the caller has to give before it adds the next map. 0: there is room for that
 * map, or FM_PERF_MAPS_MOST maps were added. */
size_t fm_perf_maps_need(const struct fm_perf_maps *maps);
/* Copies the maps to larger memory, of the size that fm_perf_maps_need returned. */
void fm_perf_maps_give(struct fm_perf_maps *maps, char *memory, size_t size);
/* Adds a map, or ignores it if FM_PERF_MAPS_MOST maps were added. There must be room for it (fm_perf_maps_need). */
void fm_perf_maps_add(struct fm_perf_maps *maps, const struct fm_perf_map *map);
/* Whether lines of mapped files were printed for a process. A process that was forked and runs the same program uses
 * the mappings of its parent, which perf does not print again. */
bool fm_perf_maps_has(const struct fm_perf_maps *maps, uint64_t pid);
/* Finds the latest mapping of a file that contains an address. If there is none, finds the latest mapping for which
 * `address` is an offset in the file, and sets *is_offset: some versions of perf print such an offset in place of the
 * address. pid: NULL to search the mappings of all processes. Only the latest 256 candidates are searched. */
bool fm_perf_maps_find(const struct fm_perf_maps *maps, const uint64_t *pid, uint64_t file, uint64_t address,
                       struct fm_perf_map *out, bool *is_offset);

#endif
