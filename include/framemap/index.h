/* Compiles symbol files to indexes, and queries one index.
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

/* Bytes that the library allocated for the caller. Zero the struct before use; free it with framemap_bytes_free. */
typedef struct framemap_bytes {
    unsigned char *data;
    size_t size;
    framemap_allocator allocator; /* the allocator of the bytes; resize NULL: the C library */
} framemap_bytes;

/* Frees the bytes and zeroes the struct. NULL and a zeroed struct are allowed. */
FRAMEMAP_API void framemap_bytes_free(framemap_bytes *bytes);

/* Returns the bytes of a framemap_bytes as a slice, borrowed until framemap_bytes_free. */
FRAMEMAP_API framemap_str framemap_bytes_str(const framemap_bytes *bytes);

/* Progress callback for long operations. `done` and `total` are in units specific to the operation. Return false to
 * stop the operation, which then fails with FRAMEMAP_E_LIMIT. It may be called from worker threads, one call at a time.
 */
typedef bool (*framemap_progress)(void *context, uint64_t done, uint64_t total);

/* Reports a fault in the input that was skipped; with code FRAMEMAP_OK nothing is wrong, and the message is for
 * information. `warning` is borrowed for the call. It may be called from worker threads, one call at a time. */
typedef void (*framemap_warning)(void *context, const framemap_error *warning);

/* How the `rangeMappings` member of a source map is read. The member is only proposed, and versions of the proposal
 * count the segments of a line differently. */
typedef enum framemap_range_mappings {
    /* count segments from 1, as the ECMA-426 test suite does; from 0 if the map is only valid that way. The choice is
     * reported as a warning with code OK */
    FRAMEMAP_RANGES_AUTO = 0,
    FRAMEMAP_RANGES_FROM_0 = 1, /* count segments from 0, as the draft does */
    FRAMEMAP_RANGES_FROM_1 = 2,
    FRAMEMAP_RANGES_OFF = 3 /* ignore the member: a position maps to the start of its segment */
} framemap_range_mappings;

/* Files that hold a part of another file's debug info. Values never change meaning; later versions may add some. */
typedef enum framemap_companion_kind {
    FRAMEMAP_COMPANION_DWO = 1, /* a .dwo file: the debug info that the compiler split off one unit (-gsplit-dwarf).
                                   name: its path as the program states it, relative to `folder` unless absolute; id: 16
                                   hexadecimal digits, which the debug info in the file states */
    FRAMEMAP_COMPANION_DWP = 2, /* the package of all .dwo files of the program, usually next to the program, with .dwp
                                   appended to its name. name: absent; id: the build id of the program; may be empty */
    FRAMEMAP_COMPANION_SUPPLEMENTARY = 3, /* the file with the debug info that dwz moved out of several files (dwz -m).
                                             name: its path as the file states it, relative to the file's folder unless
                                             absolute; id: its build id, or its checksum in .debug_sup */
    FRAMEMAP_COMPANION_OBJECT = 4, /* an object file that a Mach-O image was linked from, if the linker left the debug
                                      info there. name: its path as the image states it, mostly absolute; "libx.a(x.o)"
                                      is the file x.o in the static archive libx.a. id: when it was last modified, in
                                      seconds since 1970, as decimal digits: a file modified at another time belongs to
                                      another build; absent if the image does not say */
    /* the program that a debug file was split from, if the symbol table was left in the program (eu-strip -g). name:
     * absent. id: the build id of both files. If the debug file has no build id, id is absent; the right program is
     * then the one that states the checksum of the debug file (.gnu_debuglink) */
    FRAMEMAP_COMPANION_PROGRAM = 5
} framemap_companion_kind;

/* A companion file that a build requests. Strings are borrowed for the call. They come from the symbol file, which may
 * be hostile: a path in it does not permit anyone to open that path (docs/security.md). */
typedef struct framemap_companion_request {
    size_t size; /* sizeof of the struct; later versions only add fields at the end */
    framemap_companion_kind kind;
    framemap_str name, folder, id;
    unsigned attempt; /* number of the attempt, from 0: after 0, the files that earlier attempts of this request
                         returned belong to another build, and the library asks for the next candidate */
} framemap_companion_request;

