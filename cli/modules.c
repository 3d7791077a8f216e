#include "cli/modules.h"

#include "cli/cli.h"
#include "cli/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

framemap_status fm_modules_open(struct fm_modules *modules, framemap_error *error)
{
    return fm_symbols_open(&modules->symbols, NULL, error);
}

static void module_free(struct fm_modules *modules, struct fm_module *module)
{
    fm_sections_free(&module->sections);
    if (module->index) framemap_session_release(modules->symbols.session, module->index);
    free(module->path);
    free(module->name);
    free(module);
}

void fm_modules_close(struct fm_modules *modules)
{
    for (size_t i = 0; i < modules->slot_count; i++)
        if (modules->slots[i]) module_free(modules, modules->slots[i]);
    free(modules->slots);
    fm_symbols_close(&modules->symbols);
}

/* --- opening --- */

static framemap_status open_index(struct fm_modules *modules, struct fm_module *module, const char *path, framemap_error *error)
{
    const framemap_index *index;
    framemap_status status = fm_symbols_file(&modules->symbols, path, module->arch, &index, error);
    if (status) return status;
    if (module->index) framemap_session_release(modules->symbols.session, module->index);
    module->index = index;
    framemap_index_describe(index, &module->info);
    return FRAMEMAP_OK;
}

/* Takes another file in the image's place where it is of the same build and has lines. */
static bool try_debug_file(struct fm_modules *modules, struct fm_module *module, const char *path)
{
    const framemap_index *index;
    framemap_index_info info;

    if (access(path, R_OK) != 0 || fm_symbols_file(&modules->symbols, path, module->arch, &index, NULL)) return false;
    framemap_index_describe(index, &info);
    bool same =
        module->info.id.size > 0 && info.id.size == module->info.id.size && memcmp(info.id.data, module->info.id.data, info.id.size) == 0;
    if (!same || !info.has_lines) {
        framemap_session_release(modules->symbols.session, index);
        return false;
    }
    framemap_session_release(modules->symbols.session, module->index);
    module->index = index;
    module->info = info;
    return true;
}

/* FOLDER/.build-id/ab/cdef….debug, as debuggers keep separate debug files. */
static bool try_build_id(struct fm_modules *modules, struct fm_module *module, const char *folder)
{
    framemap_str id = module->info.id;
    char path[4096];
    if (id.size < 3) return false;
    int size = snprintf(path, sizeof path, "%s/.build-id/%.2s/%.*s.debug", folder, id.data, (int)id.size - 2, id.data + 2);
    return size > 0 && (size_t)size < sizeof path && try_debug_file(modules, module, path);
}

static void find_debug_file(struct fm_modules *modules, struct fm_module *module)
{
    char bundle[4096];
    int size = snprintf(bundle, sizeof bundle, "%s.dSYM", module->path);

    if (size > 0 && (size_t)size < sizeof bundle && try_debug_file(modules, module, bundle)) return;
    for (size_t i = 0; i < modules->bundle_count; i++)
        if (try_debug_file(modules, module, modules->bundles[i])) return;
    for (size_t i = 0; i < modules->debug_folder_count; i++)
        if (try_build_id(modules, module, modules->debug_folders[i])) return;
    if (modules->debug_folder_count == 0) try_build_id(modules, module, "/usr/lib/debug");
}

/* "path:arch" names a slice of a fat file, unless a file is called so. */
static void split_name(struct fm_modules *modules, struct fm_module *module)
{
    const char *colon = strrchr(module->name, ':');
    module->arch = modules->default_arch;
    if (colon && colon != module->name && colon[1] && !strchr(colon, '/') && access(module->name, F_OK) != 0) {
        module->path = fm_cli_copy(module->name, (size_t)(colon - module->name));
        if (access(module->path, F_OK) == 0) {
            module->arch = colon + 1;
            return;
        }
        free(module->path);
    }
    module->path = fm_cli_copy(module->name, strlen(module->name));
}

static struct fm_module *module_create(struct fm_modules *modules, framemap_str name)
{
    struct fm_module *module = fm_cli_resize(NULL, sizeof *module);
    framemap_error error = {0};

    memset(module, 0, sizeof *module);
    module->name = fm_cli_copy(name.data, name.size);
    module->name_size = name.size;
    split_name(modules, module);
    module->status = open_index(modules, module, module->path, &error);
    if (module->status == FRAMEMAP_E_MISMATCH && module->arch == modules->default_arch && module->arch) {
        module->arch = NULL; /* the default slice is a wish: a thin file of another architecture is still the one asked for */
        module->status = open_index(modules, module, module->path, &error);
    }
    memcpy(module->message, error.message, sizeof module->message);
    if (module->index && !module->info.has_lines) find_debug_file(modules, module);
    return module;
}

/* --- finding --- */

static bool is_named(const struct fm_module *module, framemap_str name)
{
    return module->name_size == name.size && memcmp(module->name, name.data, name.size) == 0;
}

