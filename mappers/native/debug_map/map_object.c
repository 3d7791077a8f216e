/* Opens an object file of a debug map, and finds its functions in the image. See map_object.h. */
#include "mappers/native/debug_map/map_object.h"

#include "core/error.h"
#include "core/hash/hash.h"
#include "mappers/native/image/image.h"
#include "mappers/native/image/sorted_keys.h"

framemap_status fm_map_objects(const struct fm_image *image, struct fm_arena *arena, struct fm_map_object **out,
                               size_t *count, framemap_error *error)
{
    struct fm_debug_map map;
    const framemap_status status = fm_image_debug_map(image, arena, &map, error);

    *count = 0;
    *out = NULL;
    if (status != FRAMEMAP_OK) return status;
    *out = FM_ARENA_ARRAY(arena, struct fm_map_object, map.object_count);
    if (*out == NULL) return fm_error_memory(error);
    *count = map.object_count;
    for (size_t i = 0; i < map.object_count; i++) {
        const struct fm_debug_map_object *from = &map.objects[i];
        (*out)[i] = (struct fm_map_object){.path = from->path,
                                           .modified = from->modified,
                                           .functions = &map.functions[from->first],
                                           .function_count = from->count};
    }
    return FRAMEMAP_OK;
}

void fm_map_object_close(struct fm_map_object *object)
{
    struct fm_heap *heap = object->arena.heap;

    if (heap == NULL) return;
    fm_heap_free(heap, object->items, object->item_capacity * sizeof *object->items);
    fm_arena_free(&object->arena);
    object->items = NULL;
    object->item_capacity = 0;
    object->moves = (struct fm_address_moves){NULL, 0};
}

/* --- finding the functions of the object file in the image --- */

/* The functions of the object file by the hashes of their names. */
struct symbol_search {
    const struct fm_image *image;
    struct fm_key *keys;
    size_t count, capacity;
    uint64_t key;
};

/* Lists the functions of the object file. Data symbols are not listed, so the first listed symbol with a name is the
 * function of that name. */
static bool list_functions(struct symbol_search *search, struct fm_heap *heap)
{
    const struct fm_image *image = search->image;

    search->key = fm_hash_key(image);
    search->capacity = image->symbol_count;
    search->keys = fm_heap_zalloc(heap, search->capacity, sizeof *search->keys);
    if (search->keys == NULL) return false;
    for (size_t i = 0; i < image->symbol_count; i++)
        if (image->symbols[i].kind == FM_SYMBOL_FUNCTION)
            search->keys[search->count++] =
                (struct fm_key){fm_hash_text(image->symbols[i].name, search->key), (uint32_t)i};
    return fm_keys_sort(heap, search->keys, search->count, NULL, NULL);
}

/* Returns the first function of a name, or NULL. */
static const struct fm_symbol *find_function(const struct symbol_search *search, framemap_str name)
{
    const struct fm_image *image = search->image;
    const uint64_t hash = fm_hash_text(name, search->key);

    for (size_t at = fm_keys_lower(search->keys, search->count, hash);
         at < search->count && search->keys[at].key == hash; at++) {
        const struct fm_symbol *symbol = &image->symbols[search->keys[at].number];
        if (fm_str_equal(symbol->name, name)) return symbol;
    }
    return NULL;
}

/* Returns the end of a function's code: the end that the map states, or else the start of the next symbol, but never an
 * address after the function's section. */
static uint64_t end_of(const struct fm_image *image, const struct fm_symbol *symbol, uint64_t size)
{
    const struct fm_section *section = &image->sections[symbol->section];
    const struct fm_symbol *next = symbol, *const last = image->symbols + image->symbol_count;
    uint64_t left = section->size - (symbol->address - section->address);

    while (size == 0 && next < last && next->address == symbol->address) next++;
    if (size == 0 && next < last) size = next->address - symbol->address;
    if (size > 0 && size < left) left = size;
    return symbol->address + left;
}

static bool add_move(struct fm_map_object *object, const struct fm_symbol *symbol,
                     const struct fm_debug_map_function *function)
{
    const struct fm_section *section = &object->image.sections[symbol->section];
    const struct fm_address_move move = {symbol->address, end_of(&object->image, symbol, function->size),
                                         function->address};

    if (symbol->address < section->address || symbol->address - section->address >= section->size) return true;
    if (function->address > UINT64_MAX - (move.high - move.low)) return true;
    if (!FM_GROW(object->arena.heap, object->items, object->item_capacity, object->moves.count + 1)) return false;
    object->items[object->moves.count++] = move;
    return true;
}

