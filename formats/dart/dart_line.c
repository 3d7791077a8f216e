/* Implements dart_line.h: parses the header of a Dart trace without symbols (system, build id, addresses where code
 * begins) and its frames, computes for each frame an offset in the program, and prints such lines again. */
#include "formats/dart/dart_line.h"

#define START "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***"

static const struct {
    framemap_str name;
    bool in_vm;
} texts[] = {
    {FM_STR_INIT("_kDartSnapshotText"), false},
    {FM_STR_INIT("_kDartIsolateSnapshotInstructions"), false},
    {FM_STR_INIT("_kDartVmSnapshotInstructions"), true},
};

/* --- parsing small parts of lines --- */

/* Moves over a key and the separator after it: "KEY: " or "KEY=". */
static bool key(struct fm_scan *s, framemap_str name)
{
    struct fm_scan at = *s;
    if (!fm_scan_text(&at, name)) return false;
    if (!fm_scan_text(&at, FM_STR(": ")) && !fm_scan_byte(&at, '=')) return false;
    *s = at;
    return true;
}

/* Moves over ", " or " ". */
static bool gap(struct fm_scan *s)
{
    struct fm_scan at = *s;
    (void)fm_scan_byte(&at, ',');
    if (!fm_scan_byte(&at, ' ')) return false;
    *s = at;
    return true;
}

/* Parses a word up to a comma or blank, at most 15 bytes. */
static bool word(struct fm_scan *s, char out[16])
{
    const char *from = s->at;
    while (s->at != s->end && *s->at != ',' && *s->at != ' ') s->at++;
    const size_t size = (size_t)(s->at - from);
    if (size == 0 || size >= 16) return false;
    memcpy(out, from, size);
    out[size] = 0;
    return true;
}

static bool hex(struct fm_scan *s, uint64_t *out) { return fm_scan_hex(s, out, NULL, NULL); }

/* Parses a quoted id, 'HEX', and writes its digits in lower case. */
static bool quoted_id(struct fm_scan *s, char out[65])
{
    framemap_str digits;
    if (!fm_scan_byte(s, '\'') || !fm_scan_until(s, '\'', &digits) || digits.size == 0 || digits.size > 64)
        return false;
    for (size_t i = 0; i < digits.size; i++) {
        if (!fm_is_hex(digits.data[i])) return false;
        out[i] = digits.data[i] >= 'A' && digits.data[i] <= 'F' ? (char)(digits.data[i] - 'A' + 'a') : digits.data[i];
    }
    out[digits.size] = 0;
    s->at++;
    return true;
}

/* The keys by which header lines are recognized. */
enum { KEY_OS, KEY_UNIT, KEY_ID, KEY_BASE, KEY_STARTS, KEYS };
static const framemap_str key_names[KEYS] = {FM_STR_INIT("os"), FM_STR_INIT("loading_unit"), FM_STR_INIT("build_id"),
                                             FM_STR_INIT("isolate_dso_base"), FM_STR_INIT("isolate_instructions")};

/* For each key, the text that follows its first occurrence in the line; `at` is NULL if the key does not occur. */
struct keys {
    struct fm_scan after[KEYS];
};

/* Whether a text ends with a key. The last byte is compared first, which usually avoids a call. */
static bool ends_with_key(framemap_str before, framemap_str name)
{
    return before.size >= name.size && before.data[before.size - 1] == name.data[name.size - 1] &&
           fm_str_ends(before, name);
}

static void note_key(framemap_str before, struct fm_scan after, struct keys *keys)
{
    for (int i = 0; i < KEYS; i++) {
        struct fm_scan *first = &keys->after[i];
        if (ends_with_key(before, key_names[i]) && (first->at == NULL || first->at > after.at)) *first = after;
    }
}

/* Finds all keys: looks for each ": " and "=" in the line, and compares the text before it with the keys. */
static void find_keys(framemap_str line, struct keys *keys)
{
    const char *end = line.data + line.size;
    *keys = (struct keys){{{NULL, NULL}}};
    for (const char *p = line.data; (p = fm_find(p, (size_t)(end - p), ':')); p++)
        if (end - p > 1 && p[1] == ' ')
            note_key(fm_str(line.data, (size_t)(p - line.data)), (struct fm_scan){p + 2, end}, keys);
    for (const char *p = line.data; (p = fm_find(p, (size_t)(end - p), '=')); p++)
        note_key(fm_str(line.data, (size_t)(p - line.data)), (struct fm_scan){p + 1, end}, keys);
}