/* Gets the bytes of a companion in *bytes. Returns false if there is none, or no further candidate. The bytes belong to
 * the caller and must stay unchanged until framemap_index_build returns. It may be called from a worker thread, one
 * call at a time, and again for the same request. */
typedef bool (*framemap_companion)(void *context, const framemap_companion_request *wanted, framemap_str *bytes);

/* Options of framemap_index_build. Zero the struct, set size to sizeof, then set what differs from the defaults. Later
 * versions only add fields at the end. */
typedef struct framemap_build_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    uint64_t max_memory;                 /* ceiling on framemap's own memory for the build, bytes; 0: no ceiling */
    const char *mapper;                  /* name of the mapper (framemap_mapper_list); NULL: chosen by the content */
    const char *arch;   /* the slice of a fat file to compile, "arm64"; NULL: the only slice; with several slices the
                           call fails with MISMATCH and a message that names them */
    const char *reader; /* debug info reader, "fast" or "libdwarf"; NULL: "fast" */
    unsigned threads;   /* threads for the build, including the caller's; 0: one */
    framemap_progress progress; /* called with the progress of the build; NULL: none */
    framemap_warning warning;   /* called for faults that do not end the build; NULL: none */
    void *context;              /* passed to progress and warning */
    bool strict; /* refuse a text file with a fault, as its own tool does, instead of skipping the faulty lines */
    /* Called while a text is parsed: bytes before `offset` will not be read again, so a caller that maps the file may
     * drop those pages. It may be called from worker threads, one call at a time. NULL: none. */
    void (*consumed)(void *context, size_t offset);
    void *input_context; /* passed to consumed and release_range */
    bool keep_sources;   /* source maps: keep the text of the sources in the index, if the map contains it */
    framemap_str script; /* source maps: the generated text, if available; function names are read from it. Borrowed
                            for the call */
    framemap_range_mappings range_mappings; /* source maps: how `rangeMappings` is read */
    /* Native images: compile only what is needed to look up these addresses, which takes far less work. They are
     * addresses as linked, in any order, borrowed for the call. For these addresses the index gives the results of a
     * complete index, provided that inlined code lies within the function that it was inlined into. For other addresses
     * it may have nothing. NULL: all. Relocatable files and files of other kinds are always compiled completely. */
    const uint64_t *positions;
    size_t position_count;
    /* Called while a native image is read: these bytes have been read and are not needed again soon, so a caller that
     * maps the file may drop those pages; they may still be read again. It may be called from worker threads, one call
     * at a time. NULL: none. */
    void (*release_range)(void *context, size_t offset, size_t size);
    /* Native images: called for each of the files that hold a part of the image's debug info. The library checks their
     * ids and does not use files of other builds. NULL: no such file is read, and a warning names the missing ones. */
    framemap_companion companion;
    void *companion_context; /* passed to companion */
} framemap_build_options;

/* Compiles a symbol file of any known kind to an index. The same input and options give the same bytes.
 * bytes: the whole file, borrowed for the call. name: its file name, which helps to recognize the kind and is kept in
 * the index; may be absent. options: NULL for the defaults. out: written on success, owned by the caller.
 * Errors: ARGUMENT (also an unknown mapper, reader or value of range_mappings), FORMAT (not a symbol file, or not one
 * that the chosen mapper reads), EMPTY (nothing to look up), TRUNCATED, CORRUPT, MISMATCH (arch), LIMIT, MEMORY. Any
 * thread; calls share nothing. */
FRAMEMAP_API framemap_status framemap_index_build(framemap_str bytes, framemap_str name,
                                                  const framemap_build_options *options, framemap_bytes *out,
                                                  framemap_error *error);

