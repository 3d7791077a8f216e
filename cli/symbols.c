/* Implements symbols.h: opens an index for a path and an architecture through a session of the library, which finds and
 * caches indexes. Remembers the path of each index. Explains errors, such as a file of another architecture, with a
 * hint. */
#include "cli/symbols.h"

#include "cli/cli.h"
#include "cli/cli_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

framemap_status fm_cli_symbols_open(struct fm_cli_symbols *symbols, const char *cache, bool keep_sources,
                                    framemap_error *error)
{
    return fm_cli_symbols_open_with(
        symbols, (framemap_session_options){.cache_path = cache, .keep_sources = keep_sources}, error);
}

framemap_status fm_cli_symbols_open_with(struct fm_cli_symbols *symbols, framemap_session_options options,
                                         framemap_error *error)
{
    framemap_status status;
    const uint64_t own = fm_own_memory(options.max_memory);

    options.size = sizeof options;
    options.threads = fm_processors();
    options.max_memory -= own;
    *symbols = (struct fm_cli_symbols){.max_memory = options.max_memory + own};
    status = framemap_session_open(&options, &symbols->session, error);
    if (!status) status = framemap_scratch_create(NULL, &symbols->scratch, error);
    framemap_scratch_limit(symbols->scratch, own);
    fm_state_max_memory(status ? error : NULL, symbols->max_memory);
    if (status) fm_cli_symbols_close(symbols);
    return status;
}

void fm_cli_symbols_close(struct fm_cli_symbols *symbols)
{
    framemap_index_close(symbols->alone);
    framemap_scratch_free(symbols->scratch);
    if (symbols->session) framemap_session_close(symbols->session);
    for (size_t i = 0; i < symbols->opened_count; i++) free(symbols->opened[i].path);
    for (size_t i = 0; i < symbols->lacking_count; i++) free(symbols->lacking[i]);
    free(symbols->opened);
    *symbols = (struct fm_cli_symbols){0};
}

bool fm_parse_ranges(const char *value, framemap_range_mappings *out)
{
    static const char *const spelled[] = {
        [FRAMEMAP_RANGES_FROM_0] = "0", [FRAMEMAP_RANGES_FROM_1] = "1", [FRAMEMAP_RANGES_OFF] = "off"};
    for (unsigned i = FRAMEMAP_RANGES_FROM_0; i <= FRAMEMAP_RANGES_OFF; i++)
        if (strcmp(value, spelled[i]) == 0) {
            *out = (framemap_range_mappings)i;
            return true;
        }
    return false;
}

static struct fm_cli_symbols_opened *opened_of(const struct fm_cli_symbols *symbols, const framemap_index *index)
{
    for (size_t i = 0; i < symbols->opened_count; i++)
        if (symbols->opened[i].index == index) return &symbols->opened[i];
    return NULL;
}

/* Records the path of an index. The index may be recorded already: it can be opened again, or a released index can have
 * had the same address. */
static void note_opened(struct fm_cli_symbols *symbols, const framemap_index *index, const char *path)
{
    struct fm_cli_symbols_opened *opened = opened_of(symbols, index);
    if (opened && strcmp(opened->path, path) == 0) return;
    if (!opened) {
        symbols->opened = fm_cli_resize(symbols->opened, (symbols->opened_count + 1) * sizeof *symbols->opened);
        opened = &symbols->opened[symbols->opened_count++];
        opened->path = NULL;
    }
    free(opened->path);
    *opened = (struct fm_cli_symbols_opened){.index = index, .path = fm_cli_copy(path, strlen(path))};
}

const char fm_changed_while_read[] = "changed-while-read: the file was changed while it was read, so it is not used";

bool fm_cli_symbols_changed(struct fm_cli_symbols *symbols, const framemap_index *index)
{
    if (!framemap_index_changed(index)) return false;
    struct fm_cli_symbols_opened *opened = opened_of(symbols, index);
    symbols->changed = true;
    if (opened && !opened->reported) fm_message("%s: %s", opened->path, fm_changed_while_read);
    if (opened) opened->reported = true;
    return true;
}