/* --- parsing the lines of a trace's header --- */

static void forget_starts(struct fm_dart_header *header) { header->has_starts = false; }

static void forget_base(struct fm_dart_header *header)
{
    header->has_base = false;
    forget_starts(header);
}

static void forget_units(struct fm_dart_header *header)
{
    header->unit_count = 0;
    forget_base(header);
}

static void forget_id(struct fm_dart_header *header)
{
    header->id[0] = 0;
    forget_units(header);
}

static bool os_line(struct fm_dart_header *header, struct fm_scan s)
{
    char os[16], arch[16];
    if (s.at == NULL) return false;
    fm_scan_blanks(&s); /* package:stack_trace adds blanks before a value to align its columns */
    if (!word(&s, os) || !gap(&s) || !key(&s, FM_STR("arch")) || !word(&s, arch)) return false;
    if (!gap(&s) || !key(&s, FM_STR("comp"))) return false;
    memcpy(header->os, os, sizeof os);
    memcpy(header->arch, arch, sizeof arch);
    forget_id(header);
    return true;
}

/* Adds a unit to the header. The build id of unit 1, the main program, also becomes the header's, unless the header
 * already has one. */
static void add_unit(struct fm_dart_header *header, const struct fm_dart_unit *unit, uint64_t base)
{
    unsigned at = 0;
    while (at < header->unit_count && header->units[at].number != unit->number) at++;
    if (at == FM_DART_UNITS) return;
    header->units[at] = *unit;
    if (at == header->unit_count) header->unit_count++;
    if (unit->number == 1 && header->id[0] == 0) memcpy(header->id, unit->id, sizeof unit->id);
    (void)base;
}

static bool unit_line(struct fm_dart_header *header, struct fm_scan s)
{
    struct fm_dart_unit unit = {.id = ""};
    uint64_t base;
    if (s.at == NULL || !fm_scan_dec(&s, &unit.number, NULL) || !gap(&s)) return false;
    if (key(&s, FM_STR("build_id")) && (!quoted_id(&s, unit.id) || !gap(&s))) return false;
    if (!key(&s, FM_STR("dso_base")) || !hex(&s, &base) || !gap(&s)) return false;
    if (!key(&s, FM_STR("instructions")) || !hex(&s, &unit.start)) return false;
    forget_base(header);
    add_unit(header, &unit, base);
    return true;
}

static bool id_line(struct fm_dart_header *header, struct fm_scan s)
{
    char id[65];
    if (s.at == NULL || !quoted_id(&s, id)) return false;
    forget_id(header);
    memcpy(header->id, id, sizeof id);
    return true;
}

static bool base_line(struct fm_dart_header *header, struct fm_scan s)
{
    uint64_t base;
    if (s.at == NULL || !hex(&s, &base)) return false;
    forget_base(header);
    header->has_base = true;
    header->base = base;
    return true;
}

static bool starts_line(struct fm_dart_header *header, struct fm_scan s)
{
    uint64_t isolate, vm;
    if (s.at == NULL || !hex(&s, &isolate) || !gap(&s)) return false;
    if (!key(&s, FM_STR("vm_instructions")) || !hex(&s, &vm)) return false;
    header->has_starts = true;
    header->isolate_start = isolate;
    header->vm_start = vm;
    return true;
}

/* Whether a line has the row of stars that begins the header of a trace. Android tombstones begin with the same
 * stars. */
static bool has_stars(framemap_str line) { return fm_str_find(line, FM_STR(START)) != FM_NOT_FOUND; }

bool fm_dart_header_line(struct fm_dart_header *header, framemap_str line)
{
    if (has_stars(line)) {
        *header = (struct fm_dart_header){.unit_count = 0};
        return true;
    }
    struct keys keys;
    find_keys(line, &keys);
    return os_line(header, keys.after[KEY_OS]) || unit_line(header, keys.after[KEY_UNIT]) ||
           id_line(header, keys.after[KEY_ID]) || base_line(header, keys.after[KEY_BASE]) ||
           starts_line(header, keys.after[KEY_STARTS]);
}

/* --- parsing the lines with frames --- */

/* Parses the offset in "SYMBOL+0x12". Without "0x" it is hexadecimal if it contains letters, otherwise decimal. */
static bool offset_of(struct fm_scan *s, uint64_t *out)
{
    uint64_t number;
    if (fm_scan_text(s, FM_STR("0x"))) return hex(s, out);
    struct fm_scan decimal = *s;
    if (fm_scan_dec(&decimal, &number, NULL) && (fm_scan_done(&decimal) || !fm_is_hex(*decimal.at))) {
        *out = number;
        return true;
    }
    return hex(s, out);
}

