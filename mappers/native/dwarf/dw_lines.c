/* Reads the headers of line number programs, and reports their files. See dw_lines.h. */
#include "mappers/native/dwarf/dw_lines.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "mappers/native/dwarf/dw_leb.h"

void fm_dw_lines_init(struct fm_dw_lines *lines, struct fm_heap *heap, const struct fm_dw_sections *sections,
                      const struct fm_dw_visitor *visitor)
{
    *lines = (struct fm_dw_lines){.heap = heap, .sections = sections, .visitor = visitor};
    fm_buf_init(&lines->path, heap);
    /* Paths cannot exceed this limit, because each of the up to three parts of a path is checked. */
    lines->path.limit = 4 * FM_LIMIT_PATH;
}

void fm_dw_lines_free(struct fm_dw_lines *lines)
{
    fm_heap_free(lines->heap, lines->folders, lines->folder_capacity * sizeof *lines->folders);
    fm_heap_free(lines->heap, lines->files, lines->file_capacity * sizeof *lines->files);
    fm_buf_free(&lines->path);
}

/* --- reading the header --- */

static bool add_folder(struct fm_dw_lines *lines, const struct fm_dw_value *folder)
{
    if (!FM_GROW(lines->heap, lines->folders, lines->folder_capacity, lines->folder_count + 1)) return false;
    lines->folders[lines->folder_count++] = *folder;
    return true;
}

static bool add_file(struct fm_dw_lines *lines, const struct fm_dw_value *name, uint64_t folder)
{
    if (!FM_GROW(lines->heap, lines->files, lines->file_capacity, lines->file_count + 1)) return false;
    lines->files[lines->file_count++] = (struct fm_dw_line_file){*name, folder, FM_NONE};
    return true;
}

static struct fm_dw_value text_value(framemap_str text)
{
    return (struct fm_dw_value){FM_DW_TEXT, DW_FORM_string, 0, text};
}

bool fm_dw_lines_add_file(struct fm_dw_lines *lines, struct fm_byte_reader *r, framemap_str name)
{
    const struct fm_dw_value value = text_value(name);
    uint64_t folder = fm_read_uleb(r);
    fm_read_uleb(r); /* the time of the file is skipped */
    fm_read_uleb(r); /* the length of the file is skipped */
    return r->bad || add_file(lines, &value, folder);
}

/* Reads the tables of versions 2 to 4: lists of strings, each ended by an empty string. Returns false when out of
 * memory. */
static bool read_tables_old(struct fm_dw_lines *lines, struct fm_byte_reader *r)
{
    for (framemap_str folder; (folder = fm_read_cstr(r)).size > 0;) {
        const struct fm_dw_value value = text_value(folder);
        if (!add_folder(lines, &value)) return false;
    }
    for (framemap_str name; (name = fm_read_cstr(r)).size > 0;) {
        if (!fm_dw_lines_add_file(lines, r, name)) return false;
    }
    return true;
}

static struct fm_dw_encoding encoding_5(const struct fm_dw_lines *lines)
{
    return (struct fm_dw_encoding){.version = 5,
                                   .address_size = lines->address_size,
                                   .offset_size = lines->offset_size,
                                   .str_offsets_base = lines->unit->encoding.str_offsets_base,
                                   .str_start = lines->unit->encoding.str_start,
                                   .line_str_start = lines->unit->encoding.line_str_start,
                                   .has_alternate = lines->unit->encoding.has_alternate,
                                   .alternate_str = lines->unit->encoding.alternate_str};
}

/* The format of the entries of a version 5 table. */
struct entry_format {
    struct fm_dw_encoding encoding;
    uint8_t count;
    struct {
        uint64_t content;
        struct fm_dw_spec spec;
        struct fm_dw_form form;
    } fields[256];
};

static void read_format(const struct fm_dw_lines *lines, struct fm_byte_reader *r, struct entry_format *format)
{
    format->encoding = encoding_5(lines);
    format->count = fm_read_u8(r);
    for (uint8_t i = 0; i < format->count; i++) {
        format->fields[i].content = fm_read_uleb(r);
        const uint64_t form = fm_read_uleb(r);
        if (form > UINT16_MAX) r->bad = true;
        format->fields[i].spec = (struct fm_dw_spec){.form = (uint16_t)form};
        format->fields[i].form = fm_dw_form_of((uint16_t)form, &format->encoding);
    }
}

/* Reads one value. Nearly all values have four bytes or are LEB128 numbers: these are read quickly. */
static bool read_value(struct fm_byte_reader *r, const struct entry_format *format, uint8_t field,
                       struct fm_dw_value *out)
{
    const struct fm_dw_form form = format->fields[field].form;
    const unsigned char *at = r->data + r->at;