void fm_cli_symbols_incomplete(struct fm_cli_symbols *symbols, const framemap_index *index, const framemap_query *query,
                               const framemap_frame *answer, framemap_scratch *scratch)
{
    const struct fm_cli_symbols_opened *opened = opened_of(symbols, index);
    framemap_str path, id;

    if (answer && (!answer->reason || answer->status != FRAMEMAP_FRAME_SYMBOL)) return;
    if (symbols->lacking_count == sizeof symbols->lacking / sizeof *symbols->lacking) return;
    if (!framemap_missing_companion(index, query, answer, scratch, &path, &id)) return;
    for (size_t i = 0; i < symbols->lacking_count; i++)
        if (strlen(symbols->lacking[i]) == path.size && memcmp(symbols->lacking[i], path.data, path.size) == 0) return;
    symbols->lacking[symbols->lacking_count++] = fm_cli_copy(path.data, path.size);
    fm_message("%s: a part of its debug info was not found: %.*s%s%.*s%s", opened ? opened->path : "the symbol file",
               (int)path.size, path.data, id.size ? " (id " : "", (int)id.size, id.size ? id.data : "",
               id.size ? ")" : "");
}

bool fm_cli_symbols_alone(struct fm_cli_symbols *symbols, const char *path, const framemap_index **out)
{
    static const char ending[] = ".fmx";
    const size_t size = strlen(path);
    framemap_index_info info;

    *symbols = (struct fm_cli_symbols){0};
    if (size < sizeof ending || strcmp(path + size - (sizeof ending - 1), ending) != 0) return false;
    if (framemap_index_open_file(path, NULL, &symbols->alone, NULL) != FRAMEMAP_OK) return false;
    framemap_index_describe(symbols->alone, &info);
    if (!info.has_lines || framemap_scratch_create(NULL, &symbols->scratch, NULL) != FRAMEMAP_OK) {
        fm_cli_symbols_close(symbols);
        return false;
    }
    note_opened(symbols, symbols->alone, path);
    *out = symbols->alone;
    return true;
}

bool fm_cli_symbols_any_changed(struct fm_cli_symbols *symbols)
{
    bool any = false;
    for (size_t i = 0; i < symbols->opened_count; i++)
        if (fm_cli_symbols_changed(symbols, symbols->opened[i].index)) any = true;
    return any;
}

static framemap_status find_index(struct fm_cli_symbols *symbols, const char *path, framemap_image_query want,
                                  const framemap_index **out, framemap_error *error)
{
    char *bundled = fm_bundle_file(path);
    want.path = framemap_str_of(bundled ? bundled : path);
    framemap_status status = framemap_session_index(symbols->session, &want, out, error);
    free(bundled);
    fm_state_max_memory(status == FRAMEMAP_OK ? NULL : error, symbols->max_memory);
    if (status == FRAMEMAP_OK) note_opened(symbols, *out, path);
    return status;
}

framemap_status fm_cli_symbols_file(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                    const framemap_index **out, framemap_error *error)
{
    return find_index(symbols, path, (framemap_image_query){.arch = framemap_str_of(arch)}, out, error);
}

framemap_status fm_cli_symbols_exact(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                     const framemap_index **out, framemap_error *error)
{
    return find_index(symbols, path, (framemap_image_query){.arch = framemap_str_of(arch), .exact = true}, out, error);
}

framemap_status fm_cli_symbols_some(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                    const uint64_t *positions, size_t count, const framemap_index **out,
                                    framemap_error *error)
{
    const framemap_image_query want = {.arch = framemap_str_of(arch), .positions = positions, .position_count = count};
    return find_index(symbols, path, want, out, error);
}