static size_t slot_of(const struct fm_modules *modules, framemap_str name)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < name.size; i++) hash = (hash ^ (unsigned char)name.data[i]) * 1099511628211u;
    size_t mask = modules->slot_count - 1, at = (size_t)(hash ^ hash >> 32) & mask;
    while (modules->slots[at] && !is_named(modules->slots[at], name)) at = (at + 1) & mask;
    return at;
}

static void grow(struct fm_modules *modules)
{
    struct fm_module **old = modules->slots;
    size_t old_count = modules->slot_count;

    modules->slot_count = old_count ? old_count * 2 : 16;
    modules->slots = fm_cli_resize(NULL, modules->slot_count * sizeof *modules->slots);
    memset(modules->slots, 0, modules->slot_count * sizeof *modules->slots);
    for (size_t i = 0; i < old_count; i++)
        if (old[i]) modules->slots[slot_of(modules, (framemap_str){old[i]->name, old[i]->name_size})] = old[i];
    free(old);
}

struct fm_module *fm_modules_find(struct fm_modules *modules, framemap_str name)
{
    if (modules->last && is_named(modules->last, name)) return modules->last;
    if (modules->used * 2 >= modules->slot_count) grow(modules);
    size_t at = slot_of(modules, name);
    if (!modules->slots[at]) {
        modules->slots[at] = module_create(modules, name);
        modules->used++;
    }
    return modules->last = modules->slots[at];
}

/* --- looking up --- */

static bool ask(struct fm_modules *modules, struct fm_module *module, framemap_str scope, framemap_address_kind kind, uint64_t position,
                framemap_frame *out)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_error error;

    if (!module->index) return false;
    query.scope = scope;
    query.position = position;
    query.address_kind = kind;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    if (framemap_resolve(module->index, &query, modules->symbols.scratch, out, &error)) {
        if (!module->told) fm_say_error(module->name, &error);
        module->told = true;
        return false;
    }
    return out->restored.count > 0;
}

/* A file is relocatable where no section of code has an address. */
static void read_sections(struct fm_module *module)
{
    if (module->sections_read) return;
    module->sections_read = true;
    char *bundled = fm_bundle_file(module->path);
    fm_sections_read(bundled ? bundled : module->path, module->arch, &module->sections, NULL);
    free(bundled);
    for (size_t i = 0; i < module->sections.count; i++) {
        const framemap_section_info *row = &module->sections.rows[i];
        if (!row->code || row->size == 0) continue;
        module->relocatable = row->address == 0;
        if (!module->relocatable) return;
    }
}

bool fm_module_lookup(struct fm_modules *modules, struct fm_module *module, uint64_t address, framemap_frame *out)
{
    if (!module->index) return false;
    if (!module->relocatable && ask(modules, module, (framemap_str){0}, FRAMEMAP_ADDRESS_LINKED, address, out)) return true;
    read_sections(module);
    for (size_t i = 0; module->relocatable && i < module->sections.count; i++) {
        const framemap_section_info *row = &module->sections.rows[i];
        if (row->code && address < row->size && ask(modules, module, row->name, FRAMEMAP_ADDRESS_NONE, address, out)) return true;
    }
    return false;
}

bool fm_module_lookup_section(struct fm_modules *modules, struct fm_module *module, framemap_str section, uint64_t offset,
                              framemap_frame *out)
{
    read_sections(module);
    const framemap_section_info *row = fm_sections_named(&module->sections, section);
    if (!row) return false;
    if (module->relocatable) return ask(modules, module, section, FRAMEMAP_ADDRESS_NONE, offset, out);
    return ask(modules, module, (framemap_str){0}, FRAMEMAP_ADDRESS_LINKED, row->address + offset, out);
}

bool fm_module_has_section(struct fm_module *module, framemap_str section)
{
    read_sections(module);
    return fm_sections_named(&module->sections, section) != NULL;
}

unsigned fm_module_address_bits(struct fm_module *module)
{
    framemap_image_info images[8]; /* a fat file's slices differ in width too seldom to look further */
    size_t count = 0;

    if (module->address_bits) return module->address_bits;
    module->address_bits = 64;
    read_sections(module);
    const struct fm_file *file = module->sections.file;
    if (!file || framemap_file_inspect(file->bytes, framemap_str_of(module->path), images, 8, &count, NULL)) return 64;
    for (size_t i = 0; i < count && i < 8; i++)
        if (images[i].address_bits && (!module->arch || strcmp(module->arch, images[i].arch) == 0))
            module->address_bits = images[i].address_bits;
    return module->address_bits;
}

bool fm_module_lookup_data(struct fm_modules *modules, struct fm_module *module, uint64_t address, framemap_frame *out)
{
    return ask(modules, module, framemap_str_of("data"), FRAMEMAP_ADDRESS_LINKED, address, out);
}
