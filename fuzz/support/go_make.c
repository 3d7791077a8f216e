/* Makes tables of functions of a small Go program. See go_make.h. */
#include "fuzz/support/go_make.h"

#include "mappers/native/image/image_inner.h"
#include "mappers/native/image/image_values.h"

#include <string.h>

struct maker {
    struct go_made *out;
    enum fm_go_version version;
    unsigned pointer_size, quantum;
    bool big_endian;
    size_t list;         /* offset of the list of functions */
    size_t records_base; /* offsets of records are relative to this */
    size_t names_base, values_base;
    unsigned function_count;
};

static void put(struct maker *make, uint64_t value, unsigned width)
{
    fm_bytes_put(make->out->bytes + make->out->size, width, make->big_endian, value);
    make->out->size += width;
}

static void set(struct maker *make, size_t at, uint64_t value, unsigned width)
{
    fm_bytes_put(make->out->bytes + at, width, make->big_endian, value);
}

static void align(struct maker *make)
{
    while (make->out->size % make->pointer_size != 0) make->out->bytes[make->out->size++] = 0;
}

static uint32_t put_name(struct maker *make, const char *name)
{
    const size_t at = make->out->size, size = strlen(name) + 1;

    memcpy(make->out->bytes + at, name, size);
    make->out->size += size;
    return (uint32_t)(at - make->names_base);
}

/* --- writing Go's pc-value tables --- */

struct step {
    int value;
    unsigned end; /* offset in the function's code up to which `value` applies */
};

static void put_uleb(struct maker *make, uint32_t value)
{
    for (; value >= 0x80; value >>= 7) put(make, value | 0x80, 1);
    put(make, value, 1);
}

static uint32_t put_values(struct maker *make, const struct step *steps, size_t count)
{
    const size_t at = make->out->size;
    int value = -1;
    unsigned end = 0;

    for (size_t i = 0; i < count; i++) {
        const int difference = steps[i].value - value;
        put_uleb(make, difference < 0 ? ((uint32_t)(-(difference + 1)) << 1 | 1) : (uint32_t)difference << 1);
        put_uleb(make, (steps[i].end - end) / make->quantum);
        value = steps[i].value;
        end = steps[i].end;
    }
    put(make, 0, 1);
    return (uint32_t)(at - make->values_base);
}

/* --- writing functions --- */

struct function {
    unsigned start;
    uint32_t name, files, lines, inlined, start_line1;
    uint64_t tree; /* offset of the function's inline tree in the table; 0: none */
};

static void put_function_data(struct maker *make, uint64_t tree)
{
    const unsigned count = make->version == FM_GO_1_2 ? 5 : 4;

    if (make->version < FM_GO_1_18) align(make);
    for (unsigned i = 0; i < count; i++) {
        const bool is_tree = i == count - 1 && tree != 0;
        if (make->version >= FM_GO_1_18)
            put(make, is_tree ? tree : UINT32_MAX, 4);
        else
            put(make, is_tree ? GO_TABLE + tree : 0, make->pointer_size);
    }
}

/* Writes the record of a function, and its entry in the list. */
static void put_function(struct maker *make, const struct function *function)
{
    const unsigned width = make->version >= FM_GO_1_18 ? 4 : make->pointer_size;
    const uint64_t start = function->start + (make->version >= FM_GO_1_18 ? 0u : (unsigned)GO_TEXT);

    align(make);
    set(make, make->list + (size_t)make->function_count * 2 * width, start, width);
    set(make, make->list + ((size_t)make->function_count * 2 + 1) * width, make->out->size - make->records_base, width);
    make->function_count++;
    put(make, start, width);
    put(make, function->name, 4);
    put(make, 0, 4), put(make, 0, 4), put(make, 0, 4);
    put(make, function->files, 4);
    put(make, function->lines, 4);
    put(make, function->inlined != 0 ? 3 : 0, 4);
    if (make->version >= FM_GO_1_16) put(make, function->lines == 0 ? UINT32_MAX : 0, 4);
    if (make->version >= FM_GO_1_20) put(make, function->start_line1, 4);
    put(make, 0, 3);
    put(make, function->tree != 0 ? (make->version == FM_GO_1_2 ? 5 : 4) : 0, 1);
    if (function->inlined != 0) put(make, 0, 4), put(make, 0, 4), put(make, function->inlined, 4);
    if (function->tree != 0) put_function_data(make, function->tree);
}

struct inlined_call {
    int parent;
    unsigned file, line1, parent_pc;
    uint32_t name, start_line1;
};

static void put_call(struct maker *make, const struct inlined_call *call)
{
    if (make->version >= FM_GO_1_20) {
        put(make, 0, 4);
        put(make, call->name, 4);
        put(make, call->parent_pc, 4);
        put(make, call->start_line1, 4);
        return;
    }
    put(make, (uint16_t)call->parent, 2), put(make, 0, 2);
    put(make, call->file, 4);
    put(make, call->line1, 4);
    put(make, call->name, 4);
    put(make, call->parent_pc, 4);
}

/* --- writing the parts of the table --- */

