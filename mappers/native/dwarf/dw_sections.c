/* Loads the debug sections of an image and computes the budgets. See dw_sections.h. */
#include "mappers/native/dwarf/dw_sections.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "core/text/text.h"

/* The budget: each byte of a debug section may be decoded through references WORK_PER_BYTE times; small files get a
 * minimum, in bytes. The most that was seen in a real program is 40 (abbreviation tables shared by units of a link-time
 * optimised program). */
#define WORK_PER_BYTE 64
#define WORK_FLOOR ((uint64_t)1 << 22)

static framemap_status contents(const struct fm_image *image, const char *name,
                                void (*fault)(void *context, const framemap_error *fault), void *context,
                                framemap_str *out)
{
    framemap_error error = {0};
    uint32_t section = fm_image_section(image, framemap_str_of(name));

    *out = (framemap_str){NULL, 0};
    if (section == UINT32_MAX) return FRAMEMAP_OK;
    const framemap_status status = fm_image_contents(image, section, out, &error);
    if (status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY) return status;
    fm_error_where(&error, framemap_str_of(name));
    fault(context, &error);
    *out = (framemap_str){NULL, 0};
    return FRAMEMAP_OK;
}

/* A debug section to load. */
struct wanted_section {
    const char *name;
    framemap_str *to;
    bool all; /* the file may have several sections of this name */
};

/* Appends to a section all other sections of its name. An object file may have several sections of units: one for the
 * compilation unit, and one for each type that the linker may drop (-fdebug-types-section). */
static framemap_status append_namesakes(const struct fm_image *image, const char *name, uint32_t first,
                                        void (*fault)(void *context, const framemap_error *fault), void *context,
                                        framemap_str *out)
{
    const framemap_str wanted = framemap_str_of(name);
    const uint64_t most = fm_limit_inflated(image->bytes.size);
    struct fm_buf all;

    fm_buf_init(&all, image->arena->heap);
    fm_buf_str(&all, *out);
    if (out->size > most) return FRAMEMAP_OK;
    for (uint32_t i = first + 1; i < image->section_count && !all.failed; i++) {
        framemap_error error = {0};
        framemap_str more;
        if (!fm_str_equal(image->sections[i].name, wanted)) continue;
        framemap_status status = fm_image_contents(image, i, &more, &error);
        if (status == FRAMEMAP_OK && more.size > most - all.size)
            status = fm_error_set(&error, FRAMEMAP_E_LIMIT, "the sections of this name overlap");
        if (status == FRAMEMAP_OK) fm_buf_str(&all, more);
        fm_error_where(&error, wanted);
        if (status != FRAMEMAP_OK && status != FRAMEMAP_E_MEMORY) fault(context, &error);
        if (status == FRAMEMAP_E_LIMIT) break;
        all.failed = all.failed || status == FRAMEMAP_E_MEMORY;
    }
    const bool good = !all.failed && fm_arena_str(image->arena, fm_buf_view(&all), out);
    fm_buf_free(&all);
    return good ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
}

static bool has_namesake(const struct fm_image *image, uint32_t first)
{
    for (uint32_t i = first + 1; i < image->section_count; i++)
        if (fm_str_equal(image->sections[i].name, image->sections[first].name)) return true;
    return false;
}

static framemap_status load_one(const struct fm_image *image, const struct wanted_section *wanted,
                                void (*fault)(void *context, const framemap_error *fault), void *context)
{
    const uint32_t first = fm_image_section(image, framemap_str_of(wanted->name));
    const framemap_status status = contents(image, wanted->name, fault, context, wanted->to);

    if (status != FRAMEMAP_OK || !wanted->all || first == UINT32_MAX || !has_namesake(image, first)) return status;
    return append_namesakes(image, wanted->name, first, fault, context, wanted->to);
}

static framemap_str cut_after_last_nul(framemap_str bytes)
{
    while (bytes.size > 0 && bytes.data[bytes.size - 1] != '\0') bytes.size--;
    return bytes;
}

static uint64_t work_of(uint64_t bytes)
{
    return bytes < UINT64_MAX / (4 * WORK_PER_BYTE) ? bytes * WORK_PER_BYTE : UINT64_MAX / 4;
}