/* What an index was made from: its "kind" as a number. Values never change meaning; later versions may add some. */
typedef enum framemap_index_kind {
    FRAMEMAP_INDEX_OTHER = 0,      /* a kind that is not listed here */
    FRAMEMAP_INDEX_ELF = 1,        /* "elf": native code */
    FRAMEMAP_INDEX_MACHO = 2,      /* "macho": native code */
    FRAMEMAP_INDEX_R8 = 3,         /* "r8": a mapping.txt, restored by R8's rules */
    FRAMEMAP_INDEX_PROGUARD = 4,   /* "proguard": a mapping.txt, restored by ProGuard's rules */
    FRAMEMAP_INDEX_SOURCEMAP = 5,  /* "sourcemap": a JavaScript source map */
    FRAMEMAP_INDEX_DART = 6,       /* "dart": an AOT snapshot of a Dart program */
    FRAMEMAP_INDEX_DART_NAMES = 7, /* "dart-names": an obfuscation map of a Dart program */
    FRAMEMAP_INDEX_KALLSYMS = 8,   /* "kallsyms": the symbols of a Linux kernel, as text */
    FRAMEMAP_INDEX_WASM = 9,       /* "wasm": a WebAssembly module */
    FRAMEMAP_INDEX_BREAKPAD = 10   /* "breakpad": a symbol file of Breakpad */
} framemap_index_kind;

/* What an index is queried by. */
enum {
    FRAMEMAP_QUERIED_BY_ADDRESS = 1, /* an address of the image, or an offset in a section */
    FRAMEMAP_QUERIED_BY_MEMBER = 2,  /* a name: a class with or without a member and a line, or an identifier */
    FRAMEMAP_QUERIED_BY_LINE = 4     /* a line and column of generated text, or a function and an offset of bytecode */
};

/* One image in a symbol file: a fat Mach-O file has several, most files have one. Strings are borrowed from the bytes
 * of the file, or static. */
typedef struct framemap_image_info {
    char kind[24];       /* kind of the file: "elf", "macho", "wasm", "fmx"... */
    char arch[16];       /* architecture, "arm64"; empty if the image has none */
    char id[65];         /* id in lower-case hex; empty if the image has none */
    char type[24];       /* type of the file: "executable", "shared library", "object", "debug file"... */
    bool has_debug_info; /* the image has functions with files and lines */
    bool has_line_table;
    bool has_symbols; /* the image defines symbols; imported names do not count */
    bool big_endian;
    unsigned address_bits; /* 32 or 64; 0 if the image has no addresses */
    uint64_t base;         /* preferred load address of the first byte of the image */
    uint64_t offset, size; /* where the image is in the file, in bytes */
    /* File name of the separate debug file that the image names (.gnu_debuglink); empty if the image names none. */
    framemap_str debug_link;
    uint32_t debug_link_crc; /* CRC-32 that the debug file must have */
    bool is_stripped;   /* the image has neither debug info nor local symbols; has_symbols then covers only symbols that
                           other images can link to */
    bool has_debugdata; /* the image has an xz-compressed symbol table (.gnu_debugdata). A build without liblzma does
                           not read this table: is_stripped then stays set, and has_symbols does not count its
                           symbols */
    framemap_str alternate; /* path of the supplementary file with the names that dwz moved out of the debug info of
                               this image; empty if the image names no such file */
    char alternate_id[65];  /* id of the supplementary file, lower-case hex; empty if the file names none */
    bool is_index;          /* the file is an index ("fmx") */
    framemap_index_kind index_kind; /* kind of the index that the file is, or that is compiled from the file */
    /* The ids by which event backends and symbol servers identify the file, computed as the Rust crate `symbolic` does;
     * empty if the file has none. debug_id: a GUID with dashes, made from the build id, the UUID or, if the file has
     * neither, the code; for Windows PE files the GUID and the age of the PDB. code_id: the build id, the UUID, or the
     * time stamp and size of a PE file. */
    char debug_id[48];
    char code_id[65];
    bool has_debug_map; /* the image has no debug info, but names the object files that have it (Mach-O) */
    bool has_go_table;  /* the image has the table of functions, files and lines that a Go program has for its own
                           tracebacks; it is read if there is no debug info */
} framemap_image_info;

/* Describes the images in a symbol file without compiling it.
 * bytes, name: as for framemap_index_build. images: room for `capacity` entries; at most that many are written. *count:
 * the number of images. With capacity 0 the call only counts the images and finds fewer faults, since it may read only
 * the start of the file. Errors: as framemap_index_build. Any thread. */
