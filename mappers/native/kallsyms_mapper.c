/* Compiles a list of a kernel's symbols, in the form of nm (kernel/kallsyms.c, scripts/mksysmap):
 *
 *     ffffffff81000000 T _stext
 *     ffffffffc0a01000 t nf_ct_get\t[nf_conntrack]
 *
 * Some tools write 0x before addresses. Addresses are those of the running kernel, or, in System.map, those for which
 * the kernel was linked. A symbol that is not defined has blanks in the place of its address. nm -S writes the size
 * after the address, nm -C names that are demangled. */
#include "mappers/native/kallsyms_mapper.h"

#include "core/error.h"
#include "core/text/text.h"
#include "mappers/native/image/sorted_keys.h"

/* Maximum number of bytes of a symbol without a size, if no other symbol of its kernel or module follows: no function
 * of a module is longer. */
#define MOST_UNBOUNDED UINT64_C(65536)
enum { PROBED_ROWS = 16, SHORT_DIGITS = 8, LONG_DIGITS = 16 };

struct kallsyms_row {
    uint64_t address, size;    /* size: 0 if it is not stated */
    framemap_str name, module; /* module: without its brackets; absent for symbols of the kernel itself */
    unsigned digits;
    char type; /* type letter as nm prints it; 'U': the symbol has no address */
};

/* --- parsing rows --- */

static bool read_number(framemap_str *line, uint64_t *out, unsigned *count)
{
    *out = 0;
    for (*count = 0; *count < line->size && *count <= LONG_DIGITS; ++*count) {
        const char c = line->data[*count];
        const char *const digits = "0123456789abcdef", *const at = c ? strchr(digits, c) : NULL;
        if (at == NULL) break;
        *out = *out << 4 | (uint64_t)(at - digits);
    }
    *line = fm_str_from(*line, *count);
    return *count == SHORT_DIGITS || *count == LONG_DIGITS;
}

