/* Symbol files to indexes, and one query on one index.
 *
 *     framemap_bytes fmx = {0};
 *     framemap_index *index = NULL;
 *     framemap_scratch *scratch = NULL;
 *     framemap_frame frame;
 *     framemap_error error;
 *
 *     if (framemap_index_build(symbol_bytes, framemap_str_of("libapp.so"), NULL, &fmx, &error) == FRAMEMAP_OK &&
 *         framemap_index_open(framemap_bytes_str(&fmx), NULL, &index, &error) == FRAMEMAP_OK &&
 *         framemap_scratch_create(NULL, &scratch, &error) == FRAMEMAP_OK) {
 *         framemap_query query = FRAMEMAP_QUERY_INIT;
 *         query.address_kind = FRAMEMAP_ADDRESS_LINKED;
 *         query.position = 0x4f0c4;
 *         framemap_resolve(index, &query, scratch, &frame, &error);
 *     }
 */
#ifndef FRAMEMAP_INDEX_H
#define FRAMEMAP_INDEX_H

#include <framemap/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that the library allocated for the caller. Zero it before use; free with framemap_bytes_free. */
typedef struct framemap_bytes {
    unsigned char *data;
    size_t size;
    framemap_allocator allocator; /* resize NULL: the C library */
} framemap_bytes;

/* Frees and zeroes; NULL and a zeroed one are allowed. */
FRAMEMAP_API void framemap_bytes_free(framemap_bytes *bytes);

/* The same bytes, borrowed. */
FRAMEMAP_API framemap_str framemap_bytes_str(const framemap_bytes *bytes);

/* Told of progress on long work: done of total, in units of the work's own. Return false to stop it (the call then
 * fails with FRAMEMAP_E_LIMIT). May be called from worker threads, one call at a time. */
typedef bool (*framemap_progress)(void *context, uint64_t done, uint64_t total);

/* Told of what was wrong in the input and passed over; code FRAMEMAP_OK: nothing is wrong, but it is worth knowing. The
 * error is borrowed for the call. One call at a time. */
typedef void (*framemap_warning)(void *context, const framemap_error *warning);

/* How `rangeMappings` of a source map is read, a proposal whose texts count the segments of a line differently. */
typedef enum framemap_range_mappings {
    FRAMEMAP_RANGES_UNSAID = 0, /* from 1, as the tests of the standard do; leniently from 0 where the map can only be
                                   read so. A warning of code OK says which */
    FRAMEMAP_RANGES_FROM_0 = 1, /* as the draft does */
    FRAMEMAP_RANGES_FROM_1 = 2,
    FRAMEMAP_RANGES_OFF = 3 /* not read: places are those of the segment's begin */
} framemap_range_mappings;

/* How to build. Zero everything, set size = sizeof, then what differs; a later version only adds fields at the end. */
typedef struct framemap_build_options {
    size_t size;
    const framemap_allocator *allocator; /* copied */
    uint64_t max_memory;                 /* ceiling on framemap's own memory for the build, bytes; 0: no ceiling */
    const char *mapper;                  /* name of the mapper to use; NULL: told from the bytes */
    const char *arch;   /* which slice of a fat file, "arm64"; NULL: the only one, else an error naming them */
    const char *reader; /* debug-info reader, "fast" or "libdwarf"; NULL: the first */
    unsigned threads;   /* 0: one */
    framemap_progress progress;
    framemap_warning warning;
    void *context; /* for progress and warning */
    bool strict;   /* a text file with a fault is refused whole, as its own tool does, instead of being read without the
                      faulty lines */
    /* Told while a text is read: what stands before byte `offset` is not looked at again, so that whoever maps a file
     * can let go of these pages. May be called from worker threads, one call at a time. May be NULL. */
    void (*passed)(void *context, size_t offset);
    void *passed_context;
    bool keep_sources;   /* source maps: the texts of the sources, where the map has them, are kept in the index */
    framemap_str script; /* source maps: the generated text that the map is of, where it is at hand; names of functions
                            are read from it. Borrowed */
    framemap_range_mappings range_mappings;
    /* Native images: only what it takes to answer these addresses, as linked and in any order, is compiled: far less
     * work than the whole. Of them the index says what the whole one would, as long as inlined code stands within the
     * function that it is inlined into; of others it may say nothing. Borrowed; NULL: all. Files of other kinds, and
     * relocatable ones, are compiled whole. */
    const uint64_t *positions;
    size_t position_count;
    /* Told while a native image is read, with passed_context: what stands in these bytes has been read and is not
     * wanted again soon, so that whoever maps a file can let go of the pages; they may be read again. May be called
     * from worker threads, one call at a time. May be NULL. */
    void (*let_go)(void *context, size_t offset, size_t size);
} framemap_build_options;

