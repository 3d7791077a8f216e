/* Inline chains as returned by the other index layouts that bench_lookups compares with framemap. */
#ifndef FM_BENCH_MEASURE_CHAINS_H
#define FM_BENCH_MEASURE_CHAINS_H

#include "bench_help.h"

enum { CHAIN_MOST = 256 };

/* One frame. Strings are borrowed from the index that was queried; a size of 0 means that the string is NUL-terminated.
 */
struct chain_frame {
    const char *name, *folder, *file;
    uint32_t name_size, folder_size, file_size, line;
};

/* --- looking up in a flat sorted array, laid out as symcache lays it out --- */

/* The layout has three arrays:
 * - the start addresses of ranges as u32, found by binary search;
 * - for each start address, a record of 16 bytes: {file, line, function, inlined into};
 * - records of the same kind, without duplicates, for the locations of inlined calls.
 *
 * Records of functions (16 bytes) and files (8 bytes) refer to strings, which start with their size in LEB128. */
struct flat_array;

/* Makes the array from all locations of an index of addresses. Addresses must be within 4 GiB of each other. Owned by
 * the caller. */
struct flat_array *flat_array_make(const framemap_index *index);
void flat_array_free(struct flat_array *flat);
size_t flat_array_bytes(const struct flat_array *flat);

/* Writes the frames of an address, innermost first, and returns their number; 0: the address is unknown. */
size_t flat_array_lookup(const struct flat_array *flat, uint64_t address, struct chain_frame *frames);

/* --- looking up in a GSYM file, version 1, in this machine's byte order --- */

struct gsym {
    framemap_str bytes;
    uint64_t base;
    const unsigned char *begins, *infos, *files;
    const char *texts;
    uint32_t count, file_count;
    unsigned begin_size;
};

/* Opens the bytes of a file of llvm-gsymutil, which are borrowed and trusted. false: they are not a GSYM file. */
bool gsym_open(framemap_str bytes, struct gsym *out);
size_t gsym_lookup(const struct gsym *gsym, uint64_t address, struct chain_frame *frames);

#endif