/* Parses a size such as " 0000000000000020" after an address, if it has as many digits as the address. */
static void read_size(framemap_str *line, struct kallsyms_row *out)
{
    unsigned digits;
    framemap_str rest = fm_str_from(*line, 1);
    out->size = 0;
    if (!fm_str_starts(*line, FM_STR(" ")) || !read_number(&rest, &out->size, &digits) || digits != out->digits)
        out->size = 0;
    else
        *line = rest;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Parses the module after a symbol's name, "\t[mod]". The module may be absent. */
static bool read_module(framemap_str rest, framemap_str *out)
{
    *out = (framemap_str){NULL, 0};
    while (rest.size > 0 && is_blank(rest.data[0])) rest = fm_str_from(rest, 1);
    if (rest.size == 0) return true;
    if (rest.size < 3 || rest.data[0] != '[' || rest.data[rest.size - 1] != ']') return false;
    *out = fm_str_slice(rest, 1, rest.size - 1);
    return fm_str_find_byte(*out, ' ') == FM_NOT_FOUND;
}

/* Returns a name without its version: nm -D prints "fork@@GLIBC_2.2.5". In "_f@12" the part after the '@' is a size
 * (stdcall), not a version. */
static framemap_str without_version(framemap_str name)
{
    const size_t at = fm_str_find_byte(name, '@');
    if (at == FM_NOT_FOUND || at == 0 || at + 1 == name.size) return name;
    return name.data[at + 1] == '@' || is_letter(name.data[at + 1]) ? fm_str_slice(name, 0, at) : name;
}

/* Reads a name and the module after it. A name without a module extends to the end of the line, because names of Go and
 * demangled names have blanks. */
static void read_name(framemap_str line, struct kallsyms_row *out)
{
    size_t end = 0;
    while (end < line.size && !is_blank(line.data[end])) end++;
    out->name = without_version(fm_str_slice(line, 0, end));
    if (read_module(fm_str_from(line, end), &out->module)) return;
    out->name = line;
    out->module = (framemap_str){NULL, 0};
}

/* Parses " w name": the blanks are as wide as an address, or as an address and a size. */
static bool read_undefined(framemap_str line, struct kallsyms_row *out)
{
    size_t blanks = 0;
    while (blanks < line.size && line.data[blanks] == ' ') blanks++;
    *out = (struct kallsyms_row){.type = 'U'};
    return (blanks == SHORT_DIGITS + 1 || blanks == LONG_DIGITS + 1 || blanks == 2 * (SHORT_DIGITS + 1) ||
            blanks == 2 * (LONG_DIGITS + 1)) &&
           line.size > blanks + 2 && strchr("UvVwW", line.data[blanks]) != NULL && line.data[blanks + 1] == ' ';
}

static bool kallsyms_read_row(framemap_str line, struct kallsyms_row *out)
{
    if (fm_str_ends(line, FM_STR("\r"))) line.size--;
    if (fm_str_starts(line, FM_STR(" "))) return read_undefined(line, out);
    if (fm_str_starts(line, FM_STR("0x"))) line = fm_str_from(line, 2);
    if (!read_number(&line, &out->address, &out->digits)) return false;
    read_size(&line, out);
    if (line.size < 4 || line.data[0] != ' ' || !is_letter(line.data[1]) || line.data[2] != ' ') return false;
    out->type = line.data[1];
    read_name(fm_str_from(line, 3), out);
    return out->name.size > 0;
}

/* Whether a name is so plain that the line may be a row of such a list: it has no blanks, or it is a demangled name
 * ("f(int, int)", "<A as b::C>::d", "vtable for A"). */
static bool is_plain(framemap_str name)
{
    return fm_str_find_byte(name, ' ') == FM_NOT_FOUND || fm_str_find_byte(name, '(') != FM_NOT_FOUND ||
           fm_str_find(name, FM_STR("::")) != FM_NOT_FOUND || fm_str_find(name, FM_STR(" for ")) != FM_NOT_FOUND;
}

/* Takes the next line. *whole: whether the text has the end of this line. false: no line is left. */
static bool next_line(framemap_str *text, framemap_str *line, bool *whole)
{
    const size_t end = fm_str_find_byte(*text, '\n');
    *whole = end != FM_NOT_FOUND;
    if (text->size == 0) return false;
    *line = fm_str_slice(*text, 0, *whole ? end : text->size);
    *text = fm_str_from(*text, *whole ? end + 1 : text->size);
    return true;
}

/* --- implementing the mapper's row: probe, inspect, build --- */

static int kallsyms_probe(framemap_str bytes, framemap_str name)
{
    struct kallsyms_row row;
    framemap_str line;
    unsigned rows = 0;
    bool whole;
    (void)name;
    while (rows < PROBED_ROWS && next_line(&bytes, &line, &whole) && (whole || rows == 0)) {
        if (!kallsyms_read_row(line, &row) || (row.digits > 0 && !is_plain(row.name))) return 0;
        rows += row.digits > 0;
    }
    return rows > 0 ? 60 : 0;
}

static framemap_status kallsyms_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap,
                                        framemap_image_info *images, size_t capacity, size_t *count,
                                        framemap_error *error)
{
    struct kallsyms_row row;
    framemap_str text = bytes, line;
    bool whole;
    (void)name, (void)heap;
    do {
        if (!next_line(&text, &line, &whole) || !kallsyms_read_row(line, &row))
            return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is not a list of a kernel's symbols");
    } while (row.digits == 0);
    *count = 1;
    if (capacity == 0) return FRAMEMAP_OK;
    *images = (framemap_image_info){.kind = FM_KALLSYMS_NAME,
                                    .type = "kernel symbols",
                                    .has_symbols = true,
                                    .address_bits = row.digits == SHORT_DIGITS ? 32 : 64,
                                    .size = bytes.size};
    return FRAMEMAP_OK;
}

/* The state of one compilation: the rows that were read, and the builder that they go to. */
struct kallsyms {
    struct fm_heap *heap;
    struct fm_builder *builder;
    framemap_error *error;
    struct kallsyms_row *rows;
    struct fm_key *keys; /* rows sorted by address; rows with equal addresses stay in the order of the file */
    size_t count, capacity, key_capacity, damaged;
    unsigned digits;
    uint32_t scope;
    bool any_address;
};

/* Whether a symbol is a label inside of a function. Such labels are "$x" and "$d.1", where code and data begin (AAELF64
 * "Mapping symbols", RISC-V psABI), and local labels that assemblers keep, also for RISC-V's relaxation. The kernel
 * leaves labels out of its own list as well (scripts/mksysmap). Functions of Swift, which begin with "$s", and code of
 * ppc64, which begins with a dot (".LZ4_decompress_safe"), are not labels. */
static bool is_label(const struct kallsyms_row *row)
{
    const framemap_str name = row->name;
    if (row->type >= 'A' && row->type <= 'Z') return false; /* upper-case letters mark global symbols */
    if (fm_str_starts(name, FM_STR(".L")) || fm_str_starts(name, FM_STR("$xrv"))) return true;
    return name.size >= 2 && name.data[0] == '$' && strchr("adtx", name.data[1]) != NULL &&
           (name.size == 2 || name.data[2] == '.');
}

