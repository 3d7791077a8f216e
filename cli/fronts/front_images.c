#include "cli/fronts/front_images.h"

#include "cli/cli.h"
#include "cli/cli_io.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What answers may take is for two scratches more than fm_cli_symbols_open_with makes: each gets an eighth, and the
 * rest is the symbols'. */
framemap_status fm_modules_open(struct fm_modules *modules, framemap_error *error)
{
    const uint64_t own = fm_own_memory(modules->max_memory);
    const framemap_session_options options = {
        .debug_folders = modules->debug_folder_count ? modules->debug_folders : NULL,
        .debug_folder_count = modules->debug_folder_count,
        .max_memory = modules->max_memory - own,
    };
    framemap_status status = fm_cli_symbols_open_with(&modules->symbols, options, error);
    if (!status) status = framemap_scratch_create(NULL, &modules->own_scratch, error);
    if (!status) status = framemap_scratch_create(NULL, &modules->many_scratch, error);
    framemap_scratch_limit(modules->own_scratch, own / 2);
    framemap_scratch_limit(modules->many_scratch, own / 2);
    return status;
}

static void module_free(struct fm_modules *modules, struct fm_module *module)
{
    fm_sections_free(&module->sections);
    if (module->index) framemap_session_release(modules->symbols.session, module->index);
    if (module->own) framemap_session_release(modules->symbols.session, module->own);
    free(module->path);
    free(module->name);
    free(module);
}

void fm_modules_close(struct fm_modules *modules)
{
    for (size_t i = 0; i < modules->slot_count; i++)
        if (modules->slots[i]) module_free(modules, modules->slots[i]);
    free(modules->slots);
    framemap_scratch_free(modules->own_scratch);
    framemap_scratch_free(modules->many_scratch);
    fm_cli_symbols_close(&modules->symbols);
}

/* --- opening --- */

/* Dart's compiler writes no thumb code: its odd addresses are those of calls, one byte before the return address. */
static bool has_marked_addresses(const framemap_index_info *info)
{
    const framemap_str arch = info->arch;
    if (info->kind_code == FRAMEMAP_INDEX_DART) return false;
    return arch.size >= 3 && memcmp(arch.data, "arm", 3) == 0 && (arch.size < 5 || memcmp(arch.data, "arm64", 5) != 0);
}

static void set_index(struct fm_module *module, const framemap_index *index)
{
    module->index = index;
    framemap_index_describe(index, &module->info);
    module->has_marked_addresses = has_marked_addresses(&module->info);
}

static framemap_status open_index(struct fm_modules *modules, struct fm_module *module, framemap_error *error)
{
    const framemap_index *index;
    framemap_status status = fm_cli_symbols_exact_some(&modules->symbols, module->path, module->arch,
                                                       modules->positions, modules->position_count, &index, error);
    if (status) return status;
    set_index(module, index);
    if (module->info.has_lines || !modules->positions) return status;
    /* Whether the file has lines, the whole of it tells, and by that whether another file is to be looked for. */
    framemap_session_release(modules->symbols.session, index);
    module->index = NULL;
    status = fm_cli_symbols_exact(&modules->symbols, module->path, module->arch, &index, error);
    if (!status) set_index(module, index);
    return status;
}

