/* Every limit on input, with its reason. A limit is reached only by broken or hostile input; an error names it. */
#ifndef FM_CORE_LIMITS_H
#define FM_CORE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#define FM_LIMIT_BUFFER \
    (SIZE_MAX / 4) /* bytes of one growing buffer where the caller names no other: keeps doubling from wrapping */
#define FM_LIMIT_NAME ((size_t)1 << 20) /* bytes of one symbol name: the longest seen in real C++ is about 200 KB */
#define FM_LIMIT_SORTED_TEXTS \
    ((size_t)64               \
     << 20) /* bytes of neighbouring names that an index unpacks together, 32 of FM_LIMIT_NAME and then some */
#define FM_LIMIT_DEMANGLE \
    ((size_t)64 << 10) /* bytes of a name that is made readable: the demanglers recurse as deep as a name is long */
#define FM_LIMIT_CONVERSIONS                                                                                      \
    ((uint32_t)12) /* template parameters with arguments after a conversion operator: GNU's demangler takes up to \
                      twice the time for each */
#define FM_LIMIT_PATH ((size_t)1 << 16) /* bytes of one source path: PATH_MAX is 4096, joined twice and then some */
#define FM_LIMIT_SECTIONS ((uint32_t)1 << 20) /* of one object; -ffunction-sections objects reach 100,000 */
#define FM_LIMIT_SLICES ((uint32_t)64)        /* of one fat file; the real most is 6 */
#define FM_LIMIT_INFLATED_LEAST \
    ((uint64_t)64 << 20) /* bytes that what is compressed in one file may inflate to, however small the file is */
#define FM_LIMIT_INFLATE_RATIO                                                                                      \
    ((uint64_t)64) /* inflated : the file, beyond that; debug files of glibc have 2 to 3.4, their sections up to 9, \
                      source maps 3 to 5 */
#define FM_LIMIT_INFLATED ((uint64_t)64 << 30) /* bytes of one inflated section */
#define FM_LIMIT_INLINE_DEPTH ((uint32_t)1024) /* frames of one chain; deepest seen in real programs: 102 */
#define FM_LIMIT_DIE_DEPTH ((uint32_t)4096)    /* nesting of debug entries; C++ templates reach about 60 */
#define FM_LIMIT_DUMP_RATIO                                                                                            \
    ((uint64_t)1024) /* bytes of a dump for each of the file: real ones reach about 20, a row of lines can have 430 in \
                        one byte */
#define FM_LIMIT_DUMP_RATIO_TEXT "1024"
#define FM_LIMIT_ORIGIN_HOPS \
    ((uint32_t)32) /* abstract origin and specification links followed for one name: a cycle guard */
#define FM_LIMIT_LINE ((size_t)64 << 10) /* bytes of one stack line that are looked at; longer lines pass through */
#define FM_LIMIT_UNENDED \
    ((size_t)16 << 20) /* bytes of a line on a pipe whose end is waited for: a JSON report in one line has some MB */
#define FM_LIMIT_FRAMES ((uint32_t)1 << 20) /* frames of one trace: a stack overflow has some 100,000 */
#define FM_LIMIT_CONTEXT \
    ((size_t)64 << 10) /* bytes of source shown around one frame: more is no text that people read */
#define FM_LIMIT_JSON_DEPTH \
    ((uint32_t)64) /* deepest real map is 12; jsmn walks the parents of a value when it closes */
#define FM_LIMIT_SCRIPT_DEPTH \
    ((uint32_t)1 << 20)                         /* brackets of a script inside each other: bundles reach some hundred */
#define FM_LIMIT_SCRIPT_NAME_PARTS ((size_t)32) /* of what a function is assigned to: "a.b.c" has three */
#define FM_LIMIT_SCRIPT_SOURCE                                                                                    \
    ((size_t)64 << 20) /* bytes of a source in which names are looked for: it is unescaped whole, beside the map; \
                          hand-written ones have some 100 KB, bundles of bundles some MB */
#define FM_LIMIT_SCRIPT_NAME                                                                                         \
    ((size_t)4096) /* bytes of one identifier in a function's name: it stands in the index once for each chain it is \
                      part of */
#define FM_LIMIT_SORTED                                                                                              \
    ((uint32_t)1 << 24) /* segments of one line of a map whose columns fall: sorting takes 80 bytes each; real lines \
                           have 2 million */
#define FM_LIMIT_ROOTED \
    ((uint64_t)64 << 20) /* bytes that sourceRoot adds to the sources of one map file: 200,000 with a root of 300 */
