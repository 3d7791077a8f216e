/* Implements sentry_frames.h: reads the images of a profile into a sorted array, and for each frame the names and the
 * position or address. A binary search finds the image that contains the address. */
#include "formats/profiles/read_only/sentry_frames.h"

#include "core/error.h"
#include "core/text/guid.h"

#define ID_DIGITS 64 /* maximum number of digits of an id */

/* --- images --- */

/* Reads an address: a string such as "0x1f73f92e8", or a number. */
static bool read_address(const struct fm_json *json, int32_t value, uint64_t *out)
{
    if (fm_json_u64(json, value, out)) return true;
    struct fm_scan s = fm_scan_of(fm_json_type(json, value) == FM_JSON_STRING ? fm_json_raw(json, value) : FM_STR(""));
    return (fm_scan_0xhex(&s, out, NULL) || fm_scan_dec(&s, out, NULL)) && fm_scan_done(&s);
}

/* Writes the digits of an id in lower case and without dashes. Returns the number of digits; 0: the text is not
 * an id. */
static size_t id_digits(framemap_str text, char digits[ID_DIGITS])
{
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (c == '-') continue;
        if (!fm_is_hex(c) || count == ID_DIGITS) return 0;
        digits[count++] = c >= 'A' && c <= 'F' ? (char)(c | 0x20) : c;
    }
    return count < 8 ? 0 : count;
}

/* Returns the id of an image, as the number of a string in the set. For an ELF file, the code id is the build id. If
 * there is no code id, the debug id is used. It has only the first 16 bytes of the build id, as a GUID, whose first
 * three numbers are in the other byte order. */
static uint32_t image_id(framemap_sample_set *set, const struct fm_json *json, int32_t image)
{
    char digits[ID_DIGITS];
    const bool elf = fm_str_equal(fm_json_raw(json, fm_json_get(json, image, "type")), FM_STR("elf"));
    const int32_t debug_id = fm_json_get(json, image, "debug_id");
    size_t count = elf ? id_digits(fm_json_raw(json, fm_json_get(json, image, "code_id")), digits) : 0;
    if (count == 0) {
        count = id_digits(fm_json_raw(json, debug_id >= 0 ? debug_id : fm_json_get(json, image, "uuid")), digits);
        if (elf && count >= FM_GUID_DIGITS) fm_guid_swap(digits);
        /* digits after those of the GUID are the age of a PDB file */
        if (count > FM_GUID_DIGITS) count = FM_GUID_DIGITS;
    }
    return count ? fm_samples_string(set, fm_str(digits, count)) : 0;
}

bool fm_sentry_profile_images_read(struct fm_profile_document *document, struct fm_sentry_profile_images *images)
{
    const struct fm_json *json = document->json;
    struct fm_profile_items items;
    *images = (struct fm_sentry_profile_images){.count = 0};
    if (!fm_profile_items_of(document, fm_json_get(json, fm_json_get(json, 0, "debug_meta"), "images"), &items))
        return false;
    images->images = FM_ARENA_ARRAY(document->arena, struct fm_sentry_profile_image, (size_t)items.count + 1);
    images->by_start = FM_ARENA_ARRAY(document->arena, struct fm_sort_item, (size_t)items.count + 1);
    images->by_path = FM_ARENA_ARRAY(document->arena, struct fm_sort_item, (size_t)items.count + 1);
    bool sorted = images->images && images->by_start && images->by_path;
    for (uint32_t i = 0; i < items.count && sorted; i++) {
        struct fm_sentry_profile_image *image = &images->images[i];
        (void)read_address(json, fm_json_get(json, items.values[i], "image_addr"), &image->start);
        (void)read_address(json, fm_json_get(json, items.values[i], "image_size"), &image->size);
        image->path = fm_profile_json_string(document->set, json, fm_json_get(json, items.values[i], "code_file"));
        image->id = image_id(document->set, json, items.values[i]);
        images->by_start[i] = (struct fm_sort_item){image->start, 0, i};
        images->by_path[i] = (struct fm_sort_item){image->path, 0, i};
        images->count++;
    }
    sorted = sorted && fm_sort(&document->set->heap, images->by_start, images->count, NULL, NULL) &&
             fm_sort(&document->set->heap, images->by_path, images->count, NULL, NULL);
    if (!sorted && document->status == FRAMEMAP_OK) document->status = fm_error_memory(document->error);
    return sorted;
}