FRAMEMAP_API framemap_status framemap_file_inspect(framemap_str bytes, framemap_str name, framemap_image_info *images,
                                                   size_t capacity, size_t *count, framemap_error *error);

/* Completes the description of an image. image: as framemap_file_inspect filled it in, or zeroed for a file that it
 * refuses. Sets the debug_id and code_id that can only be computed from the whole file (for a mapping of renamed
 * classes, the UUID that Sentry gives it), and describes a Windows PE file, which no other call reads: kind,
 * architecture, ids, and the name of its PDB as debug_link. bytes: the whole file, borrowed for the call and for the
 * strings of image. Errors: ARGUMENT, FORMAT (framemap_file_inspect refuses the file, and it is not a Windows PE file).
 * Any thread. */
FRAMEMAP_API framemap_status framemap_file_identify(framemap_str bytes, framemap_image_info *image,
                                                    framemap_error *error);

/* One section of an object file. */
typedef struct framemap_section_info {
    framemap_str name; /* name of the section, borrowed from the bytes of the file, or static */
    uint64_t address;  /* address as linked; 0 in relocatable files, in which each section is queried as a scope of its
                          own */
    uint64_t size;     /* size in memory, bytes */
    bool code;         /* the section is executable */
} framemap_section_info;

/* Lists the sections that occupy memory, in the order of the file. Use it for addresses that are given as section and
 * offset.
 * bytes: the whole file, borrowed for the call. arch: the slice of a fat file; NULL: the only one. sections: room for
 * `capacity` entries; at most that many are written. *count: the number of sections; 0 for a file without any (an
 * index, a text). Errors: ARGUMENT, TRUNCATED, CORRUPT, MISMATCH (arch), LIMIT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_file_sections(framemap_str bytes, const char *arch,
                                                    framemap_section_info *sections, size_t capacity, size_t *count,
                                                    framemap_error *error);

/* An opened index. Immutable and safe to share between threads; close it once no thread uses it. Names and paths that
 * were looked up are decoded and demangled once, and kept until the index is closed. They take memory of the index's
 * allocator, within bounds that depend on the size of the index. If there is no memory to keep them, they are decoded
 * each time. */
typedef struct framemap_index framemap_index;

/* Opens an index in memory, in constant time and memory.
 * bytes: borrowed until framemap_index_close, without alignment requirements. They are not trusted: a damaged index
 * gives wrong results or none, but never a fault. allocator: copied; NULL: the C library. out: written on success;
 * close it with framemap_index_close. Errors: ARGUMENT, FORMAT, VERSION, TRUNCATED, CORRUPT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_index_open(framemap_str bytes, const framemap_allocator *allocator,
                                                 framemap_index **out, framemap_error *error);

/* Opens an index file: a file of up to 512 KB is read into memory, a larger one is mapped. If a mapped file is cut
 * short, the process ends at the next access to the lost part, unless framemap_guard_mapped_files was called
 * (<framemap/file.h>).
 * path: NUL-terminated. allocator, out: as framemap_index_open. Errors: IO and those of framemap_index_open. Any
 * thread. */
FRAMEMAP_API framemap_status framemap_index_open_file(const char *path, const framemap_allocator *allocator,
                                                      framemap_index **out, framemap_error *error);

/* Whether the mapped file of an index was changed since it was opened; if so, do not trust results obtained since then.
 * Costs one system call for a mapped file, and none otherwise. NULL: false. A session checks this itself. Any
 * thread. */
FRAMEMAP_API bool framemap_index_changed(const framemap_index *index);

/* Closes an index; everything borrowed from it becomes invalid. NULL is allowed. No other thread may use the index. */
FRAMEMAP_API void framemap_index_close(framemap_index *index);

/* Checks every checksum and every record, which reads the whole index. Errors: ARGUMENT, MEMORY, CORRUPT (with the
 * offset and the name of the section). Any thread. */
FRAMEMAP_API framemap_status framemap_index_verify(const framemap_index *index, framemap_error *error);