static bool same(framemap_str left, framemap_str right)
{
    return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

/* Takes another file in the image's place where it has lines. id: of that file; absent: it was checked already. */
static bool take_debug_file(struct fm_modules *modules, struct fm_module *module, framemap_str id, const char *path)
{
    const framemap_index *index;
    framemap_index_info info;

    if (strcmp(path, module->path) == 0 || fm_cli_symbols_exact(&modules->symbols, path, module->arch, &index, NULL))
        return false;
    framemap_index_describe(index, &info);
    if ((id.size && !same(info.id, id)) || !info.has_lines) {
        framemap_session_release(modules->symbols.session, index);
        return false;
    }
    module->own = module->index;
    module->separate = true;
    module->status = FRAMEMAP_OK;
    set_index(module, index);
    return true;
}

/* The build id or UUID of the module's own file. */
static bool read_id(const struct fm_module *module, char out[65])
{
    framemap_image_info images[8];
    struct fm_file file;
    size_t count = 0, at = 0;

    if (fm_file_open_beside(module->path, &file, NULL)) return false;
    if (framemap_file_inspect(file.bytes, framemap_str_of(module->path), images, 8, &count, NULL)) count = 0;
    if (count > 8) count = 8;
    while (at < count && module->arch && strcmp(images[at].arch, module->arch) != 0) at++;
    if (at < count) memcpy(out, images[at].id, sizeof images[at].id);
    fm_file_close(&file);
    return at < count && out[0] != '\0';
}

static bool try_bundles(struct fm_modules *modules, struct fm_module *module)
{
    char id[65];
    if (modules->bundle_count == 0 || !read_id(module, id)) return false;
    for (size_t i = 0; i < modules->bundle_count; i++)
        if (access(modules->bundles[i], R_OK) == 0 &&
            take_debug_file(modules, module, framemap_str_of(id), modules->bundles[i]))
            return true;
    return false;
}

/* A file that is named as the image's debug file, and is of another build, is worth a line: the answers lack what it
 * should have given. */
static void find_debug_file(struct fm_modules *modules, struct fm_module *module)
{
    const framemap_image_query want = {.path = framemap_str_of(module->path), .arch = framemap_str_of(module->arch)};
    framemap_str path;
    framemap_error error = {0};

    if (try_bundles(modules, module)) return;
    const framemap_status status = framemap_session_debug_file(modules->symbols.session, &want, &path, &error);
    if (status == FRAMEMAP_OK) take_debug_file(modules, module, (framemap_str){0}, path.data);
    if (status == FRAMEMAP_E_MISMATCH) fm_say_error(NULL, &error);
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

/* Any folder but a bundle: a module is one file, not the best that a folder holds. */
static bool is_plain_folder(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return false;
    char *bundled = fm_bundle_file(path);
    free(bundled);
    return bundled == NULL;
}

static struct fm_module *module_create(struct fm_modules *modules, framemap_str name)
{
    struct fm_module *module = fm_cli_resize(NULL, sizeof *module);
    framemap_error error = {0};

    memset(module, 0, sizeof *module);
    module->name = fm_cli_copy(name.data, name.size);
    module->name_size = name.size;
    split_name(modules, module);
    module->status = is_plain_folder(module->path) ? FRAMEMAP_E_IO : open_index(modules, module, &error);
    if (module->status == FRAMEMAP_E_MISMATCH && module->arch) {
        const char *asked = module->arch;
        framemap_error other = {0};
        module->arch = NULL; /* only a fat file has slices to choose from: a thin one is still the one asked for */
        framemap_status status = open_index(modules, module, &other);
        if (status == FRAMEMAP_E_MISMATCH) {
            module->arch = asked;
        } else {
            module->status = status;
            error = other;
        }
    }
    memcpy(module->message, error.message, sizeof module->message);
    if (module->index ? !module->info.has_lines : module->status == FRAMEMAP_E_EMPTY) find_debug_file(modules, module);
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

/* What a file that was changed meanwhile answers is given up: nothing is known. */
static bool ask_index(struct fm_modules *modules, struct fm_module *module, const framemap_index *index,
                      framemap_scratch *scratch, const framemap_query *query, framemap_frame *out)
{
    framemap_error error;
    if (!index) return false;
    const framemap_status status = framemap_resolve(index, query, scratch, out, &error);
    if (fm_cli_symbols_changed(&modules->symbols, index)) return false;
    if (status == FRAMEMAP_OK) return out->restored.count > 0;
    if (!module->told) fm_say_error(module->name, &error);
    module->told = true;
    return false;
}

/* What the image's own table calls the code that its debug file has answered for. */
static void name_by_own(struct fm_modules *modules, struct fm_module *module, const framemap_query *query,
                        framemap_frame *answer)
{
    framemap_frame own;
    answer->symbol = answer->restored.frames[answer->restored.count - 1].function;
    if (!ask_index(modules, module, module->own, modules->own_scratch, query, &own)) return;
    const framemap_frame *root = &own.restored.frames[own.restored.count - 1];
    answer->symbol = root->symbol.size ? root->symbol : root->function;
    answer->has_function_offset = own.has_function_offset;
    answer->function_offset = own.function_offset;
    answer->function_size = own.function_size;
}

static bool ask(struct fm_modules *modules, struct fm_module *module, framemap_str scope, framemap_address_kind kind,
                uint64_t position, framemap_frame *out)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.scope = scope;
    query.position = position;
    query.address_kind = kind;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    if (!ask_index(modules, module, module->index, modules->symbols.scratch, &query, out)) return false;
    if (module->separate) name_by_own(modules, module, &query, out);
    return true;
}

/* The mark of thumb code is no part of an address of code; data may well stand at an odd one. */
static uint64_t code_address(const struct fm_module *module, uint64_t address)
{
    return module->has_marked_addresses ? address & ~(uint64_t)1 : address;
}

static void read_sections(struct fm_module *module)
{
    if (module->sections_read) return;
    module->sections_read = true;
    char *bundled = fm_bundle_file(module->path);
    fm_sections_read(bundled ? bundled : module->path, module->arch, &module->sections, NULL);
    free(bundled);
    module->relocatable = module->sections.relocatable;
}

bool fm_module_lookup(struct fm_modules *modules, struct fm_module *module, uint64_t address, framemap_frame *out)
{
    if (!module->index) return false;
    address = code_address(module, address);
    if (!module->relocatable && ask(modules, module, (framemap_str){0}, FRAMEMAP_ADDRESS_LINKED, address, out))
        return true;
    read_sections(module);
    for (size_t i = 0; module->relocatable && i < module->sections.count; i++) {
        const framemap_section_info *row = &module->sections.rows[i];
        if (row->code && address < row->size && ask(modules, module, row->name, FRAMEMAP_ADDRESS_NONE, address, out))
            return true;
    }
    return false;
}

bool fm_module_lookup_many(struct fm_modules *modules, struct fm_module *module, framemap_demangle style,
                           const uint64_t *addresses, size_t count, framemap_location_list *out)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = style;
    return fm_module_is_plain(module) &&
           framemap_index_lookup_many(module->index, &query, addresses, count, modules->many_scratch, out, NULL) ==
               FRAMEMAP_OK &&
           !fm_cli_symbols_changed(&modules->symbols, module->index);
}

bool fm_module_lookup_section(struct fm_modules *modules, struct fm_module *module, framemap_str section,
                              uint64_t offset, framemap_frame *out)
{
    read_sections(module);
    const framemap_section_info *row = fm_sections_named(&module->sections, section);
    if (!row) return false;
    offset = code_address(module, offset); /* sections of code begin at even addresses */
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
