/* Implements front_images.h, for the commands that imitate tools such as addr2line: opens binaries and their debug
 * files, caches them by path in a hash table, and looks up addresses. Debug files are found by build id, in dSYM
 * bundles and next to the binary. */
#include "cli/fronts/front_images.h"

#include "cli/cli.h"
#include "cli/cli_io.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens the session, and creates two scratches for answers in addition to what fm_cli_symbols_open_with creates. Each
 * scratch may use an eighth of max_memory, and the symbols the rest. */
framemap_status fm_front_images_open(struct fm_front_images *images, framemap_error *error)
{
    const uint64_t own = fm_own_memory(images->max_memory);
    const framemap_session_options options = {
        .debug_folders = images->debug_folder_count ? images->debug_folders : NULL,
        .debug_folder_count = images->debug_folder_count,
        .max_memory = images->max_memory - own,
        .package = images->package,
    };
    framemap_status status = fm_cli_symbols_open_with(&images->symbols, options, error);
    images->symbols.max_memory = images->max_memory;
    fm_state_max_memory(status ? error : NULL, images->max_memory);
    if (!status) status = framemap_scratch_create(NULL, &images->own_scratch, error);
    if (!status) status = framemap_scratch_create(NULL, &images->many_scratch, error);
    framemap_scratch_limit(images->own_scratch, own / 2);
    framemap_scratch_limit(images->many_scratch, own / 2);
    return status;
}

static void free_front_image(struct fm_front_images *images, struct fm_front_image *image)
{
    fm_sections_free(&image->sections);
    if (image->index) framemap_session_release(images->symbols.session, image->index);
    if (image->own) framemap_session_release(images->symbols.session, image->own);
    free(image->path);
    free(image->name);
    free(image);
}

void fm_front_images_close(struct fm_front_images *images)
{
    for (size_t i = 0; i < images->slot_count; i++)
        if (images->slots[i]) free_front_image(images, images->slots[i]);
    free(images->slots);
    framemap_scratch_free(images->own_scratch);
    framemap_scratch_free(images->many_scratch);
    fm_cli_symbols_close(&images->symbols);
}

/* --- opening images and their indexes --- */

/* Whether bit 0 of an address marks Thumb code and does not belong to the address. Dart's compiler does not generate
 * Thumb code: an odd address in its stacks is the byte before a return address. */
static bool has_marked_addresses(const framemap_index_info *info)
{
    const framemap_str arch = info->arch;
    if (info->kind_code == FRAMEMAP_INDEX_DART) return false;
    return arch.size >= 3 && memcmp(arch.data, "arm", 3) == 0 && (arch.size < 5 || memcmp(arch.data, "arm64", 5) != 0);
}

static void set_index(struct fm_front_image *image, const framemap_index *index)
{
    image->index = index;
    framemap_index_describe(index, &image->info);
    image->has_marked_addresses = has_marked_addresses(&image->info);
}

static framemap_status open_image_index(struct fm_front_images *images, struct fm_front_image *image,
                                        framemap_error *error)
{
    const framemap_index *index;
    framemap_status status = fm_cli_symbols_exact_some(&images->symbols, image->path, image->arch, images->positions,
                                                       images->position_count, &index, error);
    if (!status && (status = fm_cli_symbols_of_program(index, error)) != FRAMEMAP_OK)
        framemap_session_release(images->symbols.session, index);
    if (status) return status;
    set_index(image, index);
    if (image->info.has_lines || !images->positions) return status;
    /* The index was compiled for some addresses only, so it is released. Only the index of the whole file shows whether
     * the file has lines, and whether a debug file must be searched for. */
    framemap_session_release(images->symbols.session, index);
    image->index = NULL;
    status = fm_cli_symbols_exact(&images->symbols, image->path, image->arch, &index, error);
    if (!status) set_index(image, index);
    return status;
}