/* Properties of an index. Strings are borrowed from the index. */
typedef struct framemap_index_info {
    unsigned format_version;
    framemap_str kind; /* kind of the index by name, "elf", "macho", "r8"... (framemap_index_kind lists them) */
    framemap_str id;   /* build id, UUID or other id, lower-case hex */
    framemap_str arch;
    framemap_str name; /* name of the symbol file, if it was given */
    uint64_t base;     /* preferred load address of the image */
    uint64_t size_bytes;
    uint64_t scope_count, position_count, function_count, file_count, string_bytes, node_count;
    bool has_lines;       /* some position has a file and line */
    uint64_t class_count; /* number of renamed classes of a mapping; 0: not a mapping. In a mapping the other counts are
                             of methods (scopes), line ranges (positions), original members (functions) and original
                             classes (files) */
    bool is_source_map;   /* the index is of a source map: its counts are of generated lines (scopes), segments
                             (positions), names on segments (functions) and sources (files) */
    uint64_t function_range_count; /* source maps: ranges of text whose function is known */
    bool has_content;              /* source maps: the index contains the text of sources */
    framemap_index_kind kind_code; /* `kind` as a number */
    /* kind of the frames that the index restores; UNKNOWN: the index has no addresses and a kind that this version does
     * not know */
    framemap_kind family;
    unsigned queried_by; /* FRAMEMAP_QUERIED_BY_ADDRESS and others, combined by bitwise or */
} framemap_index_info;

/* Fills in the properties of an index; neither pointer may be NULL. Any thread. */
FRAMEMAP_API void framemap_index_describe(const framemap_index *index, framemap_index_info *out);

/* The style in which mangled names are demangled. */
typedef enum framemap_demangle {
    FRAMEMAP_DEMANGLE_DEFAULT = 0, /* names are printed as LLVM's tools print them */
    FRAMEMAP_DEMANGLE_NONE = 1,    /* names are not demangled */
    FRAMEMAP_DEMANGLE_LLVM = 2,
    FRAMEMAP_DEMANGLE_GNU = 3, /* names are printed as binutils prints them */
    /* names of Swift are printed in full, with modules and types, as swift-demangle prints them; all others as LLVM's
     * tools print them. The other styles print Swift as Xcode and atos do, "Store.add(item:)". */
    FRAMEMAP_DEMANGLE_FULL = 4
} framemap_demangle;

/* State that the lines of a Java stack carry to the frames below them. Zero it at the start of a stack. */
typedef struct framemap_java_state {
    framemap_str exception; /* obfuscated class of the exception line above, as printed, which the caller sets at each
                               exception; borrowed */
    bool has_outline;       /* the frame above is an R8 outline */
    int32_t outline_line;   /* the outline's line; -1: unknown */
} framemap_java_state;

