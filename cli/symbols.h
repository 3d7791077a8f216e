/* Opens symbol files by path, once each, through a session. Used by lookup, dump, info and the fronts. */
#ifndef FM_CLI_SYMBOLS_H
#define FM_CLI_SYMBOLS_H

#include <framemap/framemap.h>

struct fm_cli_symbols {
    framemap_session *session;
    framemap_scratch *scratch;
    uint64_t max_memory;   /* value of --max-memory, for messages; 0: no limit */
    framemap_index *alone; /* opened by fm_cli_symbols_alone; NULL: none */
    bool changed;          /* a changed file was reported by fm_cli_symbols_changed */
    struct fm_cli_symbols_opened {
        const framemap_index *index;
        char *path;    /* path as given by the caller */
        bool reported; /* it was reported that the file was changed */
    } *opened;         /* array with one element for each index */
    size_t opened_count;
    char *lacking[32]; /* the files that fm_cli_symbols_incomplete reported, at most 32 */
    size_t lacking_count;
};

/* Opens a session for commands. cache, keep_sources: see framemap_session_options.cache_path and keep_sources. */
framemap_status fm_cli_symbols_open(struct fm_cli_symbols *symbols, const char *cache, bool keep_sources,
                                    framemap_error *error);
/* Opens symbol files as fm_cli_symbols_open does, with all options of the session; size and threads are set here. */
framemap_status fm_cli_symbols_open_with(struct fm_cli_symbols *symbols, framemap_session_options options,
                                         framemap_error *error);
/* Opens an index file alone, without a session. Returns false, with nothing opened, if the name and contents of the
 * file are not those of an index. Also returns false if the index has no lines: a session may then find other files of
 * the build that give better answers. */
bool fm_cli_symbols_alone(struct fm_cli_symbols *symbols, const char *path, const framemap_index **out);
void fm_cli_symbols_close(struct fm_cli_symbols *symbols);

/* Returns the index of a symbol file, an index file or a dSYM bundle, or of a better file of the same build if one is
 * known. arch NULL: the file has a single architecture. Valid until fm_cli_symbols_close. Errors: those of
 * framemap_session_index. */
framemap_status fm_cli_symbols_file(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                    const framemap_index **out, framemap_error *error);
/* Returns the index of a file as fm_cli_symbols_file does, compiled for the given addresses only (positions, as in
 * framemap_image_query; NULL: for all). */
framemap_status fm_cli_symbols_some(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                    const uint64_t *positions, size_t count, const framemap_index **out,
                                    framemap_error *error);
/* Does what fm_cli_symbols_some does, but never returns the index of a better file of the same build. */
framemap_status fm_cli_symbols_exact_some(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                          const uint64_t *positions, size_t count, const framemap_index **out,
                                          framemap_error *error);
/* Does what fm_cli_symbols_file does, but never returns the index of a better file of the same build. */
framemap_status fm_cli_symbols_exact(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                     const framemap_index **out, framemap_error *error);

/* Reason reported for an answer that was discarded because its file was changed. */
extern const char fm_changed_while_read[];
/* Whether the file of this index was changed while it was read, so that its answers must be discarded. To be called
 * after each answer; costs a system call if the file is mapped. The change is reported once, with the path. */
bool fm_cli_symbols_changed(struct fm_cli_symbols *symbols, const framemap_index *index);

/* Reports files that would complete an answer but were not found: parts of the debug info. Each is reported once,
 * with its path and id. Call it after framemap_resolve with the same arguments, or, after
 * framemap_index_lookup_many, with answer NULL for each chain with the status SYMBOL. */
void fm_cli_symbols_incomplete(struct fm_cli_symbols *symbols, const framemap_index *index, const framemap_query *query,
                               const framemap_frame *answer, framemap_scratch *scratch);

/* Does what fm_cli_symbols_changed does, for all indexes opened so far: whether the file of any of them was changed.
 * All indexes must still be held. */
bool fm_cli_symbols_any_changed(struct fm_cli_symbols *symbols);

/* A framemap_warning callback without a context. Reports files that are not used because they belong to another build,
 * and directories without symbol files; ignores other warnings. */
void fm_cli_symbols_warn(void *context, const framemap_error *warning);

/* Finds the separate debug file of an image without debug info. Returns its path, owned by the caller, or NULL with the
 * reason in error (code OK: the image has debug info itself, or its kind never has any). Warns of files of another
 * build. */
char *fm_debug_file_of(const char *path, const char *arch, framemap_error *error);

/* Whether the debug info of an image is in the object files that it names. */
bool fm_cli_has_debug_map(const char *path, const char *arch);

/* The values of --range-mappings. fm_parse_ranges returns false for any other value. */
#define FM_RANGE_BASES "1|0|off"
bool fm_parse_ranges(const char *value, framemap_range_mappings *out);

/* Returns FORMAT for an index without addresses, which was made from a mapping or a source map. For fronts whose tools
 * look up addresses in programs. */
framemap_status fm_cli_symbols_of_program(const framemap_index *index, framemap_error *error);

/* Reports why a file could not be opened, with a hint; returns FM_EXIT_FAILED. */
int fm_cli_symbols_complain(const char *path, const char *arch, framemap_status status, const framemap_error *error);

/* Sections of a symbol file, to resolve addresses within a section. */
struct fm_sections {
    framemap_section_info *rows;
    size_t count;
    void *file;
    bool relocatable; /* the file is an object file: the addresses of each section start at 0 */
};
framemap_status fm_sections_read(const char *path, const char *arch, struct fm_sections *out, framemap_error *error);
void fm_sections_free(struct fm_sections *sections);
/* Returns the first section with this name, or NULL. The name may be "SEGMENT,SECTION" (Mach-O) or, in an object
 * file, "SECTION@NUMBER". */
const framemap_section_info *fm_sections_named(const struct fm_sections *sections, framemap_str name);

#endif
