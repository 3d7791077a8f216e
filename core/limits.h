/* Every limit on input, with its reason. Only broken or hostile input reaches a limit; the error names it. */
#ifndef FM_CORE_LIMITS_H
#define FM_CORE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

/* The most bytes of a growing buffer that has no limit of its own, so that doubling its size cannot overflow. */
#define FM_LIMIT_BUFFER (SIZE_MAX / 4)
#define FM_LIMIT_NAME ((size_t)1 << 20) /* bytes of a symbol name; the longest seen in C++ is about 200 KB */
/* Bytes of the strings of one group that an index unpacks together: twice 32 strings of FM_LIMIT_NAME bytes. */
#define FM_LIMIT_SORTED_STRINGS ((size_t)64 << 20)
/* Bytes of a name to demangle: the demanglers recurse as deep as a name is long. */
#define FM_LIMIT_DEMANGLE ((size_t)64 << 10)
/* Template parameters that have arguments and follow a conversion operator in a mangled name: each may double the time
 * that GNU's demangler takes. */
#define FM_LIMIT_CONVERSIONS ((uint32_t)12)
#define FM_LIMIT_PATH ((size_t)1 << 16)       /* bytes of a source path; PATH_MAX is 4096, and paths are joined twice */
#define FM_LIMIT_SECTIONS ((uint32_t)1 << 20) /* sections of an object file; -ffunction-sections reaches 100,000 */
#define FM_LIMIT_SLICES ((uint32_t)64)        /* slices of a fat file; real files have at most 6 */
/* Bytes that the compressed parts of a file may inflate to, however small the file is. */
#define FM_LIMIT_INFLATED_LEAST ((uint64_t)64 << 20)
/* In addition to FM_LIMIT_INFLATED_LEAST: inflated bytes per byte of the file. The ratio is 2 to 3.4 for debug files of
 * glibc, up to 9 for their sections, and 3 to 5 for source maps. */
#define FM_LIMIT_INFLATE_RATIO ((uint64_t)64)
/* Files of one archive: the largest apps have some 60,000, libjava's class path 30,000. */
#define FM_LIMIT_ARCHIVE_MEMBERS ((uint32_t)1 << 20)
#define FM_LIMIT_UNSIZED ((size_t)128 << 20) /* bytes of a file of /proc; /proc/kallsyms has 5 to 20 MB */
/* Bytes of decompressed files that a session without a memory ceiling keeps between listing symbol files and compiling
 * them. */
#define FM_LIMIT_KEPT_FILES ((uint64_t)64 << 20)
/* Archives in archives: an apk in the zip of a store in the zip of a release. */
#define FM_LIMIT_ARCHIVE_DEPTH 4u
#define FM_LIMIT_INFLATED ((uint64_t)64 << 30) /* bytes of one inflated section */
#define FM_LIMIT_INLINE_DEPTH ((uint32_t)1024) /* frames of one inline chain; the deepest seen has 102 */
#define FM_LIMIT_DIE_DEPTH ((uint32_t)4096)    /* nesting of debug entries; C++ templates reach about 60 */
/* Inlined functions whose ends are lost, one inside of the other, that are considered for a line row. The deepest seen
 * has 6. */
#define FM_LIMIT_LOST_ENDS 64u
/* Bytes of a dump per byte of the file: real files reach about 20; one byte can produce a line row of 430 bytes. */
#define FM_LIMIT_DUMP_RATIO ((uint64_t)1024)
#define FM_LIMIT_DUMP_RATIO_TEXT "1024"
/* Abstract origin and specification links followed for one name: prevents cycles. */
#define FM_LIMIT_ORIGIN_HOPS ((uint32_t)32)
#define FM_LIMIT_LINE ((size_t)64 << 10) /* bytes of a stack line; longer lines are passed through unchanged */
/* Bytes of a line on a pipe while its end is awaited: a JSON report in one line has some MB. */
#define FM_LIMIT_UNENDED ((size_t)16 << 20)
#define FM_LIMIT_SAMPLE_FRAMES ((uint64_t)1 << 19) /* frames of a profile in memory, which take a few hundred MB */
/* Bytes of the stacks of a written profile. Some formats repeat the frames of each sample, so that a chain of n frames
 * with a sample at each frame takes n * n / 2 frames. A sample usually has some 100 frames, each of 4 bytes in pprof's
 * profiles and of 30 bytes where names are written. */
#define FM_LIMIT_STACKS_LEAST ((uint64_t)256 << 20)
/* Bytes that the stacks of a written profile may take in addition to FM_LIMIT_STACKS_LEAST, for each sample and for
 * each node of the tree of stacks. */