static bool same(framemap_str left, framemap_str right)
{
    return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

/* Uses another file for the image if that file has lines. id: id that the file must have; empty: it was checked
 * before. */
static bool use_debug_file(struct fm_front_images *images, struct fm_front_image *image, framemap_str id,
                           const char *path)
{
    const framemap_index *index;
    framemap_index_info info;

    if (strcmp(path, image->path) == 0 || fm_cli_symbols_exact(&images->symbols, path, image->arch, &index, NULL))
        return false;
    framemap_index_describe(index, &info);
    if ((id.size && !same(info.id, id)) || !info.has_lines) {
        framemap_session_release(images->symbols.session, index);
        return false;
    }
    image->own = image->index;
    image->separate = true;
    image->status = FRAMEMAP_OK;
    set_index(image, index);
    return true;
}

/* Reads the build id or UUID of the image's own file. */
static bool read_id(const struct fm_front_image *image, char out[65])
{
    framemap_image_info images[8];
    struct fm_file file;
    size_t count = 0, at = 0;

    if (fm_file_open_beside(image->path, &file, NULL)) return false;
    if (framemap_file_inspect(file.bytes, framemap_str_of(image->path), images, 8, &count, NULL)) count = 0;
    if (count > 8) count = 8;
    while (at < count && image->arch && strcmp(images[at].arch, image->arch) != 0) at++;
    if (at < count) memcpy(out, images[at].id, sizeof images[at].id);
    fm_file_close(&file);
    return at < count && out[0] != '\0';
}

static bool try_bundles(struct fm_front_images *images, struct fm_front_image *image)
{
    char id[65];
    if (images->bundle_count == 0 || !read_id(image, id)) return false;
    for (size_t i = 0; i < images->bundle_count; i++)
        if (access(images->bundles[i], R_OK) == 0 &&
            use_debug_file(images, image, framemap_str_of(id), images->bundles[i]))
            return true;
    return false;
}

/* Searches for the image's debug file. If a file of another build was found, that is reported, since the answers
 * lack its information. */
static void find_image_debug_file(struct fm_front_images *images, struct fm_front_image *image)
{
    const framemap_image_query want = {.path = framemap_str_of(image->path), .arch = framemap_str_of(image->arch)};
    framemap_str path;
    framemap_error error = {0};

    if (try_bundles(images, image)) return;
    const framemap_status status = framemap_session_debug_file(images->symbols.session, &want, &path, &error);
    if (status == FRAMEMAP_OK) use_debug_file(images, image, (framemap_str){0}, path.data);
    if (status == FRAMEMAP_E_MISMATCH) fm_message_error(NULL, &error);
}

/* Splits "path:arch", which selects an architecture of a fat file, unless a file has the whole text as its name. */
static void split_name(struct fm_front_images *images, struct fm_front_image *image)
{
    const char *colon = strrchr(image->name, ':');
    image->arch = images->default_arch;
    if (colon && colon != image->name && colon[1] && !strchr(colon, '/') && access(image->name, F_OK) != 0) {
        image->path = fm_cli_copy(image->name, (size_t)(colon - image->name));
        if (access(image->path, F_OK) == 0) {
            image->arch = colon + 1;
            return;
        }
        free(image->path);
    }
    image->path = fm_cli_copy(image->name, strlen(image->name));
}

/* Whether the path is a directory but not a bundle. An image must be a single file: for a directory, the session
 * would use the best file in it. */
static bool is_plain_folder(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) return false;
    char *bundled = fm_bundle_file(path);
    free(bundled);
    return bundled == NULL;
}

static struct fm_front_image *create_front_image(struct fm_front_images *images, framemap_str name)
{
    struct fm_front_image *image = fm_cli_resize(NULL, sizeof *image);
    framemap_error error = {0};