/* Compiles a symbol file of any known kind into an index.
 * bytes: the whole file, borrowed for the call. name: its file name, used for telling kinds apart and kept in the
 * index; may be absent. options: NULL for the defaults. out: written on success, owned by the caller. The same input
 * gives the same bytes. Errors: ARGUMENT (also an unknown mapper, reader or value of range_mappings), FORMAT (not a
 * symbol file, or not one of the mapper's), EMPTY (nothing to look up), TRUNCATED, CORRUPT, MISMATCH (arch), LIMIT,
 * MEMORY (the message says whether it was max_memory). Any thread; nothing is shared between calls. */
FRAMEMAP_API framemap_status framemap_index_build(framemap_str bytes, framemap_str name,
                                                  const framemap_build_options *options, framemap_bytes *out,
                                                  framemap_error *error);

/* What made an index: the value of its "kind" as a number. Values never change meaning; later versions may add some. */
typedef enum framemap_index_kind {
    FRAMEMAP_INDEX_OTHER = 0,     /* not listed here */
    FRAMEMAP_INDEX_ELF = 1,       /* "elf": native code */
    FRAMEMAP_INDEX_MACHO = 2,     /* "macho": native code */
    FRAMEMAP_INDEX_R8 = 3,        /* "r8": a mapping.txt, restored by R8's rules */
    FRAMEMAP_INDEX_PROGUARD = 4,  /* "proguard": a mapping.txt, restored by ProGuard's rules */
    FRAMEMAP_INDEX_SOURCEMAP = 5, /* "sourcemap": a JavaScript source map */
    FRAMEMAP_INDEX_DART = 6,      /* "dart": an AOT snapshot of a Dart program */
    FRAMEMAP_INDEX_DART_NAMES = 7 /* "dart-names": an obfuscation map of a Dart program */
} framemap_index_kind;

/* What an index is queried by. */
enum {
    FRAMEMAP_QUERIED_BY_ADDRESS = 1, /* an address of the image, or an offset in a section */
    FRAMEMAP_QUERIED_BY_MEMBER = 2,  /* a name: a class with or without a member and a line, or an identifier */
    FRAMEMAP_QUERIED_BY_LINE = 4     /* a line and column of generated text; of bytecode a function and an offset */
};

/* One image inside a symbol file: a fat Mach-O has several, most files one. Strings are borrowed from the file's bytes
 * or static, unless said else. */
typedef struct framemap_image_info {
    char kind[24];       /* "elf", "macho", "fmx" … */
    char arch[16];       /* "arm64"; empty when it has none */
    char id[65];         /* lower-case hex; empty when it has none */
    char type[24];       /* "executable", "shared library", "object", "debug file" … */
    bool has_debug_info; /* functions with files and lines */
    bool has_line_table;
    bool has_symbols; /* symbols of its own; names that it imports do not count */
    bool big_endian;
    unsigned address_bits; /* 32 or 64; 0 when it has no addresses */
    uint64_t base;         /* preferred load address of the image's first byte */
    uint64_t offset, size; /* where it stands in the file, bytes */
    framemap_str
        debug_link; /* file name of the separate debug file that it names (.gnu_debuglink); empty when it names none */
    uint32_t debug_link_crc; /* CRC-32 that this file must have */
    bool is_stripped;   /* has neither debug info nor local symbols: has_symbols then stands for what other images can
                           link to */
    bool has_debugdata; /* has an xz-compressed symbol table (.gnu_debugdata), which is not read */
    framemap_str alternate; /* path of the file with names that dwz moved out of this one's debug info; empty when it
                               names none */
    char alternate_id[65];  /* its id, lower-case hex; empty when it has none */
    bool is_index;          /* the file is an index ("fmx") */
    framemap_index_kind index_kind; /* of the index that the file is, or that is compiled from it */
} framemap_image_info;

/* Says what a symbol file holds without compiling it: call with capacity 0 to count, which finds fewer faults, since it
 * may look at the begin alone. images: room for capacity entries, filled up to that; *count: how many there are. Errors
 * as framemap_index_build. Any thread. */
FRAMEMAP_API framemap_status framemap_file_inspect(framemap_str bytes, framemap_str name, framemap_image_info *images,
                                                   size_t capacity, size_t *count, framemap_error *error);