#define FM_LIMIT_STACKS_RATIO ((uint64_t)1024)
#define FM_LIMIT_FRAMES ((uint32_t)1 << 20) /* frames of one trace; a stack overflow has some 100,000 */
/* Bytes of the list of images of one report, which is kept until the report ends. A row takes some 300 bytes, and the
 * longest lists have some 5,000 rows. A stream that may hold back only little text has a lower limit (dispatch.c). */
#define FM_LIMIT_IMAGES ((size_t)8 << 20)
/* Bytes of source context around one frame: a source with longer lines was not written by people. */
#define FM_LIMIT_CONTEXT ((size_t)64 << 10)
/* Nested containers of a JSON document: the deepest real map has 12 levels; a MetricKit report has two for each frame
 * of a stack of up to 512. */
#define FM_LIMIT_JSON_DEPTH ((uint32_t)2048)
/* Steps that jsmn may take per byte to close brackets, in addition to the square of FM_LIMIT_JSON_DEPTH. For each
 * closing bracket jsmn walks from the last value up to the opening one, so a run of n closing brackets takes n * n / 2
 * steps. MetricKit reports need some 10 steps per byte. */
#define FM_LIMIT_JSON_STEPS ((uint64_t)64)
/* Bytes of a JSON document within a text of stacks: Apple's have up to some MB. */
#define FM_LIMIT_DOCUMENT ((size_t)64 << 20)
/* Nested brackets of a script: bundles reach some hundred. */
#define FM_LIMIT_SCRIPT_DEPTH ((uint32_t)1 << 20)
#define FM_LIMIT_SCRIPT_NAME_PARTS ((size_t)32) /* parts of an assignment target: "a.b.c" has three */
/* Bytes of a source in which names are searched: all of it is unescaped, in addition to the map. Hand-written sources
 * have some 100 KB, nested bundles some MB. */
#define FM_LIMIT_SCRIPT_SOURCE ((size_t)64 << 20)
/* Bytes of one identifier in a function's name: the index stores the identifier again for each function whose name
 * contains it, such as "a" in "a.b" and "a.c". */
#define FM_LIMIT_SCRIPT_NAME ((size_t)4096)
/* Segments of one line of a map with descending columns: sorting needs 80 bytes each; real lines have up to 2 million
 * segments. */
#define FM_LIMIT_SORTED ((uint32_t)1 << 24)
/* Bytes that sourceRoot adds to the sources of one map file: enough for 200,000 sources with a sourceRoot of 300
 * bytes. */
#define FM_LIMIT_ROOTED ((uint64_t)64 << 20)
/* Nested index maps: Metro nests two; each level is parsed again. */
#define FM_LIMIT_MAP_NESTING ((uint32_t)16)
/* Earlier maps that one map is composed with: a bundle with one for each of its files has some hundred. */
#define FM_LIMIT_MAP_STEPS ((uint32_t)4096)
/* Sources, or names, of a composed map, since each takes memory; the largest real map has 73,378. */
#define FM_LIMIT_MAP_ENTRIES ((uint32_t)1 << 24)
/* Generated lines of a written map: each takes a byte, and a section of 100 bytes can start at line 2^32. */
#define FM_LIMIT_MAP_LINES ((uint32_t)1 << 27)
/* Files that are tried to find one companion of an image: .dwo files of one name are in as many folders as a build
 * has. */
#define FM_LIMIT_COMPANION_TRIES ((unsigned)256)
/* Object files of one Mach-O image: the largest programs are linked from some ten thousand. */
#define FM_LIMIT_DEBUG_MAP_OBJECTS ((size_t)1 << 17)
#define FM_LIMIT_SCAN_FILES ((uint32_t)1 << 20) /* files under one symbol path */
#define FM_LIMIT_SOURCE ((size_t)16 << 20)      /* bytes of a source file whose lines are shown; SQLite has 9 MB */
#define FM_LIMIT_MANIFEST ((size_t)256 << 20)   /* bytes of the list of files in a source bundle */
/* bytes of a label of a symbol path, and of an id in a framemap_scope */
#define FM_LIMIT_LABEL ((size_t)1024)
/* ids in one framemap_scope: an app has one for each library and script */
#define FM_LIMIT_SCOPE_IDS ((size_t)4096)
#define FM_LIMIT_SCAN_DEPTH ((uint32_t)64) /* folder nesting under one symbol path */
/* Files of each kind in the cache folder that are listed to enforce its size limit; they take 28 MB. */
#define FM_LIMIT_CACHE_FILES ((uint32_t)1 << 18)
#define FM_LIMIT_ALTERNATIVES ((uint32_t)4096) /* alternative answers to one query */
/* Limits of one answer with all its alternatives: frames, bytes of strings and of memory; see
 * resolve/answer_limits.h. */