#define FM_LIMIT_MAP_NESTING \
    ((uint32_t)16) /* index maps inside each other: Metro nests two; each level is walked over once more */
#define FM_LIMIT_MAP_STEPS                                                                                            \
    ((uint32_t)4096) /* earlier maps that one is composed with: one for each of a bundle's own files is some hundreds \
                      */
#define FM_LIMIT_MAP_ENTRIES \
    ((uint32_t)1             \
     << 24) /* sources, or names, of a map that is composed: each takes memory; the biggest real map has 73,378 */
#define FM_LIMIT_MAP_LINES                                                                                             \
    ((uint32_t)1 << 27) /* generated lines of a map that is written: each takes a byte, and a section of 100 bytes can \
                           begin at line 2^32 */
#define FM_LIMIT_SCAN_FILES ((uint32_t)1 << 20) /* files under one symbol path */
#define FM_LIMIT_SCAN_DEPTH ((uint32_t)64)      /* folder nesting under one symbol path */
#define FM_LIMIT_CACHE_FILES \
    ((uint32_t)1             \
     << 18) /* of each kind in the folder of the disk cache that are listed to keep its budget; they take 28 MB */
#define FM_LIMIT_ALTERNATIVES ((uint32_t)4096) /* answers to one query */
/* Of one answer, all alternatives together; see resolve/answer_limits.h. */
#define FM_LIMIT_ANSWER_FRAMES ((uint32_t)1 << 14)   /* the deepest real chain has 102, and native code one of them */
#define FM_LIMIT_ANSWER_TEXT ((uint64_t)2 << 20)     /* bytes of names and paths: 100 frames with names of 20 KB */
#define FM_LIMIT_ANSWER_ALIASES ((uint64_t)1 << 20)  /* bytes of other names of the code: 4,096 of 200 bytes */
#define FM_LIMIT_ANSWER_MEMORY ((size_t)20 << 20)    /* bytes taken to make it: its frames, and its texts twice */
#define FM_LIMIT_ANSWER_PRINTED ((uint64_t)16 << 20) /* bytes that rows repeat of their line: 1,024 of 16 KB */
/* Of an index. */
#define FM_LIMIT_INDEX_DUMP ((uint64_t)4096) /* bytes of a dump for each of its own: real ones reach about 1,000 */
#define FM_LIMIT_VALUE_PLACES                                                                                \
    ((unsigned)1 << 16)                  /* alternatives in a value of the split form, of some 100 positions \
                                          */
#define FM_LIMIT_UNPACKED ((uint64_t)64) /* bytes of texts for each of its own: real ones reach about 10 */
#define FM_LIMIT_UNPACKED_LEAST ((uint64_t)16 << 20) /* besides, whatever its size */
#define FM_LIMIT_LOOKUPS                                                                                              \
    ((size_t)1 << 20) /* positions asked for in one call: with chains of FM_LIMIT_INLINE_DEPTH their frames can still \
                         be numbered */
#define FM_LIMIT_RETRACED \
    ((size_t)1 << 30) /* bytes of one line's alternatives at one depth: 65,535 of a line of 10 KB, and then some */
#define FM_LIMIT_JAVA_CHAINS \
    ((uint32_t)1             \
     << 20) /* frames in the alternatives of one Java frame: a mapping can claim 65,535 for a line in 60 bytes */
#define FM_LIMIT_JAVA_NOTES \
    ((uint64_t)1 << 24) /* comments read for one Java frame: an index can name one long list for each of its ranges */
#define FM_READ_INDEX                                                                                              \
    ((size_t)512 << 10) /* bytes of an index file up to which it is read instead of mapped: as fast, and safe from \
                           changes of the file (measured: 16 us for either at this size) */
#define FM_LIMIT_MISSING                                                                                         \
    ((size_t)1 << 16) /* images and scripts without symbols that a session remembers by name: a web log can name \
                         millions of scripts */
#define FM_LIMIT_MISSING_BYTES ((size_t)16 << 20) /* of their names */

/* What the compressed parts of a file of so many bytes may inflate to in all. */
static inline uint64_t fm_limit_inflated(uint64_t file_bytes)
{
    if (file_bytes > UINT64_MAX / FM_LIMIT_INFLATE_RATIO) return UINT64_MAX;
    const uint64_t most = file_bytes * FM_LIMIT_INFLATE_RATIO;
    return most > FM_LIMIT_INFLATED_LEAST ? most : FM_LIMIT_INFLATED_LEAST;
}

#endif
