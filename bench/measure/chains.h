/* What the other ways to answer an address, with which bench_lookups compares, answer: the whole inline chain. */
#ifndef FM_BENCH_MEASURE_CHAINS_H
#define FM_BENCH_MEASURE_CHAINS_H

#include "bench_help.h"

enum { CHAIN_MOST = 256 };

/* One frame. Texts stand in the structure that was asked; a size of 0 says that the text ends with a NUL instead. */
struct chain_frame {
    const char *name, *folder, *file;
    uint32_t name_size, folder_size, file_size, line;
};

/* --- a flat sorted array, laid out as symcache lays it out --- */

/* Begins of ranges as u32 in one array, searched by halves; in a second one, in parallel, 16 bytes {file, line,
 * function, inlined into} for each; the places that inlined it follow one another in a third of the same rows, each
 * there once; functions of 16 bytes and files of 8 name texts, which begin with their size in LEB128. */
struct flat_array;

/* All of an index of addresses, which is asked for each of its places. Addresses must lie within 4 GiB of each other.
 * Owned by the caller. */
struct flat_array *flat_array_make(const framemap_index *index);
void flat_array_free(struct flat_array *flat);
size_t flat_array_bytes(const struct flat_array *flat);

/* Innermost first; 0 frames where nothing is known. */
size_t flat_array_lookup(const struct flat_array *flat, uint64_t address, struct chain_frame *frames);

/* --- GSYM, version 1, of this machine's byte order --- */

struct gsym {
    framemap_str bytes;
    uint64_t base;
    const unsigned char *begins, *infos, *files;
    const char *texts;
    uint32_t count, file_count;
    unsigned begin_size;
};

/* bytes: of llvm-gsymutil, borrowed and trusted. false: it is no such file. */
bool gsym_open(framemap_str bytes, struct gsym *out);
size_t gsym_lookup(const struct gsym *gsym, uint64_t address, struct chain_frame *frames);

#endif
