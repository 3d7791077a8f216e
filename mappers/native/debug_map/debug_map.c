/* Reads the stabs that are the debug map of a Mach-O image. See debug_map.h. */
#include "mappers/native/debug_map/debug_map.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/image/image_string_table.h"
#include "mappers/native/image/macho/macho_format.h"

struct stab_reader {
    struct fm_byte_reader r;
    struct fm_image_string_table names;
    bool is64;
    size_t left;
};

static struct stab_reader stabs_of(const struct fm_image *image)
{
    const struct fm_macho *macho = image->format == FM_IMAGE_MACHO && image->inner ? image->inner->macho : NULL;
    if (macho == NULL || image->relocatable) return (struct stab_reader){.left = 0};
    return (struct stab_reader){fm_byte_reader_of(macho->symbols, image->big_endian),
                                fm_image_string_table_of(macho->names, macho->symbols.size), image->is64,
                                macho->symbols.size / fm_macho_symbol_bytes(image->is64)};
}

/* Returns the next stab of the debug map. Returns false at the end of the table. */
static bool next_stab(struct stab_reader *stabs, struct fm_macho_symbol *out)
{
    while (stabs->left > 0) {
        stabs->left--;
        fm_macho_read_symbol(&stabs->r, stabs->is64, out);
        if (out->type == MACHO_N_FUN || out->type == MACHO_N_SO || out->type == MACHO_N_OSO) return true;
    }
    return false;
}

static bool make_room(const struct fm_image *image, struct fm_arena *arena, struct fm_debug_map *out)
{
    struct stab_reader stabs = stabs_of(image);
    struct fm_macho_symbol stab;
    size_t objects = 0, functions = 0;

    while (next_stab(&stabs, &stab)) {
        objects += stab.type == MACHO_N_OSO;
        functions += stab.type == MACHO_N_FUN;
    }
    if (objects > FM_LIMIT_DEBUG_MAP_OBJECTS) objects = FM_LIMIT_DEBUG_MAP_OBJECTS;
    if (objects == 0) functions = 0;
    *out = (struct fm_debug_map){.objects = FM_ARENA_ARRAY(arena, struct fm_debug_map_object, objects),
                                 .functions = FM_ARENA_ARRAY(arena, struct fm_debug_map_function, functions)};
    return out->objects != NULL && out->functions != NULL;
}

/* Adds a function from one of its two stabs N_FUN: the first has the function's name and address, the second has the
 * function's size and no name. */
static void add_function(struct fm_debug_map *map, framemap_str name, const struct fm_macho_symbol *stab)
{
    struct fm_debug_map_object *object = &map->objects[map->object_count - 1];
    struct fm_debug_map_function *last = object->count > 0 ? &map->functions[map->function_count - 1] : NULL;

    if (name.size == 0 && last != NULL && last->size == 0) last->size = stab->value;
    if (name.size == 0) return;
    map->functions[map->function_count++] = (struct fm_debug_map_function){.name = name, .address = stab->value};
    object->count++;
}

/* Reads one stab. An N_SO without a name ends an object file. */
static void take_stab(struct fm_debug_map *map, framemap_str name, const struct fm_macho_symbol *stab, bool *inside)
{
    if (stab->type == MACHO_N_OSO) {
        *inside = name.size > 0 && map->object_count < FM_LIMIT_DEBUG_MAP_OBJECTS;
        if (*inside)
            map->objects[map->object_count++] =
                (struct fm_debug_map_object){.path = name, .modified = stab->value, .first = map->function_count};
    } else if (stab->type == MACHO_N_FUN && *inside) {
        add_function(map, name, stab);
    } else if (stab->type == MACHO_N_SO && name.size == 0) {
        *inside = false;
    }
}

framemap_status fm_image_debug_map(const struct fm_image *image, struct fm_arena *arena, struct fm_debug_map *out,
                                   framemap_error *error)
{
    struct stab_reader stabs = stabs_of(image);
    struct fm_macho_symbol stab;
    bool inside = false;

    if (!make_room(image, arena, out)) return fm_error_memory(error);
    while (out->objects != NULL && next_stab(&stabs, &stab))
        take_stab(out, fm_image_string_at(&stabs.names, stab.name), &stab, &inside);
    return FRAMEMAP_OK;
}