    memset(image, 0, sizeof *image);
    image->name = fm_cli_copy(name.data, name.size);
    image->name_size = name.size;
    split_name(images, image);
    image->status = is_plain_folder(image->path) ? FRAMEMAP_E_IO : open_image_index(images, image, &error);
    if (image->status == FRAMEMAP_E_MISMATCH && image->arch) {
        const char *asked = image->arch;
        framemap_error other = {0};
        image->arch = NULL; /* a file with a single architecture is used whatever its architecture is */
        framemap_status status = open_image_index(images, image, &other);
        if (status == FRAMEMAP_E_MISMATCH) {
            image->arch = asked;
        } else {
            image->status = status;
            error = other;
        }
    }
    memcpy(image->message, error.message, sizeof image->message);
    if (image->index ? !image->info.has_lines : image->status == FRAMEMAP_E_EMPTY) find_image_debug_file(images, image);
    return image;
}

/* --- finding an image by its name --- */

static bool is_named(const struct fm_front_image *image, framemap_str name)
{
    return image->name_size == name.size && memcmp(image->name, name.data, name.size) == 0;
}

static size_t image_slot(const struct fm_front_images *images, framemap_str name)
{
    uint64_t hash = 14695981039346656037u; /* the hash function is FNV-1a */
    for (size_t i = 0; i < name.size; i++) hash = (hash ^ (unsigned char)name.data[i]) * 1099511628211u;
    size_t mask = images->slot_count - 1, at = (size_t)(hash ^ hash >> 32) & mask;
    while (images->slots[at] && !is_named(images->slots[at], name)) at = (at + 1) & mask;
    return at;
}

static void grow_images(struct fm_front_images *images)
{
    struct fm_front_image **old = images->slots;
    size_t old_count = images->slot_count;

    images->slot_count = old_count ? old_count * 2 : 16;
    images->slots = fm_cli_resize(NULL, images->slot_count * sizeof *images->slots);
    memset(images->slots, 0, images->slot_count * sizeof *images->slots);
    for (size_t i = 0; i < old_count; i++)
        if (old[i]) images->slots[image_slot(images, (framemap_str){old[i]->name, old[i]->name_size})] = old[i];
    free(old);
}

struct fm_front_image *fm_front_images_find(struct fm_front_images *images, framemap_str name)
{
    if (images->last && is_named(images->last, name)) return images->last;
    if (images->used * 2 >= images->slot_count) grow_images(images);
    size_t at = image_slot(images, name);
    if (!images->slots[at]) {
        images->slots[at] = create_front_image(images, name);
        images->used++;
    }
    return images->last = images->slots[at];
}

/* --- looking up addresses in an image --- */

/* Queries an index. If its file was changed while it was read, the answer is discarded. */
static bool resolve_in_index(struct fm_front_images *images, struct fm_front_image *image, const framemap_index *index,
                             framemap_scratch *scratch, const framemap_query *query, framemap_frame *out)
{
    framemap_error error;
    if (!index) return false;
    const framemap_status status = framemap_resolve(index, query, scratch, out, &error);
    if (fm_cli_symbols_changed(&images->symbols, index)) return false;
    if (status == FRAMEMAP_OK) {
        fm_cli_symbols_incomplete(&images->symbols, index, query, out, scratch);
        return out->restored.count > 0;
    }
    if (!image->reported) fm_message_error(image->name, &error);
    image->reported = true;
    return false;
}

/* Sets the symbol of an answer that comes from a debug file to the name in the image's own symbol table. */
static void use_own_name(struct fm_front_images *images, struct fm_front_image *image, const framemap_query *query,
                         framemap_frame *answer)
{
    framemap_frame own;
    answer->symbol = answer->restored.frames[answer->restored.count - 1].function;
    if (!resolve_in_index(images, image, image->own, images->own_scratch, query, &own)) return;
    const framemap_frame *root = &own.restored.frames[own.restored.count - 1];
    answer->symbol = root->symbol.size ? root->symbol : root->function;
    answer->has_function_offset = own.has_function_offset;
    answer->function_offset = own.function_offset;
    answer->function_size = own.function_size;
}

static bool look_up_in_index(struct fm_front_images *images, struct fm_front_image *image, framemap_str scope,
                             framemap_address_kind kind, uint64_t position, framemap_frame *out)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.scope = scope;
    query.position = position;
    query.address_kind = kind;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    if (!resolve_in_index(images, image, image->index, images->symbols.scratch, &query, out)) return false;
    if (image->separate) use_own_name(images, image, &query, out);
    return true;
}