void fm_dw_sections_inflate(struct fm_image *image, unsigned threads)
{
    /* the sections in the order in which they are prepared: those that are usually the largest come first */
    static const framemap_str names[] = {FM_STR_INIT(".debug_info"),        FM_STR_INIT(".debug_line"),
                                         FM_STR_INIT(".debug_str"),         FM_STR_INIT(".debug_rnglists"),
                                         FM_STR_INIT(".debug_ranges"),      FM_STR_INIT(".debug_abbrev"),
                                         FM_STR_INIT(".debug_line_str"),    FM_STR_INIT(".debug_addr"),
                                         FM_STR_INIT(".debug_str_offsets"), FM_STR_INIT(".debug_aranges")};

    fm_image_inflate_ahead(image, names, sizeof names / sizeof *names, threads);
}

void fm_dw_sections_set_work(struct fm_dw_sections *sections)
{
    const uint64_t bytes = (uint64_t)sections->info.size + sections->abbrev.size + sections->str.size +
                           sections->line_str.size + sections->str_offsets.size + sections->addr.size +
                           sections->line.size + sections->ranges.size + sections->rnglists.size +
                           sections->aranges.size;
    sections->work = work_of(bytes) + WORK_FLOOR;
    sections->work_left = sections->work;
}

static framemap_status load(const struct fm_image *image, const struct wanted_section *wanted, size_t count,
                            struct fm_dw_sections *out, void (*fault)(void *context, const framemap_error *fault),
                            void *context, framemap_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (load_one(image, &wanted[i], fault, context) != FRAMEMAP_OK) return fm_error_memory(error);
    }
    out->str = cut_after_last_nul(out->str);
    out->line_str = cut_after_last_nul(out->line_str);
    return FRAMEMAP_OK;
}

framemap_status fm_dw_sections_load_split(const struct fm_image *image, struct fm_dw_sections *out,
                                          void (*fault)(void *context, const framemap_error *fault), void *context,
                                          framemap_error *error)
{
    const struct wanted_section wanted[] = {{".debug_info.dwo", &out->info, true},
                                            {".debug_abbrev.dwo", &out->abbrev, false},
                                            {".debug_str.dwo", &out->str, false},
                                            {".debug_str_offsets.dwo", &out->str_offsets, false},
                                            {".debug_rnglists.dwo", &out->rnglists, false}};

    *out = (struct fm_dw_sections){.big_endian = image->big_endian};
    const framemap_status status = load(image, wanted, sizeof wanted / sizeof *wanted, out, fault, context, error);
    fm_dw_sections_set_work(out);
    return status;
}

framemap_status fm_dw_sections_load(const struct fm_image *image, struct fm_dw_sections *out,
                                    void (*fault)(void *context, const framemap_error *fault), void *context,
                                    framemap_error *error)
{
    const struct wanted_section wanted[] = {{".debug_info", &out->info, true},
                                            {".debug_abbrev", &out->abbrev, false},
                                            {".debug_str", &out->str, false},
                                            {".debug_line_str", &out->line_str, false},
                                            {".debug_str_offsets", &out->str_offsets, false},
                                            {".debug_addr", &out->addr, false},
                                            {".debug_line", &out->line, false},
                                            {".debug_ranges", &out->ranges, false},
                                            {".debug_rnglists", &out->rnglists, false},
                                            {".debug_aranges", &out->aranges, false}};

    *out = (struct fm_dw_sections){.big_endian = image->big_endian};
    const framemap_status status = load(image, wanted, sizeof wanted / sizeof *wanted, out, fault, context, error);
    fm_dw_sections_set_work(out);
    return status;
}

void fm_dw_sections_share(struct fm_dw_sections *sections, size_t units)
{
    const uint64_t lists = (uint64_t)sections->ranges.size + sections->rnglists.size;
    sections->list_work = (work_of(lists) + WORK_FLOOR) / (units > 0 ? units : 1);
}

uint64_t fm_dw_list_work(const struct fm_dw_sections *sections, uint64_t unit_bytes)
{
    return work_of(unit_bytes) + sections->list_work;
}

bool fm_dw_spend(struct fm_dw_sections *sections, uint64_t bytes)
{
    if (bytes > sections->work_left) {
        sections->work_left = 0;
        return false;
    }
    sections->work_left -= bytes;
    return true;
}

framemap_str fm_dw_string_at(framemap_str section, uint64_t offset)
{
    if (offset >= section.size) return (framemap_str){NULL, 0};
    const char *at = section.data + offset;
    return fm_str(at, strlen(at));
}
