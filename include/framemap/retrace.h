/* Java and Kotlin: does what R8's retrace does. It takes obfuscated text and writes restored text, line by line, as the
 * tool prints it.
 *
 *     framemap_retracer *retracer = NULL;
 *     framemap_retrace_options options = {.size = sizeof options};
 *
 *     if (framemap_retracer_create(index, &options, &retracer, &error) == FRAMEMAP_OK)
 *         framemap_retracer_text(retracer, text, write, context, &error);
 *     framemap_retracer_free(retracer);
 *
 * The index is of a mapping.txt (framemap_index_build, kind "r8"). With an index made by the mapper "proguard" the
 * output is that of ProGuard's retrace.
 *
 * To look up a name without a frame, use framemap_resolve with framemap_query.scope: a class "a.b", a type "a.b[]" or a
 * member "a.b.c". A member gives every candidate in the order of retrace's output, one frame each, with class_name,
 * function, and the signature in symbol. */
#ifndef FRAMEMAP_RETRACE_H
#define FRAMEMAP_RETRACE_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the index that has a renamed class, or NULL if there is none. It is for mappings whose classes are values of
 * a key-value store (framemap_index_split; field "class:a.b.c"). class_name: as the stack prints it, without loader and
 * module. The index must stay open as long as the retracer lives. */
typedef const framemap_index *(*framemap_class_finder)(void *context, framemap_str class_name);

/* Options of framemap_retracer_create. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_retrace_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    const char *expression; /* regular expression with retrace's placeholders (%c %C %m %s %l %S %t %f %a); NULL: the
                               tool's default */
    bool verbose;           /* print methods with return type and arguments, and fields with their type */
    framemap_class_finder find; /* called for every class, instead of using the index; NULL: none */
    void *find_context;         /* passed to find */
    framemap_warning warning;   /* called for lines that could not be restored as the mapping requires; NULL: none */
    void *context;              /* passed to warning */
    /* Ceiling on the memory of the retracer itself, bytes; 0: none. It covers neither the index, which
     * framemap_build_options.max_memory bounds, nor the indexes that `find` opens. A line that exceeds it passes
     * through unchanged, with a warning that begins with "over-memory". */
    uint64_t max_memory;
} framemap_retrace_options;

/* A retracer. It belongs to one thread at a time. */
typedef struct framemap_retracer framemap_retracer;

/* Creates a retracer.
 * index: borrowed until framemap_retracer_free; NULL only with options->find. options: NULL for the defaults. out:
 * written on success. Errors: ARGUMENT (also an invalid expression, with the reason, and an index of another kind),
 * LIMIT (an expression of more than 64 KiB or 32 placeholders), MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_retracer_create(const framemap_index *index,
                                                      const framemap_retrace_options *options, framemap_retracer **out,
                                                      framemap_error *error);

/* Frees a retracer. NULL is allowed. */
FRAMEMAP_API void framemap_retracer_free(framemap_retracer *retracer);

/* Restores whole lines, which end with LF, CR LF or CR; in the output each ends with LF. Bytes that are not UTF-8 pass
 * through, as do lines of more than 16 MB. State from earlier lines (an exception, an outline) is kept between calls,
 * so a long text may be given in parts that end at line ends. text: borrowed for the call. write: receives the output
 * in pieces, with `context`. Errors: ARGUMENT, IO (write refused), MEMORY, CORRUPT, LIMIT (matching the expression
 * takes too many steps, or the alternatives of one line exceed 1 GiB). */
FRAMEMAP_API framemap_status framemap_retracer_text(framemap_retracer *retracer, framemap_str text,
                                                    framemap_write write, void *context, framemap_error *error);

/* Clears the state from earlier lines, to start an independent text. NULL is allowed. */
FRAMEMAP_API void framemap_retracer_reset(framemap_retracer *retracer);

/* Compares the hash in the header of a mapping ("# pg_map_hash: SHA-256 ...") with the text after it; OK if they are
 * equal. mapping: the whole file, borrowed for the call. Errors: ARGUMENT, EMPTY (the header has no hash), MISMATCH,
 * UNSUPPORTED (another algorithm). Any thread. */
FRAMEMAP_API framemap_status framemap_mapping_check_hash(framemap_str mapping, framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
