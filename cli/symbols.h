/* Symbol files by path, opened once and asked many times. */
#ifndef FM_CLI_SYMBOLS_H
#define FM_CLI_SYMBOLS_H

#include <framemap/framemap.h>

struct fm_cli_symbols {
    framemap_session *session;
    framemap_scratch *scratch;
    bool changed; /* fm_cli_symbols_changed has found a file that was */
    struct fm_cli_symbols_opened {
        const framemap_index *index;
        char *path; /* as it was asked for */
        bool told;  /* that it was changed */
    } *opened;      /* one for each index */
    size_t opened_count;
};

/* cache, keep_sources: as in framemap_session_options. */
framemap_status fm_cli_symbols_open(struct fm_cli_symbols *symbols, const char *cache, bool keep_sources,
                                    framemap_error *error);
/* size and threads are set here. */
framemap_status fm_cli_symbols_open_with(struct fm_cli_symbols *symbols, framemap_session_options options,
                                         framemap_error *error);
void fm_cli_symbols_close(struct fm_cli_symbols *symbols);

/* The index of a symbol file, an index file or a dSYM bundle, or of a better file of the same build that is known; arch
 * NULL: the only one. Held until fm_cli_symbols_close. Errors: as framemap_session_index. */
framemap_status fm_cli_symbols_file(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                    const framemap_index **out, framemap_error *error);
/* The same for some addresses alone, as framemap_image_query has them; NULL: all. */
framemap_status fm_cli_symbols_some(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                    const uint64_t *positions, size_t count, const framemap_index **out,
                                    framemap_error *error);
framemap_status fm_cli_symbols_exact_some(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                          const uint64_t *positions, size_t count, const framemap_index **out,
                                          framemap_error *error);
/* The same, of that very file. */
framemap_status fm_cli_symbols_exact(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                     const framemap_index **out, framemap_error *error);

/* The word and the reason for an answer that is given up because its file was changed. */
extern const char fm_changed_while_read[];
/* Whether the file of an index of these was changed while it was read, so that what the index answers is to be given
 * up: to be asked after each answer. Says so once, with the path. A system call where the file is mapped. */
bool fm_cli_symbols_changed(struct fm_cli_symbols *symbols, const framemap_index *index);

/* Whether that is so of any of them; none was released before. */
bool fm_cli_symbols_any_changed(struct fm_cli_symbols *symbols);

/* A framemap_warning without a context: prints what says that a file that was found is of another build, and so is
 * not used, or that a folder has no symbol file. */
void fm_cli_symbols_warn(void *context, const framemap_error *warning);

/* Finds the file that has the debug info of an image which has none itself: owned by the caller. NULL: there is none,
 * and why in error (code OK: the image has debug info itself, or is of a kind that has none). Files that are of another
 * build are warned of. */
char *fm_debug_file_of(const char *path, const char *arch, framemap_error *error);

/* The words of --range-mappings, and the value of one; false: it is none of them. */
#define FM_RANGE_BASES "1|0|off"
bool fm_parse_ranges(const char *value, framemap_range_mappings *out);

/* Says why a file could not be opened, and what to do; returns FM_EXIT_FAILED. */
int fm_cli_symbols_complain(const char *path, const char *arch, framemap_status status, const framemap_error *error);

/* The one file with debug info inside a dSYM bundle, owned by the caller; NULL: the path is none. */
char *fm_bundle_file(const char *path);

/* Sections of a symbol file, for addresses within one. */
struct fm_sections {
    framemap_section_info *rows;
    size_t count;
    void *file;
    bool relocatable; /* of an object file: addresses start at 0 in each section */
};
framemap_status fm_sections_read(const char *path, const char *arch, struct fm_sections *out, framemap_error *error);
void fm_sections_free(struct fm_sections *sections);
/* The first section of that name, NULL: none. The name can have its segment before it (Mach-O), or, in an object file,
 * its number after it. */
const framemap_section_info *fm_sections_named(const struct fm_sections *sections, framemap_str name);

#endif
