/* The simple DWARF reader: opens an image and reports its claims. See plain_reader.h. */
#include "tests/mappers/native/plain_reader.h"

#include "mappers/native/dwarf/dw_constants.h"
#include "tests/mappers/native/plain_inner.h"

/* Sorts ranges by ascending start; the sort is stable. */
static void sort_ranges(struct range_list *list)
{
    for (size_t i = 1; i < list->count; i++) {
        const struct fm_dw_range range = list->items[i];
        size_t at = i;
        for (; at > 0 && list->items[at - 1].low > range.low; at--) list->items[at] = list->items[at - 1];
        list->items[at] = range;
    }
}

/* Adds the ranges that .debug_aranges has for a unit, in ascending order. */
static void add_address_sets(const struct fm_dw_debug *debug, const struct unit *unit, struct range_list *list)
{
    struct fm_byte_reader r = plain_section_at(debug, ARANGES, 0);
    struct range_list found = {NULL, 0};

    while (!r.bad && r.at < r.size) {
        const size_t from = r.at;
        unsigned offset_size;
        const uint64_t length = plain_read_length(&r, &offset_size);
        const size_t end = r.at + (size_t)length;
        fm_read_u16(&r);
        const bool mine = fm_read_uint(&r, offset_size) == unit->offset;
        const unsigned width = fm_read_u8(&r);
        fm_read_u8(&r);
        while ((r.at - from) % (2 * width) != 0) r.at++;
        while (!r.bad && r.at + 2 * width <= end) {
            const uint64_t low = fm_read_uint(&r, width), size = fm_read_uint(&r, width);
            if (mine && size > 0) *ADD(found.items, found.count) = (struct fm_dw_range){low, low + size};
        }
        fm_byte_reader_seek(&r, end);
    }
    sort_ranges(&found);
    for (size_t i = 0; i < found.count; i++) plain_add_range(debug, list, found.items[i].low, found.items[i].high);
    free(found.items);
}

/* State while the ranges of the sequences of a unit's line program are collected. */
struct sequences {
    const struct fm_dw_debug *debug;
    struct range_list *list;
    uint64_t low;
    bool open;
};
static bool note_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct sequences *s = context;
    for (size_t i = 0; i < count; i++) {
        if (!s->open) s->low = rows[i].address;
        s->open = !rows[i].end_sequence;
        if (rows[i].end_sequence) plain_add_range(s->debug, s->list, s->low, rows[i].address);
    }
    return true;
}
static bool no_file(void *context, uint32_t number_of_file, framemap_str path)
{
    (void)context, (void)number_of_file, (void)path;
    return true;
}

static bool claim(struct fm_dw_debug *debug, size_t index, struct range_list *list,
                  const struct fm_dw_open_callbacks *survey)
{
    const struct unit *unit = &debug->units[index];
    struct fm_dw_claim reported = {.number = debug->claimed_count, .offset = unit->offset, .end = unit->end};

    if (unit->type != DW_UT_compile && unit->type != DW_UT_partial && unit->type != DW_UT_skeleton) return true;
    plain_read_ranges(debug, unit, &unit->root, list);
    const size_t own_count = list->count;
    add_address_sets(debug, unit, list);
    reported.listed_count = list->count - own_count;
    reported.weak = list->count == 0;
    if (reported.weak && unit->type != DW_UT_partial) {
        struct sequences sequences = {debug, list, 0, false};
        const struct fm_dw_visitor quiet = {.context = &sequences, .file = no_file, .rows = note_rows};
        struct fm_dw_worker worker = {.debug = debug, .visitor = &quiet};
        plain_run_lines(&worker, unit);
        free(worker.folders);
        free(worker.files);
    }
    reported.ranges = list->items;
    reported.range_count = list->count;
    if (list->count == 0) return true;
    if (debug->claimed_count == sizeof debug->claimed / sizeof *debug->claimed) abort();
    debug->claimed[debug->claimed_count++] = index;
    return survey->claim(survey->context, &reported);
}