/* Sorts the moves of functions by their addresses in the object file, and ends each function at the start of the next
 * one at the latest. If several moves start at one address, the first is kept. */
static bool sort_moves(struct fm_map_object *object)
{
    struct fm_heap *heap = object->arena.heap;
    const size_t count = object->moves.count;
    struct fm_key *keys = fm_heap_zalloc(heap, count, sizeof *keys);
    struct fm_address_move *sorted = fm_heap_zalloc(heap, count, sizeof *sorted);
    bool good = keys != NULL && sorted != NULL;
    size_t kept = 0;

    for (size_t i = 0; good && i < count; i++) keys[i] = (struct fm_key){object->items[i].low, (uint32_t)i};
    good = good && fm_keys_sort(heap, keys, count, NULL, NULL);
    for (size_t i = 0; good && i < count; i++) {
        const struct fm_address_move *next = &object->items[keys[i].number];
        if (kept > 0 && sorted[kept - 1].low == next->low) continue;
        if (kept > 0 && sorted[kept - 1].high > next->low) sorted[kept - 1].high = next->low;
        sorted[kept++] = *next;
    }
    if (good && kept > 0) memcpy(object->items, sorted, kept * sizeof *sorted);
    object->moves = (struct fm_address_moves){object->items, good ? kept : 0};
    fm_heap_free(heap, keys, count * sizeof *keys);
    fm_heap_free(heap, sorted, count * sizeof *sorted);
    return good;
}

/* Lists the moves of the object file's functions. found: number of functions of the map that the object file has. */
static bool list_moves(struct fm_map_object *object, size_t *found)
{
    struct fm_heap *heap = object->arena.heap;
    struct symbol_search search = {.image = &object->image};
    bool good = list_functions(&search, heap);

    *found = 0;
    for (size_t i = 0; good && i < object->function_count; i++) {
        const struct fm_symbol *symbol = find_function(&search, object->functions[i].name);
        if (symbol == NULL) continue;
        ++*found;
        good = add_move(object, symbol, &object->functions[i]);
    }
    if (search.keys != NULL) fm_heap_free(heap, search.keys, search.capacity * sizeof *search.keys);
    return good && sort_moves(object);
}

/* --- opening the object file --- */

static const char *refusal(const struct fm_map_object *object, const struct fm_image *image, size_t found)
{
    if (object->image.format != FM_IMAGE_MACHO || !object->image.relocatable || object->image.machine != image->machine)
        return "not an object file of this kind of program; it is not used";
    return found * 2 < object->function_count
               ? "it lacks functions that were linked from it, so it is of another build; "
                 "it is not used"
               : NULL;
}

framemap_status fm_map_object_open(struct fm_map_object *object, const struct fm_image *image, struct fm_heap *heap,
                                   framemap_str bytes, const char **why, framemap_error *error)
{
    framemap_error fault = {0};
    size_t found = 0;

    *why = NULL;
    fm_arena_init(&object->arena, heap);
    framemap_status status = fm_image_open(bytes, image->arch, &object->arena, &object->image, &fault);
    if (status != FRAMEMAP_OK && status != FRAMEMAP_E_MEMORY) {
        *why = "not an object file of this kind of program; it is not used";
        status = FRAMEMAP_OK;
    }
    if (status == FRAMEMAP_OK && *why == NULL) {
        object->image.whole_names = true;
        status = fm_image_symbols(&object->image, error);
        if (status == FRAMEMAP_OK && !list_moves(object, &found)) status = FRAMEMAP_E_MEMORY;
        if (status == FRAMEMAP_OK) *why = refusal(object, image, found);
    }
    if (status != FRAMEMAP_OK || *why != NULL) fm_map_object_close(object);
    return status == FRAMEMAP_OK ? status : fm_error_memory(error);
}

/* --- implementing calls of the backend --- */

bool fm_map_object_code(const struct fm_map_object *object, struct fm_arena *arena, struct fm_dw_claim *claim)
{
    struct fm_dw_range *ranges = FM_ARENA_ARRAY(arena, struct fm_dw_range, object->function_count);

    if (ranges == NULL) return false;
    claim->ranges = ranges;
    claim->range_count = 0;
    for (size_t i = 0; i < object->function_count; i++) {
        const struct fm_debug_map_function *function = &object->functions[i];
        if (function->size == 0 || function->address > UINT64_MAX - function->size) continue;
        ranges[claim->range_count++] = (struct fm_dw_range){function->address, function->address + function->size};
    }
    return true;
}

unsigned fm_map_object_unapplied(const struct fm_map_object *object)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < object->image.section_count; i++) count += object->image.sections[i].unapplied;
    return count;
}