framemap_status fm_cli_symbols_exact_some(struct fm_cli_symbols *symbols, const char *path, const char *arch,
                                          const uint64_t *positions, size_t count, const framemap_index **out,
                                          framemap_error *error)
{
    const framemap_image_query want = {
        .arch = framemap_str_of(arch), .exact = true, .positions = positions, .position_count = count};
    return find_index(symbols, path, want, out, error);
}

void fm_cli_symbols_warn(void *context, const framemap_error *warning)
{
    (void)context;
    if (warning->code == FRAMEMAP_E_MISMATCH || warning->code == FRAMEMAP_E_EMPTY) fm_message_error(NULL, warning);
}

/* Whether a file has an image of this architecture for which `is_one` returns true. */
static bool has_image(const char *path, const char *arch, bool (*is_one)(const framemap_image_info *image))
{
    framemap_image_info images[8];
    struct fm_file file;
    size_t count = 0;
    bool found = false;

    if (fm_symbol_file_open_beside(path, 0, &file, NULL)) return false;
    if (framemap_file_inspect(file.bytes, framemap_str_of(path), images, 8, &count, NULL)) count = 0;
    for (size_t i = 0; i < count && i < 8; i++)
        if ((!arch || strcmp(arch, images[i].arch) == 0) && is_one(&images[i])) found = true;
    fm_file_close(&file);
    return found;
}

static bool lacks_debug_info(const framemap_image_info *image)
{
    return !image->is_index && !image->has_debug_info &&
           (image->index_kind == FRAMEMAP_INDEX_ELF || image->index_kind == FRAMEMAP_INDEX_MACHO);
}

static bool has_go_table(const framemap_image_info *image) { return image->has_go_table; }

static bool has_debug_map(const framemap_image_info *image) { return image->has_debug_map; }

bool fm_cli_has_debug_map(const char *path, const char *arch) { return has_image(path, arch, has_debug_map); }

char *fm_debug_file_of(const char *path, const char *arch, framemap_error *error)
{
    const framemap_image_query want = {.path = framemap_str_of(path), .arch = framemap_str_of(arch)};
    struct fm_cli_symbols symbols;
    framemap_str found = {0};
    char *out = NULL;

    *error = (framemap_error){.code = FRAMEMAP_OK};
    if (strcmp(path, "-") == 0 || !has_image(path, arch, lacks_debug_info)) return NULL;
    if (fm_cli_symbols_open_with(&symbols, (framemap_session_options){.cache_path = "", .warning = fm_cli_symbols_warn},
                                 error))
        return NULL;
    if (framemap_session_debug_file(symbols.session, &want, &found, error) == FRAMEMAP_OK)
        out = fm_cli_copy(found.data, found.size);
    fm_cli_symbols_close(&symbols);
    /* A program of Go has files and lines without a debug file. */
    if (error->code == FRAMEMAP_E_EMPTY && has_image(path, arch, has_go_table)) error->code = FRAMEMAP_OK;
    return out;
}

framemap_status fm_cli_symbols_of_program(const framemap_index *index, framemap_error *error)
{
    framemap_index_info info;
    framemap_index_describe(index, &info);
    if (info.queried_by & FRAMEMAP_QUERIED_BY_ADDRESS) return FRAMEMAP_OK;
    *error = (framemap_error){.code = FRAMEMAP_E_FORMAT};
    snprintf(error->message, sizeof error->message,
             "it is of the kind %.*s, which has no addresses: give a program, its debug file or its dSYM",
             (int)info.kind.size, info.kind.data);
    return FRAMEMAP_E_FORMAT;
}

static bool is_archive(const char *path)
{
    static const char *const magics[] = {"PK\3\4", "!<arch>\n"};
    struct fm_file file;
    bool is_one = false;
    if (fm_file_open_beside(path, &file, NULL)) return false;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        const size_t size = strlen(magics[i]);
        if (file.bytes.size >= size && memcmp(file.bytes.data, magics[i], size) == 0) is_one = true;
    }
    fm_file_close(&file);
    return is_one;
}