/* Whether a symbol has an address in code or data. Values of symbols of type 'A' (per-CPU addresses, sizes) are not
 * such addresses. */
static bool has_place(const struct kallsyms_row *row)
{
    return row->type != 'A' && row->type != 'a' && row->type != 'U' && !is_label(row);
}

/* Whether a symbol is code. Type 'i' is a function that chooses another one when the program is loaded. */
static bool is_code(const struct kallsyms_row *row) { return strchr("tTwWi", row->type) != NULL; }

static framemap_status read_rows(struct kallsyms *list, framemap_str text)
{
    struct kallsyms_row row;
    framemap_str line;
    bool whole;
    while (next_line(&text, &line, &whole)) {
        if (!kallsyms_read_row(line, &row)) {
            list->damaged += line.size > 0;
            continue;
        }
        list->any_address = list->any_address || row.address != 0;
        if (row.digits > list->digits) list->digits = row.digits;
        if (!has_place(&row)) continue;
        if (list->count >= UINT32_MAX - 1 || !FM_GROW(list->heap, list->rows, list->capacity, list->count + 1) ||
            !FM_GROW(list->heap, list->keys, list->key_capacity, list->count + 1))
            return fm_error_memory(list->error);
        list->keys[list->count] = (struct fm_key){row.address, (uint32_t)list->count};
        list->rows[list->count++] = row;
    }
    return fm_keys_sort(list->heap, list->keys, list->count, NULL, NULL) ? FRAMEMAP_OK : fm_error_memory(list->error);
}

static const struct kallsyms_row *row_at(const struct kallsyms *list, size_t i)
{
    return &list->rows[list->keys[i].number];
}

/* Adds to the builder the name of a module's symbol, with the module's name at its end: "nf_ct_get [nf_conntrack]".
 * *out: the number of this string; FM_NONE if the symbol does not belong to a module. */
static framemap_status put_symbol(struct kallsyms *list, const struct kallsyms_row *row, uint32_t *out)
{
    struct fm_buf name;
    *out = FM_NONE;
    if (row->module.size == 0) return FRAMEMAP_OK;
    fm_buf_init(&name, list->heap);
    fm_buf_str(&name, row->name);
    fm_buf_str(&name, FM_STR(" ["));
    fm_buf_str(&name, row->module);
    fm_buf_byte(&name, ']');
    const framemap_status status = name.failed ? fm_error_memory(list->error)
                                               : fm_builder_string(list->builder, fm_buf_view(&name), out, list->error);
    fm_buf_free(&name);
    return status;
}

static framemap_status put_function(struct kallsyms *list, const struct kallsyms_row *row, uint64_t size, uint32_t *out)
{
    struct fm_function function = {.class_name = FM_NONE, .decl_file = FM_NONE};
    struct fm_node node = {.parent = FM_NONE, .call_file = FM_NONE, .start = row->address, .size = size};
    framemap_status status = fm_builder_string(list->builder, row->name, &function.name, list->error);
    if (status == FRAMEMAP_OK) status = put_symbol(list, row, &node.symbol);
    if (status == FRAMEMAP_OK) status = fm_builder_function(list->builder, &function, &node.function, list->error);
    return status == FRAMEMAP_OK ? fm_builder_node(list->builder, &node, out, list->error) : status;
}

static framemap_status put_aliases(struct kallsyms *list, const struct kallsyms_row *chosen, size_t first, size_t end,
                                   uint32_t node)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = first; i < end && status == FRAMEMAP_OK; i++) {
        const struct kallsyms_row *row = row_at(list, i);
        uint32_t name;
        if (row == chosen || !is_code(row) || fm_str_equal(row->name, chosen->name)) continue;
        status = fm_builder_string(list->builder, row->name, &name, list->error);
        if (status == FRAMEMAP_OK) status = fm_builder_alias(list->builder, node, name, list->error);
    }
    return status;
}

/* Returns where the symbols at the address keys[end - 1].key end: at the start of the next symbols, or at the end that
 * their size gives, whichever is lower. Symbols without a size end at most MOST_UNBOUNDED bytes after their start,
 * unless the next symbols belong to the same module. */
static uint64_t end_of(const struct kallsyms *list, const struct kallsyms_row *chosen, size_t end)
{
    const uint64_t start = chosen->address, size = chosen->size > 0 ? chosen->size : MOST_UNBOUNDED;
    const uint64_t most = start > UINT64_MAX - size ? UINT64_MAX : start + size;
    if (end == list->count) return most;
    const uint64_t next = list->keys[end].key;
    const bool same = chosen->size == 0 && fm_str_equal(row_at(list, end)->module, chosen->module);
    return same || next < most ? next : most;
}

