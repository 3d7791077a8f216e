/* Sections by name and by address, symbols in the order of their addresses. */
#include "mappers/image/image_inner.h"

#include "core/hash.h"
#include "core/text.h"

#define TLS_NOBITS_TYPE 8 /* SHT_NOBITS: .tbss has addresses that the sections after it have too, and no memory there */

static uint64_t hash_name(framemap_str name) { return fm_hash64(name.data, name.size, 0); }

bool fm_image_index_sections(struct fm_image *image)
{
    struct fm_image_inner *inner = image->inner;
    const uint32_t count = image->section_count;

    inner->by_name = FM_ARENA_ARRAY(image->arena, struct fm_key, count);
    inner->by_address = FM_ARENA_ARRAY(image->arena, struct fm_key, count);
    if (inner->by_name == NULL || inner->by_address == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct fm_section *section = &image->sections[i];
        inner->by_name[i] = (struct fm_key){hash_name(section->name), i};
        if (!(section->flags & FM_SECTION_ALLOC) || section->size == 0) continue;
        if (section->type == TLS_NOBITS_TYPE && fm_str_starts(section->name, FM_STR(".tbss"))) continue;
        inner->by_address[inner->by_address_count++] = (struct fm_key){section->address, i};
    }
    return fm_keys_sort(image->arena->heap, inner->by_name, count, NULL, NULL) &&
           fm_keys_sort(image->arena->heap, inner->by_address, inner->by_address_count, NULL, NULL);
}

uint32_t fm_image_section(const struct fm_image *image, framemap_str name)
{
    const struct fm_key *keys = image->inner->by_name;
    const uint64_t hash = hash_name(name);

    for (size_t i = fm_keys_lower(keys, image->section_count, hash); i < image->section_count && keys[i].key == hash; i++) {
        if (fm_str_equal(image->sections[keys[i].number].name, name)) return keys[i].number;
    }
    return UINT32_MAX;
}

uint32_t fm_image_section_at(const struct fm_image *image, uint64_t address)
{
    const struct fm_image_inner *inner = image->inner;
    size_t after = inner->by_address_count;

    if (address != UINT64_MAX) after = fm_keys_lower(inner->by_address, inner->by_address_count, address + 1);
    if (after == 0) return UINT32_MAX;
    const uint32_t number = inner->by_address[after - 1].number;
    return address - image->sections[number].address < image->sections[number].size ? number : UINT32_MAX;
}

bool fm_image_is_code(const struct fm_image *image, uint64_t address)
{
    const uint32_t number = fm_image_section_at(image, address);
    return number != UINT32_MAX && (image->sections[number].flags & FM_SECTION_EXEC) != 0;
}

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