int fm_cli_symbols_complain(const char *path, const char *arch, framemap_status status, const framemap_error *error)
{
    struct stat about;
    const bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    fm_message_error(path, error);
    if (status == FRAMEMAP_E_MISMATCH && is_folder)
        fm_message("%sname a file in this folder", arch ? "" : "choose one with --arch, or ");
    else if (status == FRAMEMAP_E_MISMATCH)
        fm_message("%s --arch%s; 'framemap info %s' lists its images", arch ? "use another" : "choose one with",
                   is_archive(path) ? ", or name a file in it, ARCHIVE!FILE" : "", path);
    return FM_EXIT_FAILED;
}

/* Whether the file is an object file. That a section starts at address 0 would not prove it: firmware, and libraries
 * without a section table, have code at address 0 too. */
static bool is_relocatable(const struct fm_file *file, const char *path, const char *arch)
{
    framemap_image_info images[8]; /* room for all architectures that an object file may have */
    size_t count = 0;

    if (framemap_file_inspect(file->bytes, framemap_str_of(path), images, 8, &count, NULL)) return false;
    for (size_t i = 0; i < count && i < 8; i++) {
        if (count > 1 && arch && strcmp(arch, images[i].arch) != 0) continue;
        if (images[i].index_kind != FRAMEMAP_INDEX_ELF)
            /* in object files of other formats (Mach-O), unlike in those of ELF, each section has an address of its
             * own */
            return false;
        return strcmp(images[i].type, "object") == 0 || strcmp(images[i].type, "kernel module") == 0;
    }
    return false;
}

framemap_status fm_sections_read(const char *path, const char *arch, struct fm_sections *out, framemap_error *error)
{
    struct fm_file *file = fm_cli_resize(NULL, sizeof *file);
    framemap_status status;

    *out = (struct fm_sections){0};
    status = fm_symbol_file_open(path, 0, file, error);
    if (status) {
        free(file);
        return status;
    }
    out->file = file;
    out->relocatable = is_relocatable(file, path, arch);
    status = framemap_file_sections(file->bytes, arch, NULL, 0, &out->count, error);
    if (!status && out->count) {
        out->rows = fm_cli_resize(NULL, out->count * sizeof *out->rows);
        status = framemap_file_sections(file->bytes, arch, out->rows, out->count, &out->count, error);
    }
    if (status) fm_sections_free(out);
    return status;
}

void fm_sections_free(struct fm_sections *sections)
{
    if (sections->file) fm_file_close(sections->file);
    free(sections->file);
    free(sections->rows);
    *sections = (struct fm_sections){0};
}

static const framemap_section_info *section_named(const struct fm_sections *sections, framemap_str name)
{
    for (size_t i = 0; i < sections->count; i++) {
        framemap_str other = sections->rows[i].name;
        if (other.size == name.size && memcmp(other.data, name.data, name.size) == 0) return &sections->rows[i];
    }
    return NULL;
}

/* Turns ".text@7" into ".text": the number selects one of several sections with the same name. */
static framemap_str without_number(framemap_str name)
{
    size_t end = name.size;
    while (end > 0 && name.data[end - 1] >= '0' && name.data[end - 1] <= '9') end--;
    const bool numbered = end > 1 && end < name.size && name.data[end - 1] == '@';
    return (framemap_str){name.data, numbered ? end - 1 : name.size};
}

/* Turns "__TEXT,__text", as Apple's tools print it, into "__text". */
static framemap_str without_segment(framemap_str name)
{
    const char *comma = name.size ? memchr(name.data, ',', name.size) : NULL;
    const size_t skip = comma ? (size_t)(comma - name.data) + 1 : 0;
    return (framemap_str){name.data + skip, name.size - skip};
}

const framemap_section_info *fm_sections_named(const struct fm_sections *sections, framemap_str name)
{
    const framemap_section_info *found = section_named(sections, name);
    if (!found && sections->relocatable) found = section_named(sections, without_number(name));
    if (!found && !sections->relocatable) found = section_named(sections, without_segment(name));
    return found;
}
