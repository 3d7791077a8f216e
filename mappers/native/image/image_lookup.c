/* Finds sections by name and address. See image_lookup.h. */
#include "mappers/native/image/image_lookup.h"

#include "core/hash/hash.h"
#include "core/text/text.h"
#include "mappers/native/image/image_inner.h"

static bool takes_memory(const struct fm_section *section)
{
    return (section->flags & FM_SECTION_ALLOC) && !(section->flags & FM_SECTION_THREAD) && section->size > 0;
}

/* --- looking up sections by name --- */

static uint64_t hash_name(const struct fm_image *image, framemap_str name)
{
    return fm_hash_text(name, fm_hash_key(image->inner));
}

static bool index_names(struct fm_image *image)
{
    struct fm_key *keys = FM_ARENA_ARRAY(image->arena, struct fm_key, image->section_count);

    if (keys == NULL) return false;
    for (uint32_t i = 0; i < image->section_count; i++)
        keys[i] = (struct fm_key){hash_name(image, image->sections[i].name), i};
    image->inner->by_name = keys;
    return fm_keys_sort(image->arena->heap, keys, image->section_count, NULL, NULL);
}

static uint32_t search_name(const struct fm_image *image, framemap_str name)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (fm_str_equal(image->sections[i].name, name)) return i;
    }
    return UINT32_MAX;
}

uint32_t fm_image_section(const struct fm_image *image, framemap_str name)
{
    if (image->inner == NULL) return search_name(image, name);
    const struct fm_key *keys = image->inner->by_name;
    const uint64_t hash = hash_name(image, name);

    for (size_t i = fm_keys_lower(keys, image->section_count, hash); i < image->section_count && keys[i].key == hash;
         i++) {
        if (fm_str_equal(image->sections[keys[i].number].name, name)) return keys[i].number;
    }
    return UINT32_MAX;
}

const char *fm_image_split_type(const struct fm_image *image)
{
    if (fm_image_section(image, FM_STR(".debug_info")) != UINT32_MAX) return NULL;
    if (fm_image_section(image, FM_STR(".debug_info.dwo")) == UINT32_MAX) return NULL;
    return fm_image_section(image, FM_STR(".debug_cu_index")) != UINT32_MAX ? FM_TYPE_DWP : FM_TYPE_DWO;
}

/* --- looking up sections by address --- */

/* State of a sweep over the sections by ascending start: a stack of the sections that have started and not ended; the
 * one that started last is on top. */
struct open_sections {
    const struct fm_image *image;
    uint32_t *stack;
    uint32_t depth;
};

static uint64_t end_of(const struct fm_section *section)
{
    return section->size > UINT64_MAX - section->address ? UINT64_MAX : section->address + section->size;
}

static uint64_t end_of_top(const struct open_sections *open)
{
    return end_of(&open->image->sections[open->stack[open->depth - 1]]);
}

static void begin_stretch(struct fm_image_inner *inner, uint64_t address, uint32_t number)
{
    const uint32_t last = inner->by_address_count;

    if (last > 0 && inner->by_address[last - 1].key == address)
        inner->by_address[last - 1].number = number;
    else
        inner->by_address[inner->by_address_count++] = (struct fm_key){address, number};
}

/* Ends every section that does not extend beyond `address`; then the next section on the stack continues. */
static void close_sections(struct open_sections *open, uint64_t address)
{
    while (open->depth > 0 && end_of_top(open) <= address) {
        const uint64_t end = end_of_top(open);
        while (open->depth > 0 && end_of_top(open) <= end) open->depth--;
        begin_stretch(open->image->inner, end, open->depth > 0 ? open->stack[open->depth - 1] : UINT32_MAX);
    }
}

/* Divides the address space into intervals that each belong to one section or to none. A lookup is then one binary
 * search, even if sections overlap. */
static bool index_addresses(struct fm_image *image)
{
    struct open_sections open = {.image = image};
    struct fm_key *starts = FM_ARENA_ARRAY(image->arena, struct fm_key, image->section_count);
    uint32_t count = 0;

    image->inner->by_address_count = 0; /* tests change the sections and call this again */
    open.stack = FM_ARENA_ARRAY(image->arena, uint32_t, image->section_count);
    image->inner->by_address = FM_ARENA_ARRAY(image->arena, struct fm_key, (size_t)image->section_count * 2);
    if (starts == NULL || open.stack == NULL || image->inner->by_address == NULL) return false;
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (takes_memory(&image->sections[i])) starts[count++] = (struct fm_key){image->sections[i].address, i};
    }
    if (!fm_keys_sort(image->arena->heap, starts, count, NULL, NULL)) return false;
    for (uint32_t i = 0; i < count; i++) {
        close_sections(&open, starts[i].key);
        begin_stretch(image->inner, starts[i].key, starts[i].number);
        open.stack[open.depth++] = starts[i].number;
    }
    close_sections(&open, UINT64_MAX);
    return true;
}

/* Finds the section by linear search, for images that tests build by hand: they have few sections and no lookup
 * tables. */
static uint32_t search_address(const struct fm_image *image, uint64_t address)
{
    for (uint32_t i = image->section_count; i > 0; i--) {
        const struct fm_section *section = &image->sections[i - 1];
        if (takes_memory(section) && address >= section->address && address - section->address < section->size)
            return i - 1;
    }
    return UINT32_MAX;
}

uint32_t fm_image_section_around(const struct fm_image *image, uint64_t address, uint64_t *low, uint64_t *high)
{
    const struct fm_image_inner *inner = image->inner;

    *low = address;
    *high = address == UINT64_MAX ? address : address + 1;
    if (inner == NULL) return search_address(image, address);
    if (address == UINT64_MAX) return UINT32_MAX;
    const size_t after = fm_keys_lower(inner->by_address, inner->by_address_count, address + 1);
    *low = after == 0 ? 0 : inner->by_address[after - 1].key;
    *high = after == inner->by_address_count ? UINT64_MAX : inner->by_address[after].key;
    return after == 0 ? UINT32_MAX : inner->by_address[after - 1].number;
}

uint32_t fm_image_section_at(const struct fm_image *image, uint64_t address)
{
    uint64_t low;
    uint64_t high;

    return fm_image_section_around(image, address, &low, &high);
}

bool fm_image_is_code(const struct fm_image *image, uint64_t address)
{
    const uint32_t number = fm_image_section_at(image, address);
    return number != UINT32_MAX && (image->sections[number].flags & FM_SECTION_EXEC) != 0;
}

bool fm_image_index_sections(struct fm_image *image) { return index_names(image) && index_addresses(image); }

/* --- sorting symbols --- */

bool fm_symbols_sort(struct fm_image *image)
{
    const size_t count = image->symbol_count;
    struct fm_heap *heap = image->arena->heap;

    if (count < 2) return true;
    if (count > UINT32_MAX) return false;
    struct fm_key *keys = fm_heap_zalloc(heap, count, sizeof *keys);
    struct fm_symbol *sorted = FM_ARENA_ARRAY(image->arena, struct fm_symbol, count);
    bool done = keys != NULL && sorted != NULL;
    for (size_t i = 0; done && i < count; i++) keys[i] = (struct fm_key){image->symbols[i].address, (uint32_t)i};
    done = done && fm_keys_sort(heap, keys, count, NULL, NULL);
    if (done) {
        for (size_t i = 0; i < count; i++) sorted[i] = image->symbols[keys[i].number];
        image->symbols = sorted;
    }
    fm_heap_free(heap, keys, keys != NULL ? count * sizeof *keys : 0);
    return done;
}