/* Returns the address of code without the Thumb bit. Addresses of data are not changed, since they may be odd. */
static uint64_t code_address(const struct fm_front_image *image, uint64_t address)
{
    return image->has_marked_addresses ? address & ~(uint64_t)1 : address;
}

static void read_sections(struct fm_front_image *image)
{
    if (image->sections_read) return;
    image->sections_read = true;
    char *bundled = fm_bundle_file(image->path);
    fm_sections_read(bundled ? bundled : image->path, image->arch, &image->sections, NULL);
    free(bundled);
    image->relocatable = image->sections.relocatable;
}

bool fm_front_image_lookup(struct fm_front_images *images, struct fm_front_image *image, uint64_t address,
                           framemap_frame *out)
{
    if (!image->index) return false;
    address = code_address(image, address);
    if (!image->relocatable &&
        look_up_in_index(images, image, (framemap_str){0}, FRAMEMAP_ADDRESS_LINKED, address, out))
        return true;
    read_sections(image);
    for (size_t i = 0; image->relocatable && i < image->sections.count; i++) {
        const framemap_section_info *row = &image->sections.rows[i];
        if (row->code && address < row->size &&
            look_up_in_index(images, image, row->name, FRAMEMAP_ADDRESS_NONE, address, out))
            return true;
    }
    return false;
}

bool fm_front_image_lookup_many(struct fm_front_images *images, struct fm_front_image *image, framemap_demangle style,
                                const uint64_t *addresses, size_t count, framemap_location_list *out)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = style;
    const bool found = fm_front_image_is_plain(image) &&
                       framemap_index_lookup_many(image->index, &query, addresses, count, images->many_scratch, out,
                                                  NULL) == FRAMEMAP_OK &&
                       !fm_cli_symbols_changed(&images->symbols, image->index);
    for (size_t i = 0; found && i < out->chain_count; i++) {
        query.position = addresses[i];
        if (out->chains[i].status == FRAMEMAP_FRAME_SYMBOL)
            fm_cli_symbols_incomplete(&images->symbols, image->index, &query, NULL, images->symbols.scratch);
    }
    return found;
}

bool fm_front_image_lookup_section(struct fm_front_images *images, struct fm_front_image *image, framemap_str section,
                                   uint64_t offset, framemap_frame *out)
{
    read_sections(image);
    const framemap_section_info *row = fm_sections_named(&image->sections, section);
    if (!row) return false;
    offset = code_address(image, offset); /* code sections start at even addresses */
    if (image->relocatable) return look_up_in_index(images, image, section, FRAMEMAP_ADDRESS_NONE, offset, out);
    return look_up_in_index(images, image, (framemap_str){0}, FRAMEMAP_ADDRESS_LINKED, row->address + offset, out);
}

bool fm_front_image_has_section(struct fm_front_image *image, framemap_str section)
{
    read_sections(image);
    return fm_sections_named(&image->sections, section) != NULL;
}

unsigned fm_front_image_address_bits(struct fm_front_image *image)
{
    framemap_image_info images[8]; /* room for all architectures of a fat file */
    size_t count = 0;

    if (image->address_bits) return image->address_bits;
    image->address_bits = 64;
    read_sections(image);
    const struct fm_file *file = image->sections.file;
    if (!file || framemap_file_inspect(file->bytes, framemap_str_of(image->path), images, 8, &count, NULL)) return 64;
    for (size_t i = 0; i < count && i < 8; i++)
        if (images[i].address_bits && (!image->arch || strcmp(image->arch, images[i].arch) == 0))
            image->address_bits = images[i].address_bits;
    return image->address_bits;
}

bool fm_front_image_lookup_data(struct fm_front_images *images, struct fm_front_image *image, uint64_t address,
                                framemap_frame *out)
{
    return look_up_in_index(images, image, framemap_str_of("data"), FRAMEMAP_ADDRESS_LINKED, address, out);
}