/* Returns the last image in sorted order whose key is at most the given one; NULL if all keys are above it. */
static const struct fm_sentry_profile_image *image_before(const struct fm_sentry_profile_images *images,
                                                          const struct fm_sort_item *sorted, uint64_t key)
{
    size_t low = 0, high = images->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle].key <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &images->images[sorted[low - 1].id] : NULL;
}

static void set_image(const struct fm_sentry_profile_images *images, struct fm_sample_frame *frame)
{
    const struct fm_sentry_profile_image *image = image_before(images, images->by_start, frame->address);
    if (image == NULL || image->start == 0) return;
    if (image->size && frame->address - image->start >= image->size) return;
    if (image->path) frame->module = image->path;
    frame->build_id = image->id;
    frame->load_address = image->start;
    frame->flags |= FM_FRAME_LOAD;
}

/* Sets the debug id of a script. */
static void set_script(const struct fm_sentry_profile_images *images, struct fm_sample_frame *frame)
{
    const struct fm_sentry_profile_image *image = image_before(images, images->by_path, frame->file);
    if (frame->file && image && image->path == frame->file) frame->build_id = image->id;
}

/* --- frames --- */

uint32_t fm_sentry_method(framemap_sample_set *set, framemap_str class_name, framemap_str method,
                          struct fm_sample_frame frame)
{
    struct fm_buf name;
    fm_buf_init(&name, &set->heap);
    fm_buf_str(&name, class_name);
    if (class_name.size && method.size) fm_buf_byte(&name, '.');
    fm_buf_str(&name, method);
    if (name.failed) fm_samples_fault(set, FRAMEMAP_E_MEMORY);
    frame.function = fm_samples_string(set, fm_buf_view(&name));
    if (class_name.size && method.size) frame.flags |= FM_FRAME_JAVA;
    fm_buf_free(&name);
    return fm_samples_frame(set, &frame);
}

static bool is_java(const struct fm_json *json, int32_t object)
{
    const int32_t own = fm_json_get(json, object, "platform");
    const framemap_str name =
        fm_json_raw(json, fm_json_type(json, own) == FM_JSON_STRING ? own : fm_json_get(json, 0, "platform"));
    return fm_str_equal(name, FM_STR("java")) || fm_str_equal(name, FM_STR("android"));
}

static uint32_t string_of(struct fm_profile_document *document, int32_t object, const char *name, const char *other)
{
    const uint32_t string =
        fm_profile_json_string(document->set, document->json, fm_json_get(document->json, object, name));
    return string ? string
                  : fm_profile_json_string(document->set, document->json, fm_json_get(document->json, object, other));
}

uint32_t fm_sentry_frame(struct fm_profile_document *document, const struct fm_sentry_profile_images *images,
                         int32_t object, bool caller)
{
    const struct fm_json *json = document->json;
    framemap_sample_set *set = document->set;
    struct fm_sample_frame frame = {.function = string_of(document, object, "function", "symbol"),
                                    .file = string_of(document, object, "abs_path", "filename"),
                                    .line1 = fm_profile_json_position(json, fm_json_get(json, object, "lineno"), 1),
                                    .column1 = fm_profile_json_position(json, fm_json_get(json, object, "colno"), 1)};
    if (is_java(json, object)) {
        const uint32_t module = fm_profile_json_string(set, json, fm_json_get(json, object, "module"));
        return fm_sentry_method(set, fm_samples_text(set, module), fm_samples_text(set, frame.function), frame);
    }
    frame.module = fm_profile_json_string(set, json, fm_json_get(json, object, "package"));
    if (read_address(json, fm_json_get(json, object, "instruction_addr"), &frame.address)) {
        frame.flags = FM_FRAME_ADDRESS | (caller ? FM_FRAME_RETURN : 0u);
        frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        set_image(images, &frame);
    } else {
        set_script(images, &frame);
    }
    return fm_samples_frame(set, &frame);
}