/* Frames of one answer: the deepest real chain has 102 frames, and an answer about native code has one chain. */
#define FM_LIMIT_ANSWER_FRAMES ((uint32_t)1 << 14)
#define FM_LIMIT_ANSWER_TEXT ((uint64_t)2 << 20)    /* bytes of names and paths: 100 frames with names of 20 KB */
#define FM_LIMIT_ANSWER_ALIASES ((uint64_t)1 << 20) /* bytes of aliases: 4,096 of 200 bytes */
/* bytes allocated for one answer: room for its frames once, and for its strings twice */
#define FM_LIMIT_ANSWER_MEMORY ((size_t)20 << 20)
#define FM_LIMIT_ANSWER_PRINTED ((uint64_t)16 << 20) /* bytes of output for one answer: 1,024 lines of 16 KB */
/* Limits of indexes. */
/* Bytes of a dump per byte of the index; real indexes reach about 1,000. */
#define FM_LIMIT_INDEX_DUMP ((uint64_t)4096)
/* Alternatives in one value of a split index (docs/kv-format.md); real values have some 100 positions. */
#define FM_LIMIT_VALUE_PLACES ((unsigned)1 << 16)
/* Number of scopes times number of pages of a split index; programs have few scopes, and object files have few
 * pages. */
#define FM_LIMIT_SPLIT_PARTS ((uint64_t)1 << 26)
/* Bytes of unpacked strings per byte of the index; real indexes reach about 10. */
#define FM_LIMIT_UNPACKED ((uint64_t)64)
/* Bytes of unpacked strings that any index may have, however small it is, in addition to FM_LIMIT_UNPACKED. */
#define FM_LIMIT_UNPACKED_LEAST ((uint64_t)16 << 20)
/* Positions of one batch lookup: even if each has FM_LIMIT_INLINE_DEPTH frames, a 32-bit number can count all
 * frames. */
#define FM_LIMIT_LOOKUPS ((size_t)1 << 20)
/* Bytes of all alternatives of one line of text, at one depth of the stack: 65,535 alternatives of a line of 10 KB take
 * 655 MB. */
#define FM_LIMIT_RETRACED ((size_t)1 << 30)
/* Frames in all alternatives of one Java frame. A mapping needs a range of its own for each alternative. */
#define FM_LIMIT_JAVA_CHAINS ((uint32_t)1 << 20)
/* If a frame may be at any line of a range of original lines, each of these lines makes one alternative, up to this
 * many frames in all alternatives: two frames for each of the 65,536 lines that a class file can number. A mapping can
 * claim a range of two billion lines in 60 bytes. */
#define FM_LIMIT_JAVA_FAN ((uint32_t)1 << 17)
/* Notes read for one Java frame: an index can refer to one long list for each of its ranges. */
#define FM_LIMIT_JAVA_NOTES ((uint64_t)1 << 24)
/* Index files up to this size are read instead of mapped. That takes no longer (16 us for either at this size), and the
 * bytes stay the same if the file changes. */
#define FM_READ_INDEX ((size_t)512 << 10)
/* Images and scripts without symbols that a session remembers by name: a web log can name millions of scripts. */
#define FM_LIMIT_MISSING ((size_t)1 << 16)
/* Bytes of the names of the images and scripts that FM_LIMIT_MISSING counts. */
#define FM_LIMIT_MISSING_BYTES ((size_t)16 << 20)

/* Bytes that a server of a store may send in answer to one request, if the caller sets no other limit: the values of
 * all stacks of a batch. */
#define FM_LIMIT_STORE_ANSWER ((uint64_t)256 << 20)
/* Bytes of a server's reply that has no values, such as the list of a cluster's servers; with 1,024 servers that is
 * some 200 KB. */
#define FM_LIMIT_STORE_MAP ((uint64_t)16 << 20)
#define FM_LIMIT_STORE_BUILDS ((size_t)1 << 20) /* builds of a store that are listed: each takes some 200 bytes */
#define FM_LIMIT_STORE_NODES ((size_t)1024)     /* servers of a cluster; Redis recommends at most 1,000 */

/* Returns how many bytes the compressed parts of a file of this size may inflate to in total. */
static inline uint64_t fm_limit_inflated(uint64_t file_bytes)
{
    if (file_bytes > UINT64_MAX / FM_LIMIT_INFLATE_RATIO) return UINT64_MAX;
    const uint64_t most = file_bytes * FM_LIMIT_INFLATE_RATIO;
    return most > FM_LIMIT_INFLATED_LEAST ? most : FM_LIMIT_INFLATED_LEAST;
}

/* Returns how many bytes the stacks of a written profile may take. Both counts are at most 2^32. */
static inline uint64_t fm_limit_stacks(uint64_t samples, uint64_t nodes)
{
    return FM_LIMIT_STACKS_LEAST + FM_LIMIT_STACKS_RATIO * (samples + nodes);
}

#endif