/* Returns the function that names the code at one address: the biggest one there; if several are equally big, or no
 * sizes are stated, the first one, as the kernel itself does. NULL: no function is at the address. */
static const struct kallsyms_row *choose(const struct kallsyms *list, size_t first, size_t end)
{
    const struct kallsyms_row *chosen = NULL;
    for (size_t i = first; i < end; i++) {
        const struct kallsyms_row *row = row_at(list, i);
        if (is_code(row) && (chosen == NULL || row->size > chosen->size)) chosen = row;
    }
    return chosen;
}

/* Writes the symbols at one address. */
static framemap_status put_group(struct kallsyms *list, size_t first, size_t end)
{
    const struct kallsyms_row *chosen = choose(list, first, end);
    const uint64_t start = list->keys[first].key;
    uint32_t node;
    if (chosen == NULL) return fm_builder_end(list->builder, list->scope, start, list->error);
    const uint64_t stop = end_of(list, chosen, end);
    framemap_status status = put_function(list, chosen, stop - start, &node);
    const struct fm_place place = {.node = node, .file = FM_NONE, .name = FM_NONE};
    if (status == FRAMEMAP_OK) status = put_aliases(list, chosen, first, end, node);
    if (status == FRAMEMAP_OK) status = fm_builder_position(list->builder, list->scope, start, &place, 1, list->error);
    return status == FRAMEMAP_OK ? fm_builder_end(list->builder, list->scope, stop, list->error) : status;
}

static framemap_status put_all(struct kallsyms *list)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t first = 0, end; first < list->count && status == FRAMEMAP_OK; first = end) {
        for (end = first + 1; end < list->count && list->keys[end].key == list->keys[first].key;) end++;
        status = put_group(list, first, end);
    }
    return status;
}

static framemap_status refuse_empty(const struct kallsyms *list)
{
    if (list->count > 0 && !list->any_address)
        return fm_error_set(list->error, FRAMEMAP_E_EMPTY,
                            "all addresses are 0, as the kernel shows them without permission: copy /proc/kallsyms as "
                            "root, or with kernel.kptr_restrict=0");
    return fm_error_set(list->error, FRAMEMAP_E_EMPTY, "there is no function in this list of symbols");
}

static framemap_status build_list(struct kallsyms *list, framemap_str bytes, framemap_str name)
{
    struct fm_builder_about about = {.kind = FM_STR(FM_KALLSYMS_NAME), .name = fm_str_basename(name)};
    framemap_status status = read_rows(list, bytes);
    if (status == FRAMEMAP_OK && !list->any_address) return refuse_empty(list);
    about.address_bits = list->digits == SHORT_DIGITS ? 32 : 64;
    if (status == FRAMEMAP_OK) status = fm_builder_about(list->builder, &about, list->error);
    if (status == FRAMEMAP_OK)
        status = fm_builder_scope(list->builder, (framemap_str){"", 0}, &list->scope, list->error);
    if (status == FRAMEMAP_OK) status = put_all(list);
    return status == FRAMEMAP_OK && fm_builder_count(list->builder) == 0 ? refuse_empty(list) : status;
}

static void warn_of_damage(const struct kallsyms *list, const struct fm_mapper_host *host)
{
    framemap_error warning = {0};
    if (list->damaged == 0) return;
    fm_error_set(&warning, FRAMEMAP_E_CORRUPT, "%zu lines are not symbols and were skipped", list->damaged);
    fm_mapper_warn(host, &warning);
}

static framemap_status kallsyms_build(framemap_str bytes, framemap_str name, const struct fm_mapper_host *host,
                                      struct fm_builder *builder, framemap_error *error)
{
    struct kallsyms list = {.heap = host->heap, .builder = builder, .error = error};
    const framemap_status status = build_list(&list, bytes, name);
    if (status == FRAMEMAP_OK) warn_of_damage(&list, host);
    fm_heap_free(list.heap, list.rows, list.capacity * sizeof *list.rows);
    fm_heap_free(list.heap, list.keys, list.key_capacity * sizeof *list.keys);
    return status;
}

const struct fm_mapper fm_kallsyms_mapper = {
    .info = {.name = FM_KALLSYMS_NAME,
             .summary = "symbols of a Linux kernel as text: /proc/kallsyms, System.map; and what nm prints"},
    .probe = kallsyms_probe,
    .inspect = kallsyms_inspect,
    .build = kallsyms_build,
};