    if (form.width != 4 && form.width != FM_DW_WIDTH_ULEB)
        return fm_dw_form_read(r, &format->encoding, &format->fields[field].spec, out);
    *out = (struct fm_dw_value){.class = (enum fm_dw_class)form.class, .form = format->fields[field].spec.form};
    if (form.width == 4) {
        if (r->size - r->at < 4) return false;
        out->number = fm_dw_fixed(at, 4, r->big_endian);
        r->at += 4;
        return true;
    }
    at = fm_dw_uleb(at, r->data + r->size, &out->number);
    if (at == NULL) return false;
    r->at = (size_t)(at - r->data);
    return true;
}

static bool read_entry(struct fm_byte_reader *r, const struct entry_format *format, struct fm_dw_value *path,
                       uint64_t *folder)
{
    for (uint8_t i = 0; i < format->count; i++) {
        struct fm_dw_value value;
        if (!read_value(r, format, i, &value)) return false;
        if (format->fields[i].content == DW_LNCT_path) *path = value;
        if (format->fields[i].content == DW_LNCT_directory_index) *folder = value.number;
    }
    return true;
}

/* Reads a table of version 5: a list of pairs (content, form), a count, and the entries. */
static framemap_status read_table_5(struct fm_dw_lines *lines, struct fm_byte_reader *r, bool files,
                                    framemap_error *error)
{
    struct entry_format format;

    read_format(lines, r, &format);
    uint64_t count = fm_read_uleb(r);
    if (r->bad) return FRAMEMAP_OK;
    for (uint64_t i = 0; i < count; i++) {
        struct fm_dw_value path = {.form = 0};
        uint64_t folder = 0;
        size_t from = r->at;
        if (!read_entry(r, &format, &path, &folder)) r->bad = true;
        /* entries without bytes are rejected, because a small header could claim billions of them */
        if (!r->bad && r->at == from) r->bad = true;
        if (r->bad) return FRAMEMAP_OK;
        if (!(files ? add_file(lines, &path, folder) : add_folder(lines, &path))) return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

framemap_status fm_dw_lines_fault(const struct fm_dw_lines *lines, framemap_error *error, const char *what)
{
    fm_error_at(error, FRAMEMAP_E_CORRUPT, lines->unit->lines, "%s", what);
    fm_error_where(error, FM_STR(".debug_line"));
    return FRAMEMAP_E_CORRUPT;
}

/* Reads the header's fields before its tables. On entry, r starts after the unit length and ends with the program; on
 * return, r ends with the header. */
static const char *read_fixed(struct fm_dw_lines *lines, struct fm_byte_reader *r)
{
    lines->version = fm_read_u16(r);
    if (r->bad || lines->version < 2 || lines->version > 5) return "line program of a version that is not 2 to 5";
    lines->address_size = lines->unit->encoding.address_size;
    if (lines->version == 5) {
        lines->address_size = fm_read_u8(r);
        fm_read_u8(r); /* the segment selector size is skipped */
    }
    uint64_t header_length = fm_read_uint(r, lines->offset_size);
    if (r->bad || header_length > fm_byte_reader_left(r)) return "line program header is longer than its program";
    lines->program = *r;
    lines->program.at += (size_t)header_length;
    r->size = r->at + (size_t)header_length;
    lines->min_length = fm_read_u8(r);
    lines->max_ops = lines->version >= 4 ? fm_read_u8(r) : 1;
    lines->default_is_stmt = fm_read_u8(r) != 0;
    lines->line_base = (int8_t)fm_read_u8(r);
    lines->line_range = fm_read_u8(r);
    lines->opcode_base = fm_read_u8(r);
    for (unsigned i = 1; i < lines->opcode_base; i++) lines->operand_counts[i] = fm_read_u8(r);
    if (r->bad) return "line program header ends early";
    if (lines->line_range == 0) return "line program with a line range of zero";
    if (lines->opcode_base == 0) return "line program with an opcode base of zero";
    if (lines->max_ops == 0) lines->max_ops = 1;
    if (lines->address_size != 4 && lines->address_size != 8)
        return "line program whose addresses are neither 4 nor 8 bytes";
    return NULL;
}

/* Finds the program's bytes: sets r to the part after the length field, up to the end of the program. */
static const char *find_program(const struct fm_dw_sections *sections, uint64_t offset, uint8_t *offset_size,
                                struct fm_byte_reader *r)
{
    *r = fm_byte_reader_of(sections->line, sections->big_endian);
    fm_byte_reader_seek(r, offset);
    uint64_t length = fm_read_u32(r);
    *offset_size = 4;
    if (length == 0xffffffff) {
        *offset_size = 8;
        length = fm_read_u64(r);
    } else if (length >= 0xfffffff0) {
        return "line program with a reserved length";
    }
    if (r->bad || length > fm_byte_reader_left(r)) return "line program is longer than its section";
    r->size = r->at + (size_t)length;
    return NULL;
}

uint64_t fm_dw_lines_size(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit)
{
    struct fm_byte_reader r;
    uint8_t offset_size;

    if (!unit->has_lines || find_program(sections, unit->lines, &offset_size, &r) != NULL) return 0;
    return r.size - unit->lines;
}

framemap_status fm_dw_lines_open(struct fm_dw_lines *lines, const struct fm_dw_unit_data *unit, framemap_error *error)
{
    struct fm_byte_reader r;
    framemap_status status = FRAMEMAP_OK;

    lines->unit = unit;
    lines->folder_count = lines->file_count = 0;
    lines->announced_count = 0;
    lines->program = fm_byte_reader_of((framemap_str){NULL, 0}, false);
    if (!unit->has_lines) return FRAMEMAP_OK;
    const char *why = find_program(lines->sections, unit->lines, &lines->offset_size, &r);
    if (why == NULL) why = read_fixed(lines, &r);
    if (why != NULL) {
        lines->program = fm_byte_reader_of((framemap_str){NULL, 0}, false);
        return fm_dw_lines_fault(lines, error, why);
    }
    if (unit->lines_refused) {
        lines->program.at = lines->program.size;
        return fm_error_at(error, FRAMEMAP_E_LIMIT, unit->lines, "line programs are read too many times");
    }
    if (lines->version < 5) {
        if (!read_tables_old(lines, &r)) status = fm_error_memory(error);
    } else {
        status = read_table_5(lines, &r, false, error);
        if (status == FRAMEMAP_OK) status = read_table_5(lines, &r, true, error);
    }
    if (status == FRAMEMAP_OK && r.bad)
        return fm_dw_lines_fault(lines, error, "file table leaves the line program header");
    return status;
}

/* --- reporting files --- */

/* Whether a path is absolute, also on Windows ("C:/src"), or with a scheme, which -ffile-prefix-map can put there
 * ("wasisdk://v30.0/src"). */
static bool is_absolute(framemap_str path)
{
    size_t at = 0;
    while (at < path.size && path.data[at] != '/' && path.data[at] != '\\') at++;
    return at < path.size && (at == 0 || path.data[at - 1] == ':');
}

/* Appends a part of a path, with one separator between parts. An empty part adds nothing. */
static void append_part(struct fm_buf *path, framemap_str part)
{
    if (part.size == 0) return;
    if (path->size > 0) {
        if (path->data[path->size - 1] != '/') fm_buf_byte(path, '/');
        while (part.size > 0 && part.data[0] == '/') part = fm_str_from(part, 1);
    }
    fm_buf_str(path, part);
}

static framemap_str string_of(const struct fm_dw_lines *lines, const struct fm_dw_value *value)
{
    const struct fm_dw_encoding encoding = encoding_5(lines);
    return fm_dw_value_string(lines->sections, &encoding, value);
}

/* Joins directory and name by LLVM's rules. Only the last absolute part and the parts after it count. A relative
 * directory is relative to the unit's own directory; in version 5, directory 0 is the unit's own. */
static void make_path(struct fm_dw_lines *lines, const struct fm_dw_line_file *file)
{
    bool five = lines->version >= 5;
    const framemap_str name = string_of(lines, &file->name);
    framemap_str folder = {NULL, 0};
    framemap_str unit_folder = {NULL, 0};

    fm_buf_clear(&lines->path);
    if (!is_absolute(name)) {
        const uint64_t number = five ? file->folder : file->folder - 1; /* before version 5, folder 0 wraps to a number
                                                                           greater than any count */
        if (number < lines->folder_count) folder = string_of(lines, &lines->folders[number]);
        if ((!five || file->folder != 0) && !is_absolute(folder)) unit_folder = lines->unit->folder;
    }
    /* A path over the limit counts as damaged, and stays empty. */
    if (unit_folder.size > FM_LIMIT_PATH || folder.size > FM_LIMIT_PATH || name.size > FM_LIMIT_PATH) return;
    append_part(&lines->path, unit_folder);
    append_part(&lines->path, folder);
    append_part(&lines->path, name);
}

bool fm_dw_lines_new_file(struct fm_dw_lines *lines, uint64_t number, uint32_t *out)
{
    uint64_t first = lines->version >= 5 ? 0 : 1;

    *out = FM_NONE;
    if (number < first || number - first >= lines->file_count) return true;
    struct fm_dw_line_file *file = &lines->files[number - first];
    if (file->announced == FM_NONE) {
        make_path(lines, file);
        if (lines->path.failed) return false;
        if (!lines->visitor->file(lines->visitor->context, lines->announced_count, fm_buf_view(&lines->path)))
            return false;
        file->announced = lines->announced_count++;
    }
    *out = file->announced;
    return true;
}
