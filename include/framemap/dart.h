/* Dart and Flutter: does what `decode translate` and `flutter symbolize` do. It takes text and writes text, line by
 * line, as those tools print it.
 *
 *     framemap_dart_decoder *decoder = NULL;
 *     framemap_dart_options options = {.size = sizeof options, .internal_frames = true};
 *
 *     if (framemap_dart_decoder_create(index, &options, &decoder, &error) == FRAMEMAP_OK)
 *         framemap_dart_decoder_text(decoder, text, write, context, &error);
 *     framemap_dart_decoder_free(decoder);
 *
 * The index is of a program compiled ahead of time, or of the file with its split debug info (framemap_index_build,
 * kind "dart"). */
#ifndef FRAMEMAP_DART_H
#define FRAMEMAP_DART_H

#include <framemap/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the index of a loading unit (a deferred component; unit 1 is the program itself), or NULL if there is none.
 * build_id: lower-case hex; arch: "arm64", "x86_64"; either is absent if the trace does not have it. The index must
 * stay open as long as the decoder lives. */
typedef const framemap_index *(*framemap_dart_unit_finder)(void *context, uint64_t unit, framemap_str build_id,
                                                           framemap_str arch);

/* Options of framemap_dart_decoder_create. Zero the struct, set size to sizeof, then set what differs from the
 * defaults.
 */
typedef struct framemap_dart_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    bool internal_frames; /* also print frames that the compiler generated, as `flutter symbolize` and `decode translate
                             --verbose` do */
    bool any_build; /* also decode traces of other builds than the index's, as Dart's tools do. false: the lines of such
                       traces are left unchanged, with a warning */
    framemap_dart_unit_finder find_unit; /* finds the loading units; NULL: there is only the program itself, unit 1 */
    void *find_context;                  /* passed to find_unit */
    framemap_warning
        warning;   /* called once for each build that a trace names and that is not the index's; NULL: none */
    void *context; /* passed to warning */
    const framemap_index
        *names; /* index of an obfuscation map (--save-obfuscation-map), borrowed until free: obfuscated names in frames
                   and in exceptions are replaced by the original ones, which Dart's own tools do not do. NULL: none */
    /* Ceiling on the memory of the decoder itself, bytes; 0: none. It does not cover the indexes, which a session or
     * framemap_build_options.max_memory bounds. A line that exceeds it passes through unchanged, with a warning that
     * begins with "over-memory". */
    uint64_t max_memory;
} framemap_dart_options;

/* A decoder. It belongs to one thread at a time. */
typedef struct framemap_dart_decoder framemap_dart_decoder;

/* Creates a decoder. index: the program's index, borrowed until framemap_dart_decoder_free; may be NULL if
 * options->find_unit is set, which is then also called for the program itself, unit 1. out: written on success. Errors:
 * ARGUMENT (also an index of another kind), MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_dart_decoder_create(const framemap_index *index,
                                                          const framemap_dart_options *options,
                                                          framemap_dart_decoder **out, framemap_error *error);

/* Frees a decoder. NULL is allowed. */
FRAMEMAP_API void framemap_dart_decoder_free(framemap_dart_decoder *decoder);

/* Decodes whole lines, which end with LF, CR LF or CR; in the output each ends with LF. State from earlier lines (the
 * header of a trace) is kept between calls, so a long text may be given in parts that end at line ends.
 * text: borrowed for the call. write: receives the output, with `context`. Errors: ARGUMENT, IO (write refused),
 * MEMORY.
 */
FRAMEMAP_API framemap_status framemap_dart_decoder_text(framemap_dart_decoder *decoder, framemap_str text,
                                                        framemap_write write, void *context, framemap_error *error);

/* Writes parsed traces as Dart's VM prints them: a header, and numbered frames with the addresses of calls. It writes
 * only frames that are in a Dart program whose symbols the session has. Such frames come from Dart traces, from
 * profilers, and from native stacks in which they have a load address or are relative to their image. Frames are
 * numbered anew; a trace without such frames is left out.
 * dropped: set to the number of frames that are not in such a program; may be NULL. Errors: ARGUMENT, IO (write
 * refused), MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_session_write_dart(framemap_session *session, const framemap_trace_list *list,
                                                         framemap_write write, void *context, uint64_t *dropped,
                                                         framemap_error *error);

/* The instruction sections of a Dart program, whose start addresses stack frames are relative to. Addresses are as
 * linked. */
typedef struct framemap_dart_texts {
    /* symbol of the section with the app's code: "_kDartSnapshotText" or "_kDartIsolateSnapshotInstructions"; borrowed
     * from the index */
    framemap_str symbol;
    uint64_t text, text_end; /* start of the section with that symbol, and the first address after it */
    uint64_t vm_text;        /* start of "_kDartVmSnapshotInstructions", which programs up to Dart 3.12 have */
    bool has_vm_text;
} framemap_dart_texts;

/* Describes the instruction sections of an index's program. Returns false if the index is not of a Dart program or has
 * no symbol for its instructions. Any thread. */
FRAMEMAP_API bool framemap_dart_texts_of(const framemap_index *index, framemap_dart_texts *out);

/* Writes what `decode dump` of package:native_stack_traces prints of a file: headers, segments, sections,
 * abbreviations, debugging entries and line numbers. It reads ELF and Mach-O files, thin or fat, with debug info of
 * Dart's compiler. bytes: the whole file, borrowed for the call. arch: the slice of a fat file ("arm64"), which is
 * dumped as if it were the file; NULL: none is selected. allocator: NULL: the C library. Nothing is written unless the
 * whole file can be read. Errors: EMPTY (no debug info), VERSION (debug info that is not DWARF 2), FORMAT, TRUNCATED,
 * CORRUPT, MISMATCH, LIMIT (more than a thousand bytes of output for each byte of input), IO (write refused), MEMORY.
 * Any thread. */
FRAMEMAP_API framemap_status framemap_dart_dump(framemap_str bytes, const char *arch,
                                                const framemap_allocator *allocator, framemap_write write,
                                                void *context, framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