/* One section of an object file. */
typedef struct framemap_section_info {
    framemap_str name; /* borrowed from the file's bytes, or static */
    uint64_t address;  /* as linked; 0 in relocatable files, where every section is a scope of its own */
    uint64_t size;     /* in memory */
    bool code;         /* executable */
} framemap_section_info;

/* Lists the sections that take memory, in the order of the file: for addresses given as section and offset.
 * arch: which slice of a fat file, NULL: the only one. sections: room for capacity entries, filled up to that; *count:
 * how many there are. A file without sections (an index, a text) gives 0. Errors: ARGUMENT, TRUNCATED, CORRUPT,
 * MISMATCH (arch), LIMIT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_file_sections(framemap_str bytes, const char *arch,
                                                    framemap_section_info *sections, size_t capacity, size_t *count,
                                                    framemap_error *error);

/* An opened index. Its answers never change: share it freely between threads, close it when none uses it. Names and
 * paths that are asked for are unpacked, joined and made readable once, and kept until then: in memory of its
 * allocator, within bounds that its own size sets; where there is none to be had for keeping, they are made anew each
 * time. */
typedef struct framemap_index framemap_index;

/* Opens an index that stands in memory, in O(1) time and memory; the bytes are borrowed until close, need no alignment
 * and are not trusted: a damaged index gives wrong answers or none, never a fault. allocator NULL: the C library.
 * Errors: FORMAT, VERSION, TRUNCATED, CORRUPT, MEMORY. */
FRAMEMAP_API framemap_status framemap_index_open(framemap_str bytes, const framemap_allocator *allocator,
                                                 framemap_index **out, framemap_error *error);

/* Opens an index file: one of up to 512 KB is read into memory, a bigger one is mapped. While an index is mapped, a
 * file that is cut short ends the process at the next access to what was lost, unless framemap_guard_mapped_files was
 * called (<framemap/file.h>). Errors: IO and those of framemap_index_open. */
FRAMEMAP_API framemap_status framemap_index_open_file(const char *path, const framemap_allocator *allocator,
                                                      framemap_index **out, framemap_error *error);

/* Whether the file of an index that is mapped was changed since it was opened: answers since then are not to be
 * trusted. One system call for a mapped file, none else. NULL: false. Any thread. A session asks this itself. */
FRAMEMAP_API bool framemap_index_changed(const framemap_index *index);

/* NULL allowed. Everything borrowed from the index ends with it. */
FRAMEMAP_API void framemap_index_close(framemap_index *index);

/* Checks every checksum and every record. Reads the whole index. Any thread. Errors: CORRUPT, with offset and section
 * name. */
FRAMEMAP_API framemap_status framemap_index_verify(const framemap_index *index, framemap_error *error);

/* What an index is. Strings are borrowed from the index. */
typedef struct framemap_index_info {
    unsigned format_version;
    framemap_str kind; /* mapper that made it, "elf", "macho", "r8" … */
    framemap_str id;   /* build id, UUID … lower-case hex */
    framemap_str arch;
    framemap_str name; /* name of the symbol file, where it was given */
    uint64_t base;     /* preferred load address */
    uint64_t size_bytes;
    uint64_t scope_count, position_count, function_count, file_count, string_bytes, node_count;
    bool has_lines;       /* some position carries a file and line */
    uint64_t class_count; /* renamed classes of a mapping: scopes are then methods, positions their ranges of lines,
                             functions original members, files original classes; 0: not a mapping */
    bool is_source_map; /* scopes are then lines of the generated text, positions their segments, functions the names on
                           them, files sources */
    uint64_t stretch_count;        /* of a source map: stretches of text whose function is known */
    bool has_content;              /* of a source map: the index keeps texts of its sources */
    framemap_index_kind kind_code; /* `kind` as a number */
    framemap_kind family;          /* kind of the frames that it restores; UNKNOWN: of an index without addresses whose
                                      kind is not known */
    unsigned queried_by;           /* FRAMEMAP_QUERIED_BY_ADDRESS and others, joined by or */
} framemap_index_info;

FRAMEMAP_API void framemap_index_describe(const framemap_index *index, framemap_index_info *out);

/* How names are made readable. */
typedef enum framemap_demangle {
    FRAMEMAP_DEMANGLE_DEFAULT = 0, /* as LLVM's tools print them */
    FRAMEMAP_DEMANGLE_NONE = 1,
    FRAMEMAP_DEMANGLE_LLVM = 2,
    FRAMEMAP_DEMANGLE_GNU = 3 /* as binutils prints them */
} framemap_demangle;