enum { WORD_FUNCTIONS, WORD_FILES, WORD_TEXT };

static size_t word_at(const struct maker *make, unsigned number) { return 8 + (size_t)number * make->pointer_size; }

static void put_header(struct maker *make)
{
    static const uint32_t magics[] = {0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1};
    static const unsigned words[] = {1, 7, 8, 8};

    put(make, magics[make->version], 4);
    put(make, 0, 2);
    put(make, make->quantum, 1);
    put(make, make->pointer_size, 1);
    set(make, word_at(make, WORD_FUNCTIONS), 3, make->pointer_size);
    make->out->size = word_at(make, words[make->version]);
}

/* Sets the offset of a part of the table in the header. */
static void set_part(struct maker *make, unsigned number)
{
    const unsigned first = make->version >= FM_GO_1_18 ? 3 : 2;

    if (make->version >= FM_GO_1_16) set(make, word_at(make, first + number), make->out->size, make->pointer_size);
}

/* Writes the names of the two source files. list: where a table of version 1.2 has the offset of the list of files. */
static void put_files(struct maker *make, size_t list)
{
    static const char *const paths[] = {"/src/main.go", "/src/inner.go"};
    size_t at, path;

    align(make);
    set_part(make, 1);
    at = make->out->size;
    if (make->version == FM_GO_1_2) {
        set(make, list, at, 4);
        put(make, 3, 4);
    }
    put(make, 0, 4), put(make, 0, 4);
    set_part(make, 2);
    path = make->version == FM_GO_1_2 ? 0 : make->out->size;
    for (unsigned i = 0; i < 2; i++) {
        const size_t entry = at + (make->version == FM_GO_1_2 ? 4 : 0) + (size_t)i * 4;
        set(make, entry, make->out->size - path, 4);
        put_name(make, paths[i]);
    }
}

/* Reserves the list of functions. */
static void put_list(struct maker *make)
{
    const unsigned width = make->version >= FM_GO_1_18 ? 4 : make->pointer_size;

    align(make);
    make->list = make->out->size;
    make->out->size += (size_t)7 * width;
    set(make, make->list + (size_t)6 * width, GO_TEXT_SIZE + (make->version >= FM_GO_1_18 ? 0u : (unsigned)GO_TEXT),
        width);
}

static void put_functions(struct maker *make, const uint32_t names[5])
{
    /* Numbers of files start at 1 in version 1.2 and at 0 in later versions. */
    const int file = make->version == FM_GO_1_2 ? 1 : 0;
    const struct step lines[] = {{10, 0x08}, {12, 0x10}, {5, 0x18}, {21, 0x20}, {13, 0x28}};
    const struct step files[] = {{file, 0x10}, {file + 1, 0x18}, {file, 0x28}};
    const struct step inlined[] = {{-1, 0x10}, {1, 0x18}, {0, 0x20}, {-1, 0x28}};
    const struct step last_lines[] = {{31, 0x20}}, last_files[] = {{file + 1, 0x20}};
    const struct inlined_call calls[] = {{-1, (unsigned)file, 12, 0x08, names[3], 20},
                                         {0, (unsigned)file, 21, 0x18, names[4], 4}};
    struct function main = {.start = 0, .name = names[0], .start_line1 = 9};
    struct function last = {.start = 0x40, .name = names[2], .start_line1 = 30};
    const struct function asm_function = {.start = 0x30, .name = names[1]};

    set_part(make, 3);
    make->values_base = make->version == FM_GO_1_2 ? 0 : make->out->size;
    put(make, 0, 1); /* makes the first table start after offset 0, which would mean that there is no table */
    main.lines = put_values(make, lines, sizeof lines / sizeof *lines);
    main.files = put_values(make, files, sizeof files / sizeof *files);
    main.inlined = put_values(make, inlined, sizeof inlined / sizeof *inlined);
    last.lines = put_values(make, last_lines, 1);
    last.files = put_values(make, last_files, 1);
    align(make);
    main.tree = make->out->inline_tree = make->out->size;
    for (unsigned i = 0; i < 2; i++) put_call(make, &calls[i]);
    if (make->version >= FM_GO_1_16) {
        align(make);
        set_part(make, 4);
        make->records_base = make->out->size;
        put_list(make);
    }
    put_function(make, &main);
    put_function(make, &asm_function);
    put_function(make, &last);
}

void go_table_make(enum fm_go_version version, bool is64, bool big_endian, struct go_made *out)
{
    static const char *const names[] = {"main.main", "main.asm", "main.last", "main.middle", "main.inner"};
    struct maker make = {.out = out,
                         .version = version,
                         .pointer_size = is64 ? 8 : 4,
                         .quantum = big_endian ? 4 : 1,
                         .big_endian = big_endian};
    uint32_t at[5];
    size_t files = 0;

    memset(out, 0, sizeof *out);
    put_header(&make);
    if (version == FM_GO_1_2) {
        put_list(&make);
        files = out->size;
        put(&make, 0, 4);
    }
    set_part(&make, 0);
    make.names_base = version == FM_GO_1_2 ? 0 : out->size;
    for (unsigned i = 0; i < 5; i++) at[i] = put_name(&make, names[i]);
    put_files(&make, files);
    put_functions(&make, at);
}