static void find_symbol(framemap_str rest, struct fm_dart_row *row)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts && !row->has_symbol; i++) {
        const framemap_str name = texts[i].name;
        /* Nearly all rows begin with the first symbol of the list, so the start is compared without a call before the
         * text is searched. */
        const bool is_first = fm_str_same(fm_str_slice(rest, 0, name.size), name);
        const size_t at = is_first ? 0 : fm_str_find(rest, name);
        if (at == FM_NOT_FOUND) continue;
        struct fm_scan s = fm_scan_of(fm_str_from(rest, at + name.size));
        if (!fm_scan_byte(&s, '+') || !offset_of(&s, &row->offset)) continue;
        row->has_symbol = true;
        row->in_vm = texts[i].in_vm;
        row->symbol = fm_str_slice(rest, at, at + name.size);
    }
}

/* Parses " NAME NUMBER". It is accepted only if a blank follows. */
static bool numbered(struct fm_scan *s, framemap_str name, bool (*read)(struct fm_scan *, uint64_t *), uint64_t *out)
{
    struct fm_scan at = *s;
    if (!fm_scan_byte(&at, ' ') || !fm_scan_text(&at, name) || !fm_scan_byte(&at, ' ')) return false;
    if (!read(&at, out) || fm_scan_done(&at) || *at.at != ' ') return false;
    *s = at;
    return true;
}

static bool dec(struct fm_scan *s, uint64_t *out) { return fm_scan_dec(s, out, NULL); }

static bool row_at(framemap_str text, struct fm_dart_row *row)
{
    struct fm_scan s = fm_scan_of(text);
    *row = (struct fm_dart_row){.from = 0};
    if (!fm_scan_byte(&s, '#') || !dec(&s, &row->index) || !fm_scan_text(&s, FM_STR(" abs ")) ||
        !hex(&s, &row->absolute))
        return false;
    row->has_unit = numbered(&s, FM_STR("unit"), dec, &row->unit);
    row->has_virtual = numbered(&s, FM_STR("virt"), hex, &row->virtual_address);
    if (!fm_scan_byte(&s, ' ')) return false;
    find_symbol(fm_scan_rest(&s), row);
    return true;
}

bool fm_dart_row_parse(framemap_str line, struct fm_dart_row *out)
{
    for (size_t at = 0; at < line.size; at++) {
        const char *hash = fm_find(line.data + at, line.size - at, '#');
        if (hash == NULL) return false;
        at = (size_t)(hash - line.data);
        if (!row_at(fm_str_from(line, at), out)) continue;
        while (at > 0 && (fm_is_blank(line.data[at - 1]) || line.data[at - 1] == '\v' || line.data[at - 1] == '\f'))
            at--;
        out->from = at;
        return true;
    }
    return false;
}

/* --- locating the code of a frame --- */

static const struct fm_dart_unit *unit_of(const struct fm_dart_header *header, uint64_t number)
{
    for (unsigned i = 0; i < header->unit_count; i++)
        if (header->units[i].number == number) return &header->units[i];
    return NULL;
}

const char *fm_dart_id(const struct fm_dart_header *header, uint64_t unit)
{
    const struct fm_dart_unit *row = unit_of(header, unit);
    if (row && row->id[0]) return row->id;
    return unit == 1 ? header->id : "";
}

framemap_str fm_dart_arch(const char *arch)
{
    static const struct {
        const char *dart;
        framemap_str name;
    } names[] = {{"x64", FM_STR_INIT("x86_64")},     {"ia32", FM_STR_INIT("i386")}, {"x86", FM_STR_INIT("i386")},
                 {"arm64", FM_STR_INIT("arm64")},    {"arm", FM_STR_INIT("arm")},   {"riscv64", FM_STR_INIT("riscv64")},
                 {"riscv32", FM_STR_INIT("riscv32")}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(arch, names[i].dart) == 0) return names[i].name;
    return (framemap_str){NULL, 0};
}

/* Chooses the section of instructions with the highest start that is not above the address. If all start above the
 * address, the lowest one is chosen. */