/* What the lines of a Java stack tell the frames below them. Zero it at the begin of a stack. */
typedef struct framemap_java_state {
    framemap_str
        exception;    /* residual class of the exception above, as printed: set it at each exception line; borrowed */
    bool has_outline; /* the frame above was of an outline, */
    int32_t outline_line; /* with this line, or -1 */
} framemap_java_state;

/* One question to one index. Start from FRAMEMAP_QUERY_INIT. */
typedef struct framemap_query {
    size_t size;
    framemap_str scope;    /* empty: the image itself; else class and member, section, "data", the decimal number of a
                              function of bytecode … as the    mapper's docs say */
    uint64_t scope_number; /* for indexes whose scopes are numbers (generated line, from 0; of Hermes bytecode its
                              segment) */
    uint64_t position;     /* address, line or column, as the kind of index says: of a source map the column from 0, in
                              UTF-16 units, of bytecode the     address as it is printed */
    framemap_address_kind address_kind; /* LINKED or IMAGE for addresses; NONE: position is taken as it is */
    bool return_address; /* look up position - 1; has no meaning for source maps, whose frames stand on the call itself
                          */
    framemap_demangle demangle;
    /* Java and Kotlin: scope is "a.b.c" (class and member, or a class alone), position the line, or, with no_position,
     * the stack has none. */
    bool no_position;
    framemap_java_state *
        java; /* what earlier lines of the same stack told; brought up to date. NULL: every frame stands alone, and with
                 no_position no frame is asked but a name: all methods and fields of it, each a chain of one frame */
    framemap_str printed_file; /* the source file that the stack prints, "SourceFile", "Main.kt": tells Kotlin where the
                                  symbols do not */
    uint32_t context; /* source maps: lines of source told before and behind each place, where the index keeps sources;
                         0: none */
} framemap_query;

#define FRAMEMAP_QUERY_INIT     \
    {sizeof(framemap_query),    \
     {NULL, 0},                 \
     0,                         \
     0,                         \
     FRAMEMAP_ADDRESS_NONE,     \
     false,                     \
     FRAMEMAP_DEMANGLE_DEFAULT, \
     false,                     \
     NULL,                      \
     {NULL, 0},                 \
     0}

/* Working memory of one thread for lookups: reused, so that a warm lookup allocates nothing. */
typedef struct framemap_scratch framemap_scratch;
FRAMEMAP_API framemap_status framemap_scratch_create(const framemap_allocator *allocator, framemap_scratch **out,
                                                     framemap_error *error);
FRAMEMAP_API void framemap_scratch_free(framemap_scratch *scratch);
/* Sets a ceiling on the memory that the scratch holds from now on, bytes; 0: none. What earlier calls lent from it is
 * gone. A call that would need more fails with MEMORY and a message that begins with "over-memory"; a symbol that would
 * stays as it is. NULL allowed. */
FRAMEMAP_API void framemap_scratch_limit(framemap_scratch *scratch, uint64_t max_memory);

/* Answers one query. out: written on success; its kind, status and reason, address, restored chain, alternatives and
 * aliases. An answer has at most 16,384 frames in 4,096 chains, and 2 MiB of names and paths: of more, out->over_limit
 * says so. What it borrows lives until the next call with the same scratch, and no longer than the index.
 * A position that is not covered is success with FRAMEMAP_FRAME_NO_MATCH.
 * Errors: ARGUMENT (also an unknown value of an enum), MEMORY, CORRUPT.
 * Any thread, with a scratch of its own. */
FRAMEMAP_API framemap_status framemap_resolve(const framemap_index *index, const framemap_query *query,
                                              framemap_scratch *scratch, framemap_frame *out, framemap_error *error);

/* A frame in brief: what a service keeps of each frame of a million stacks. Strings as in framemap_frame, borrowed. */
typedef struct framemap_brief_frame {
    framemap_str function; /* for people: demangled, as the query asks */
    framemap_str symbol;   /* as the symbol file spells it; empty when it equals function */
    framemap_str file;
    uint32_t line;            /* 1-based, 0 unknown */
    uint32_t column;          /* 1-based, 0 unknown */
    uint32_t declared_line;   /* of the function, 1-based, 0 unknown */
    uint32_t flags;           /* FRAMEMAP_BRIEF_… */
    uint64_t function_offset; /* of the outermost frame: distance of the address from the function's start */
} framemap_brief_frame;