/* --- making the image --- */

size_t go_module_make(framemap_str table, bool is64, bool big_endian, unsigned char out[GO_MODULE_WORDS * 8])
{
    enum { HEADER = 0, NAMES = 1, TEXT = 22, DATA_1_18 = 38, DATA_1_20 = 40, NAMES_WORD = 3 };
    const unsigned width = is64 ? 8 : 4;
    const size_t names_at = 8 + NAMES_WORD * (size_t)width;
    uint64_t names = 0;

    memset(out, 0, GO_MODULE_WORDS * 8);
    if (table.size >= names_at + width)
        names = fm_bytes_get((const unsigned char *)table.data + names_at, width, big_endian);
    fm_bytes_put(out + HEADER * (size_t)width, width, big_endian, GO_TABLE);
    fm_bytes_put(out + NAMES * (size_t)width, width, big_endian, GO_TABLE + names);
    fm_bytes_put(out + TEXT * (size_t)width, width, big_endian, GO_TEXT);
    fm_bytes_put(out + DATA_1_18 * (size_t)width, width, big_endian, GO_TABLE);
    fm_bytes_put(out + DATA_1_20 * (size_t)width, width, big_endian, GO_TABLE);
    return GO_MODULE_WORDS * (size_t)width;
}

/* Copies a table and moduledata into one block, which is the file of the image. */
static bool make_file(framemap_str table, struct go_image *out)
{
    struct fm_image *image = &out->image;
    unsigned char module[GO_MODULE_WORDS * 8];
    const size_t size = go_module_make(table, image->is64, image->big_endian, module);
    char *bytes = fm_arena_alloc(image->arena, table.size + size);

    if (bytes == NULL) return false;
    memcpy(bytes, table.data, table.size);
    memcpy(bytes + table.size, module, size);
    image->bytes = (framemap_str){bytes, table.size + size};
    out->sections[1].stored = (framemap_str){bytes, table.size};
    out->sections[2].stored = (framemap_str){bytes + table.size, size};
    return true;
}

bool go_image_of(framemap_str table, bool is64, bool big_endian, struct fm_arena *arena, struct go_image *out)
{
    const struct fm_section sections[] = {
        {.name = framemap_str_of(".text"),
         .address = GO_TEXT,
         .size = GO_TABLE - GO_TEXT,
         .flags = FM_SECTION_ALLOC | FM_SECTION_EXEC | FM_SECTION_NOBITS},
        {.name = framemap_str_of(".gopclntab"), .address = GO_TABLE, .size = table.size, .flags = FM_SECTION_ALLOC},
        {.name = framemap_str_of(".noptrdata"), .address = GO_DATA, .size = 0x1000, .flags = FM_SECTION_ALLOC},
        {.name = framemap_str_of(".go.buildinfo"), .address = GO_DATA + 0x1000, .flags = FM_SECTION_ALLOC}};

    memcpy(out->sections, sections, sizeof sections);
    for (uint32_t i = 0; i < 4; i++) out->sections[i].number = i + 1;
    out->image = (struct fm_image){.format = FM_IMAGE_ELF,
                                   .is64 = is64,
                                   .big_endian = big_endian,
                                   .arena = arena,
                                   .base = GO_TEXT,
                                   .origin = GO_TEXT,
                                   .sections = out->sections,
                                   .section_count = 4,
                                   .has_go_table = true};
    out->image.inner = FM_ARENA_NEW(arena, struct fm_image_inner);
    return out->image.inner != NULL && make_file(table, out) && fm_image_index_sections(&out->image);
}

bool go_image_relocate(struct go_image *made)
{
    enum { SHT_RELA = 4 };
    const struct fm_image *image = &made->image;
    const unsigned width = image->is64 ? 8 : 4;
    const framemap_str module = made->sections[2].stored;
    unsigned char *words = fm_arena_zalloc(image->arena, module.size, 1);
    unsigned char *rows = fm_arena_alloc(image->arena, module.size * 3);
    size_t size = 0;

    if (words == NULL || rows == NULL) return false;
    for (size_t at = 0; at < module.size; at += width) {
        const uint64_t address = fm_bytes_get((const unsigned char *)module.data + at, width, image->big_endian);
        if (address == 0) continue;
        fm_bytes_put(rows + size, width, image->big_endian, GO_DATA + at);
        fm_bytes_put(rows + size + width, width, image->big_endian, 8);
        fm_bytes_put(rows + size + 2 * (size_t)width, width, image->big_endian, address);
        size += 3 * (size_t)width;
    }
    made->sections[2].stored = (framemap_str){(const char *)words, module.size};
    made->sections[3] = (struct fm_section){.name = framemap_str_of(".rela.dyn"),
                                            .stored = {(const char *)rows, size},
                                            .address = GO_DATA + 0x1000,
                                            .size = size,
                                            .number = 4,
                                            .flags = FM_SECTION_ALLOC,
                                            .type = SHT_RELA};
    return fm_image_index_sections(&made->image);
}