/* One query to one index. Initialize it with FRAMEMAP_QUERY_INIT. */
typedef struct framemap_query {
    size_t size;
    framemap_str scope;    /* empty: the image itself. Otherwise it depends on the kind of index: the class and member
                              of a mapping, the section of an object file, "data" for the data symbols of an image, or
                              the decimal number of a bytecode function */
    uint64_t scope_number; /* for indexes with numbered scopes: the generated line of a source map, from 0, or the
                              segment of Hermes bytecode */
    uint64_t position;     /* address, line or column, depending on the kind of index; for source maps the column from
                              0, in UTF-16 units, for bytecode the address as printed */
    framemap_address_kind address_kind; /* LINKED, IMAGE or FILE for addresses; any other: position is used as it is.
                                           For an address in a process (ABSOLUTE) subtract the load address and use
                                            IMAGE */
    bool return_address; /* look up position - 1; ignored for source maps, whose frames point at the call itself */
    framemap_demangle demangle;
    /* Java and Kotlin: scope is "a.b.c" (class and member, or a class alone) and position is the line. no_position: the
     * stack has no line. */
    bool no_position;
    /* state from earlier lines of the same stack, updated by the call. NULL: each frame is independent. With NULL
     * and no_position, the query is for a name: it returns every method and field of that name, each as a chain of
     * one frame */
    framemap_java_state *java;
    framemap_str printed_file; /* the source file that the stack prints, "SourceFile", "Main.kt"; it identifies Kotlin
                                  if the symbols do not */
    uint32_t context; /* source maps: number of lines of source to return before and after each position, if the index
                         contains sources; 0: none */
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

/* Working memory of one thread for lookups. It is reused, so that a lookup usually allocates nothing. */
typedef struct framemap_scratch framemap_scratch;

/* Creates a scratch. allocator: copied; NULL: the C library. out: written on success; free it with
 * framemap_scratch_free. Errors: ARGUMENT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_scratch_create(const framemap_allocator *allocator, framemap_scratch **out,
                                                     framemap_error *error);

/* Frees the scratch and all results borrowed from it. NULL is allowed. */
FRAMEMAP_API void framemap_scratch_free(framemap_scratch *scratch);

/* Sets a ceiling on the memory of the scratch from now on; max_memory in bytes, 0: none. Results of earlier calls
 * become invalid. A call that needs more fails with MEMORY and a message that begins with "over-memory"; a name that
 * needs more is not demangled. scratch NULL: no effect. */
FRAMEMAP_API void framemap_scratch_limit(framemap_scratch *scratch, uint64_t max_memory);

/* Looks up one position of an index.
 * scratch: used by the calling thread only. out: written on success: kind, status and reason, address, restored chain,
 * alternatives and aliases. A position that is not covered is a success with status FRAMEMAP_FRAME_NO_MATCH. A result
 * has at most 16,384 frames in 4,096 chains and 2 MiB of names and paths; out->over_limit is set if there are more.
 * What out borrows is valid until the next call with the same scratch, and while the index is open. Errors: ARGUMENT
 * (also an unknown value of an enum), MEMORY, CORRUPT. Any thread, each with a scratch of its own. */
FRAMEMAP_API framemap_status framemap_resolve(const framemap_index *index, const framemap_query *query,
                                              framemap_scratch *scratch, framemap_frame *out, framemap_error *error);

/* Finds the file that would complete an answer, but was not found when the index was made: a .dwo file, an object file
 * of a Mach-O image, or a file made by dwz. query: as for framemap_resolve. answer: the result of framemap_resolve with
 * this scratch; NULL: the caller does not have it, and files of dwz are not considered. path: written on success, as
 * the symbol file states it. id: as framemap_companion_request.id; may be empty. Both are borrowed like the strings of
 * an answer. Returns false if no file is missing, or a required argument is NULL. Any thread, each with a scratch of
 * its own. */
FRAMEMAP_API bool framemap_missing_companion(const framemap_index *index, const framemap_query *query,
                                             const framemap_frame *answer, framemap_scratch *scratch,
                                             framemap_str *path, framemap_str *id);

/* The source location of one frame: the part of framemap_frame that services keep for each frame of many stacks.
 * Strings are borrowed as those of framemap_frame. */
typedef struct framemap_location {
    framemap_str function; /* name for display: demangled, in the style of the query */
    framemap_str symbol;   /* name as the symbol file spells it; empty if it equals function */
    framemap_str file;
    uint32_t line;            /* line in the file, 1-based; 0: unknown */
    uint32_t column;          /* column in the line, 1-based; 0: unknown */
    uint32_t declared_line;   /* line on which the function is declared, 1-based; 0: unknown */
    uint32_t flags;           /* bits FRAMEMAP_LOCATION_... */
    uint64_t function_offset; /* outermost frame of a chain: distance of the address from the start of the function */
} framemap_location;

/* Bits of framemap_location.flags. The numeric values never change; later versions may add some. */
enum {
    FRAMEMAP_LOCATION_INLINED = 1 << 0,    /* this function was inlined into the function of the next location */
    FRAMEMAP_LOCATION_ARTIFICIAL = 1 << 1, /* generated by the compiler */
    FRAMEMAP_LOCATION_HAS_FUNCTION_OFFSET = 1 << 2, /* function_offset is known */
    FRAMEMAP_LOCATION_SAME_NAME = 1 << 3,           /* function is the demangled symbol */
    FRAMEMAP_LOCATION_OVER_LIMIT = 1 << 4           /* outer frames are left out, as with framemap_frame.over_limit */
};

/* The inline chain at one position: locations [first, first + count) of the list, innermost first. */
typedef struct framemap_location_chain {
    /* as framemap_frame.status; with NO_MATCH the chain is empty; with AMBIGUOUS the chain is the first of several */
    framemap_frame_status status;
    uint32_t first, count;
} framemap_location_chain;

typedef struct framemap_location_list {
    const framemap_location_chain *chains; /* one for each position, in the order of the positions */
    size_t chain_count;
    const framemap_location *locations;
    size_t location_count;
} framemap_location_list;

/* Looks up many addresses of one native or Dart index, several times as fast as one by one, since memory accesses of
 * different lookups overlap. The results are those of framemap_resolve without aliases, alternatives, class names and
 * declaring files.
 * query: as for framemap_resolve; its position is ignored. positions: `count` of them, in any order; batches of some
 * hundreds to some thousands are fastest, and a single one still takes less time than framemap_resolve. out: written on
 * success; it and its strings are valid until the next call with the same scratch, and while the index is open.
 * Errors: ARGUMENT, UNSUPPORTED (an index of a mapping or a source map), LIMIT (more than 2^20 positions), MEMORY,
 * CORRUPT. Any thread, each with a scratch of its own. */
FRAMEMAP_API framemap_status framemap_index_lookup_many(const framemap_index *index, const framemap_query *query,
                                                        const uint64_t *positions, size_t count,
                                                        framemap_scratch *scratch, framemap_location_list *out,
                                                        framemap_error *error);

/* Demangles a symbol in the given style. If the symbol is not mangled, or the style is unknown, returns the symbol
 * itself. Time, stack and memory are bounded for any input. The result is borrowed from `symbol`, or from `scratch`
 * until the next call with it. scratch: the calling thread's scratch; NULL: returns the symbol. */
FRAMEMAP_API framemap_str framemap_demangle_name(framemap_scratch *scratch, framemap_str symbol,
                                                 framemap_demangle style);

/* Receives output. data is borrowed for the call. Return false to stop; the call that writes then fails with
 * FRAMEMAP_E_IO. */
typedef bool (*framemap_write)(void *context, const char *data, size_t size);

/* Names and paths come from symbol files and may contain anything, such as a line end that makes one line look like
 * two, or an escape character that a terminal interprets. Frames contain them unchanged. All text that this library
 * writes shows control characters as \n, \r, \t, \x1b, \u009b: those of ASCII and Latin-1, the line ends U+2028 and
 * U+2029, and U+202A to U+202E and U+2066 to U+2069, which change the direction of text. A backslash is not escaped.
 * The two calls below do this for programs that print frames themselves. */

/* Returns the number of bytes at the start of a text that need no escape; text.size if no byte does. Any thread. */
FRAMEMAP_API size_t framemap_plain_size(framemap_str text);

/* Writes a text with its control characters escaped, in one or more calls of write. Returns false if write did. Any
 * thread. */
FRAMEMAP_API bool framemap_write_escaped(framemap_str text, framemap_write write, void *context);

/* Writes a whole index as text.
 * format: "text" (for reading); "jsonl" (one JSON object for each position; for a mapping, one for each class, field
 * and line range; for a source map, one for each source, segment and start of a function); or "kv" (one line for each
 * value of framemap_index_split: key, TAB, and in base64 the bytes, which are a small index of their own). At most
 * 4,096 bytes are written for each byte of the index; more is an error, LIMIT. Errors: ARGUMENT (also an unknown
 * format), CORRUPT, IO (write refused), LIMIT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_index_dump(const framemap_index *index, const char *format, framemap_write write,
                                                 void *context, framemap_error *error);

/* A mapper: a reader of one kind of symbol file. Static memory. */
typedef struct framemap_mapper_info {
    const char *name;    /* name for framemap_build_options.mapper: "dwarf" */
    const char *summary; /* says in one line which files the mapper reads */
} framemap_mapper_info;

/* Returns the mappers of this build, in the order in which they are tried; *count is their number. Static memory. Any
 * thread.
 */
FRAMEMAP_API const framemap_mapper_info *const *framemap_mapper_list(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