/* Values are pinned; later versions may add some. */
enum {
    FRAMEMAP_BRIEF_INLINED = 1 << 0,             /* this function's code stands inside the next frame's function */
    FRAMEMAP_BRIEF_ARTIFICIAL = 1 << 1,          /* made by the compiler */
    FRAMEMAP_BRIEF_HAS_FUNCTION_OFFSET = 1 << 2, /* function_offset is known */
    FRAMEMAP_BRIEF_SAME_NAME = 1 << 3,           /* function is what symbol says, demangled */
    FRAMEMAP_BRIEF_OVER_LIMIT = 1 << 4 /* the frames around this one are left out: framemap_frame.over_limit */
};

/* What one position leads to: frames [first, first + count) of the list, innermost first. */
typedef struct framemap_brief_answer {
    framemap_frame_status
        status; /* as in framemap_frame; NO_MATCH has no frames, AMBIGUOUS the first of several chains */
    uint32_t first, count;
} framemap_brief_answer;

typedef struct framemap_brief_list {
    const framemap_brief_answer *answers; /* one for each position, in their order */
    size_t answer_count;
    const framemap_brief_frame *frames;
    size_t frame_count;
} framemap_brief_list;

/* Answers many queries that differ in their position alone, several times as fast as one by one: while one waits for
 * memory, others go on. The answers are those of framemap_resolve, in brief: aliases, alternatives, class names and
 * where functions are declared are left out. index: of addresses, that is native or Dart's. query: as for
 * framemap_resolve; its position is not read. positions: `count` of them, in any order; some hundred to some thousand
 * at a time are best, and one alone still takes less time than by framemap_resolve. out: written on success; it and its
 * strings live until the next call with the same scratch, and no longer than the index.
 * Errors: ARGUMENT, UNSUPPORTED (the index is of a mapping or a source map), LIMIT (more than 2^20 positions), MEMORY,
 * CORRUPT. Any thread, with a scratch of its own. */
FRAMEMAP_API framemap_status framemap_index_lookup_many(const framemap_index *index, const framemap_query *query,
                                                        const uint64_t *positions, size_t count,
                                                        framemap_scratch *scratch, framemap_brief_list *out,
                                                        framemap_error *error);

/* A symbol made readable, as its style's tool prints it; the symbol itself where it is not mangled, or the style is
 * not known. Borrowed from scratch until the next call with it, or from symbol. Any symbol is allowed: bounded in time,
 * stack and memory. scratch belongs to one thread. */
FRAMEMAP_API framemap_str framemap_demangle_name(framemap_scratch *scratch, framemap_str symbol,
                                                 framemap_demangle style);

/* Receives output. Return false to stop (the caller of write then fails with FRAMEMAP_E_IO). data is borrowed for the
 * call. */
typedef bool (*framemap_write)(void *context, const char *data, size_t size);

/* Names and paths come from symbol files and may hold anything: a line end that makes one row look like two, an escape
 * character that a terminal obeys. Frames hold them as they are. All text that this library writes shows control
 * characters as \n, \r, \t, \x1b, \u009b: those of ASCII and Latin-1, the line ends U+2028 and U+2029, and U+202A to
 * U+202E and U+2066 to U+2069, which change the direction of text. A backslash is shown as it is. These do the same for
 * whoever prints frames. */

/* How many bytes of a text, from its begin, are shown as they are; text.size: all of it. Any thread. */
FRAMEMAP_API size_t framemap_plain_size(framemap_str text);
/* Writes a text with its control characters escaped, by one call of write or more. false: write refused. Any thread. */
FRAMEMAP_API bool framemap_show(framemap_str text, framemap_write write, void *context);

/* Writes a whole index as text: format "text" (for people), "jsonl" (one JSON object a position; of a mapping one a
 * class, a field and a range of lines; of a source map one a source, a segment, a function's begin) or "kv" (one line a
 * bucket, of a mapping a class: key, TAB, its bytes in base64, each of which is a small index of its own). At most
 * 4,096 bytes are written for each byte of the index, then it is an error of code LIMIT.
 * Errors: ARGUMENT (format), CORRUPT, IO, LIMIT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_index_dump(const framemap_index *index, const char *format, framemap_write write,
                                                 void *context, framemap_error *error);

/* A mapper: the code that reads one kind of symbol file. Static memory. */
typedef struct framemap_mapper_info {
    const char *name;    /* for framemap_build_options.mapper: "dwarf" */
    const char *summary; /* which files it reads, in one line */
} framemap_mapper_info;

/* The mappers of this build, in the order in which they are tried; *count: how many. Static memory; any thread. */
FRAMEMAP_API const framemap_mapper_info *const *framemap_mapper_list(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