static framemap_status open_image(const struct fm_image *image, const struct fm_mapper_host *host,
                                  const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                  framemap_error *error)
{
    static const char *const names[SECTIONS] = {
        ".debug_info",   ".debug_abbrev",   ".debug_str",  ".debug_line_str",    ".debug_line",
        ".debug_ranges", ".debug_rnglists", ".debug_addr", ".debug_str_offsets", ".debug_aranges"};
    struct fm_dw_debug *debug = calloc(1, sizeof *debug);
    struct range_list list = {NULL, 0};
    bool good = true;

    (void)host;
    if (debug == NULL) abort();
    debug->image = image;
    for (unsigned i = 0; i < SECTIONS; i++) {
        const uint32_t number_of_section = fm_image_section(image, framemap_str_of(names[i]));
        if (number_of_section != UINT32_MAX) fm_image_contents(image, number_of_section, &debug->sections[i], error);
    }
    plain_scan_units(debug);
    for (size_t i = 0; i < debug->unit_count && good; i++) good = claim(debug, i, &list, survey);
    free(list.items);
    *out = debug;
    return good ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
}

static void close_image(struct fm_dw_debug *debug)
{
    if (debug == NULL) return;
    free(debug->units);
    free(debug);
}

static framemap_status make_worker(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error)
{
    (void)error;
    *out = calloc(1, sizeof **out);
    if (*out == NULL) abort();
    (*out)->debug = debug;
    return FRAMEMAP_OK;
}

static void free_worker(struct fm_dw_worker *w)
{
    if (w == NULL) return;
    free(w->folders);
    free(w->files);
    free(w);
}

static uint8_t language_of(uint64_t dwarf)
{
    switch (dwarf) {
    case 0: return FM_LANGUAGE_UNKNOWN;
    case 0x01:
    case 0x02:
    case 0x0c:
    case 0x1d:
    case 0x2c: return FM_LANGUAGE_C;
    case 0x04:
    case 0x1a:
    case 0x21:
    case 0x2b: return FM_LANGUAGE_CXX;
    case 0x10:
    case 0x11: return FM_LANGUAGE_OBJC;
    case 0x1c: return FM_LANGUAGE_RUST;
    case 0x1e: return FM_LANGUAGE_SWIFT;
    default: return FM_LANGUAGE_OTHER;
    }
}

static framemap_status walk(struct fm_dw_worker *w, uint32_t number_of_unit, const struct fm_dw_visitor *visitor,
                            framemap_error *error)
{
    const struct unit *unit = &w->debug->units[w->debug->claimed[number_of_unit]];
    const framemap_str dwo = unit->root.slots[DWO_NAME].text;
    struct fm_byte_reader children = plain_unit_bytes(w->debug, unit, unit->first);
    struct entry root, child;
    const bool has_root = plain_read_entry(w->debug, unit, &children, &root);
    const bool has_child = has_root && root.children && plain_read_entry(w->debug, unit, &children, &child);
    const struct fm_dw_unit reported = {.split_file = dwo,
                                        .lacks_functions = dwo.size > 0 && !has_child,
                                        .number = number_of_unit,
                                        .offset = unit->offset,
                                        .version = (uint16_t)unit->version,
                                        .language = language_of(unit->root.slots[LANGUAGE].number),
                                        .name = unit->root.slots[NAME].text,
                                        .folder = unit->root.slots[FOLDER].text,
                                        .producer = unit->root.slots[PRODUCER].text};

    (void)error;
    w->visitor = visitor;
    const bool good = visitor->unit(visitor->context, &reported) && plain_run_lines(w, unit) &&
                      plain_run_functions(w) && visitor->unit_end(visitor->context);
    return good ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
}

const struct fm_dw_backend plain_reader = {.name = "plain",
                                           .threads = false,
                                           .open = open_image,
                                           .close = close_image,
                                           .worker = make_worker,
                                           .worker_free = free_worker,
                                           .walk = walk,
                                           .scopes = plain_scopes};