static void by_starts(const struct fm_dart_header *header, uint64_t absolute, struct fm_dart_location *out)
{
    *out = (struct fm_dart_location){.unit = 1, .offset = absolute - header->isolate_start};
    for (unsigned i = 0; i < header->unit_count; i++) {
        const uint64_t offset = absolute - header->units[i].start;
        /* As unsigned numbers, negative distances are large; the largest is the nearest. */
        const bool below = (int64_t)offset < 0, best_below = (int64_t)out->offset < 0;
        if (below == best_below ? (below ? offset >= out->offset : offset <= out->offset) : best_below)
            *out = (struct fm_dart_location){.unit = header->units[i].number, .offset = offset};
    }
    const uint64_t offset = absolute - header->vm_start;
    const bool below = (int64_t)offset < 0, best_below = (int64_t)out->offset < 0;
    if (header->vm_start && (below == best_below ? (below ? offset > out->offset : offset < out->offset) : best_below))
        *out = (struct fm_dart_location){.unit = 1, .in_vm = true, .offset = offset};
}

bool fm_dart_locate(const struct fm_dart_header *header, const struct fm_dart_row *row, struct fm_dart_location *out)
{
    const uint64_t unit = row->has_unit ? row->unit : 1;
    if (row->has_unit && unit_of(header, unit) == NULL) return false;
    if (unit == 1 && row->has_symbol) {
        *out = (struct fm_dart_location){.unit = 1, .in_vm = row->in_vm, .offset = row->offset};
        return true;
    }
    if (header->has_starts) {
        by_starts(header, row->absolute, out);
        return true;
    }
    *out = (struct fm_dart_location){.unit = unit, .linked = true, .offset = row->virtual_address};
    return row->has_virtual;
}

/* --- printing rows of frames --- */

enum { WIDTH = 8 }; /* the text before a name is padded to this width */

void fm_dart_put_row(struct fm_buf *out, uint64_t number, const framemap_frame *frame)
{
    const size_t from = out->size;
    fm_buf_byte(out, '#');
    fm_buf_dec(out, number);
    do fm_buf_byte(out, ' ');
    while (!out->failed && out->size - from < WIDTH);
    fm_buf_str(out, frame->function.size ? frame->function : frame->symbol);
    if (frame->file.size == 0) {
        if (fm_dart_is_stub(frame) && frame->has_function_offset) {
            fm_buf_str(out, FM_STR("+0x"));
            fm_buf_hex(out, frame->function_offset, 1);
        }
        return;
    }
    fm_buf_str(out, FM_STR(" ("));
    fm_buf_str(out, frame->file);
    if (frame->line) {
        fm_buf_byte(out, ':');
        fm_buf_dec(out, frame->line);
    }
    if (frame->line && frame->column) {
        fm_buf_byte(out, ':');
        fm_buf_dec(out, frame->column);
    }
    fm_buf_byte(out, ')');
}

static void put_id(struct fm_buf *out, const char *id)
{
    if (id[0] == '\0') return;
    fm_buf_printf(out, "build_id: '%s'\n", id);
}

void fm_dart_put_header(struct fm_buf *out, const struct fm_dart_header *header, framemap_str thread)
{
    fm_buf_str(out, FM_STR(START "\npid: 0, tid: 0, name "));
    fm_buf_str(out, thread.size ? thread : FM_STR("main"));
    fm_buf_printf(out, "\nos: %s arch: %s comp: no sim: no\n", header->os, header->arch);
    put_id(out, header->id);
    fm_buf_str(out, FM_STR("isolate_dso_base: "));
    fm_buf_hex(out, header->base, 1);
    fm_buf_str(out, FM_STR(", vm_dso_base: "));
    fm_buf_hex(out, header->vm_start ? header->base : 0, 1);
    fm_buf_str(out, FM_STR("\nisolate_instructions: "));
    fm_buf_hex(out, header->isolate_start, 1);
    fm_buf_str(out, FM_STR(", vm_instructions: "));
    fm_buf_hex(out, header->vm_start, 1);
    fm_buf_byte(out, '\n');
}

void fm_dart_put_raw_row(struct fm_buf *out, const struct fm_dart_raw_row *row)
{
    const unsigned digits = row->narrow ? 8 : 16;
    fm_buf_printf(out, "    #%02llu abs ", (unsigned long long)row->index);
    fm_buf_hex(out, row->absolute, digits);
    if (row->has_virtual) {
        fm_buf_str(out, FM_STR(" virt "));
        fm_buf_hex(out, row->virtual_address, digits);
    }
    fm_buf_byte(out, ' ');
    fm_buf_str(out, row->symbol);
    fm_buf_str(out, FM_STR("+0x"));
    fm_buf_hex(out, row->offset, 1);
    fm_buf_byte(out, '\n');
}
