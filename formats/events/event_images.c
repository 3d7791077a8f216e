/* Implements event_images.h: gets texts, numbers and addresses from the members of a JSON crash report, and reads its
 * list of images (binaries in memory), whose members have other names in each kind of report. */
#include "formats/events/event_images.h"

#include "formats/events/event_vendors.h"
#include "formats/row_parts.h"

int32_t fm_event_member(const struct fm_event_reader *reader, int32_t object, framemap_str name)
{
    if (name.size == 0 || object < 0 || fm_json_type(reader->json, object) != FM_JSON_OBJECT) return -1;
    int32_t found = -1;
    for (int32_t key = fm_json_first(reader->json, object); key >= 0; key = fm_json_next(reader->json, key))
        if (fm_str_equal(fm_json_raw(reader->json, key), name)) found = fm_json_value(reader->json, key);
    return found;
}

framemap_str fm_event_text(const struct fm_event_reader *reader, int32_t object, framemap_str name)
{
    return fm_json_document_string(reader->json, fm_event_member(reader, object, name), reader->doc);
}

bool fm_event_number(const struct fm_event_reader *reader, int32_t object, framemap_str name, uint64_t *out)
{
    const int32_t value = fm_event_member(reader, object, name);
    if (value < 0) return false;
    if (fm_json_u64(reader->json, value, out)) return true;
    if (fm_json_type(reader->json, value) != FM_JSON_STRING) return false;
    struct fm_scan s = fm_scan_of(fm_json_raw(reader->json, value));
    if (fm_row_0xhex(&s, out) == FM_DIGITS_FIT) return fm_scan_done(&s);
    return fm_scan_dec(&s, out, NULL) && fm_scan_done(&s);
}

bool fm_event_address(const struct fm_event_reader *reader, int32_t object, framemap_str name, bool bare, uint64_t *out)
{
    const int32_t value = fm_event_member(reader, object, name);
    if (!bare || value < 0 || fm_json_type(reader->json, value) != FM_JSON_STRING)
        return fm_event_number(reader, object, name, out);
    struct fm_scan s = fm_scan_of(fm_json_raw(reader->json, value));
    enum fm_digits digits = fm_row_0xhex(&s, out);
    if (digits == FM_DIGITS_NONE) digits = fm_row_hex(&s, out);
    return digits == FM_DIGITS_FIT && fm_scan_done(&s);
}

/* --- images --- */

/* Returns the first 16 bytes of an ELF file's build id, from Sentry's debug id. The debug id has these bytes as a
 * GUID, whose first three fields are in the other byte order. */
static framemap_str build_id_of(struct fm_document *doc, framemap_str debug_id)
{
    static const unsigned char order[] = {6, 7, 4, 5, 2, 3, 0, 1, 10, 11, 8, 9, 14, 15, 12, 13};
    framemap_str id = {NULL, 0};
    if (!fm_row_id(debug_id, doc, &id) || id.size < 32) return (framemap_str){NULL, 0};
    char *out = fm_document_alloc(doc, 32);
    if (out == NULL) return (framemap_str){NULL, 0};
    for (size_t i = 0; i < 32; i++) out[i] = id.data[i < sizeof order ? order[i] : i];
    return fm_str(out, 32);
}

static const framemap_str wasm_type = FM_STR_INIT("wasm"); /* "type" of a WebAssembly module */

static framemap_str id_of_image(const struct fm_event_reader *reader, int32_t image)
{
    const framemap_str type = fm_event_text(reader, image, FM_STR("type")),
                       code = fm_event_text(reader, image, FM_STR("code_id"));
    framemap_str debug = fm_event_text(reader, image, FM_STR("debug_id")), id = {NULL, 0};
    if (debug.size == 0) debug = fm_event_text(reader, image, FM_STR("uuid"));
    if (fm_str_equal(type, FM_STR("elf"))) {
        if (fm_row_id(code, reader->doc, &id)) return id;
        return build_id_of(reader->doc, debug);
    }
    if (fm_str_equal(type, wasm_type) && fm_row_id(code, reader->doc, &id)) return id;
    fm_row_id(debug, reader->doc, &id);
    /* Sentry's SDK adds a digit to the first 16 bytes of a module's id */
    return fm_str_equal(type, wasm_type) ? fm_str_slice(id, 0, 32) : id;
}

/* Size in bytes that is assumed for Dart's snapshots and MongoDB's images, because these events do not state it. If
 * another image begins within this size, the image ends there. */
static const uint64_t snapshot_most = UINT64_C(1) << 30;

/* Reads Measure's {"start_addr":"0000000102324000","end_addr":"0000000102468000","path":"/d/App","uuid":"58e1…"}. An
 * image of Dart has "base_addr" and an id instead. */
static bool read_measured(const struct fm_event_reader *reader, int32_t value, framemap_image *image)
{
    uint64_t end = 0;
    if (!fm_event_address(reader, value, FM_STR("start_addr"), true, &image->load_address)) {
        if (!fm_event_address(reader, value, FM_STR("base_addr"), true, &image->load_address)) return false;
        image->size = snapshot_most;
    }
    if (fm_event_address(reader, value, FM_STR("end_addr"), true, &end) && end > image->load_address)
        image->size = end - image->load_address;
    image->path = fm_event_text(reader, value, FM_STR("path"));
    return true;
}

/* Sets what is known of an image besides its addresses. image->path may have been set. */
static void describe_image(const struct fm_event_reader *reader, int32_t value, framemap_image *image)
{
    image->id = id_of_image(reader, value);
    image->arch = fm_event_text(reader, value, FM_STR("arch"));
    if (image->path.size == 0) image->path = fm_event_text(reader, value, FM_STR("debug_file"));
    if (image->path.size == 0) image->path = fm_event_text(reader, value, FM_STR("name"));
    /* the id is used as the name, because an image without a name is not matched with frames */
    if (image->path.size == 0) image->path = image->id;
}

static bool read_image(const struct fm_event_reader *reader, int32_t value, framemap_image *image)
{
    *image = (framemap_image){.path = fm_event_text(reader, value, FM_STR("code_file"))};
    if (fm_event_number(reader, value, FM_STR("image_addr"), &image->load_address)) {
        fm_event_number(reader, value, FM_STR("image_size"), &image->size);
        /* the image's size, which Sentry's SDK for Dart does not state */
        if (image->size == 0) image->size = snapshot_most;
    } else if (!read_measured(reader, value, image)) {
        return false;
    }
    describe_image(reader, value, image);
    return true;
}

bool fm_event_numbered_image(const struct fm_event_reader *reader, uint64_t number, framemap_image *out, bool *is_wasm)
{
    if (number >= reader->image_count) return false;
    const int32_t value = reader->image_values[number];
    *out = (framemap_image){.path = fm_event_text(reader, value, FM_STR("code_file"))};
    describe_image(reader, value, out);
    out->name = fm_str_basename(out->path);
    *is_wasm = fm_str_equal(fm_event_text(reader, value, FM_STR("type")), wasm_type);
    return true;
}

/* Reads the address range and the id of an image. start, end: names of the members with the range. */
static bool read_extent(const struct fm_event_reader *reader, int32_t value, framemap_str start, framemap_str end,
                        framemap_str id, framemap_image *image)
{
    uint64_t after = 0;
    if (!fm_event_number(reader, value, start, &image->load_address)) return false;
    if (fm_event_number(reader, value, end, &after) && after > image->load_address)
        image->size = after - image->load_address;
    fm_row_id(fm_event_text(reader, value, id), reader->doc, &image->id);
    return true;
}

/* Reads {"base_addr":"0x…","end_addr":"0x…","filename":"app","debug_file":"app.pdb","debug_id":"…"}. */
static bool read_module(const struct fm_event_reader *reader, int32_t value, framemap_image *image)
{
    *image = (framemap_image){.path = fm_event_text(reader, value, FM_STR("filename"))};
    if (!read_extent(reader, value, FM_STR("base_addr"), FM_STR("end_addr"), FM_STR("debug_id"), image)) return false;
    if (image->path.size == 0) image->path = fm_event_text(reader, value, FM_STR("debug_file"));
    return true;
}

/* Reads {"name":"app","buildId":"…","path":"/app","baseAddress":"0x…","endOfText":"0x…"} of Swift's runtime. */
static bool read_swift_image(const struct fm_event_reader *reader, int32_t value, framemap_image *image)
{
    *image = (framemap_image){.path = fm_event_text(reader, value, FM_STR("path"))};
    if (!read_extent(reader, value, FM_STR("baseAddress"), FM_STR("endOfText"), FM_STR("buildId"), image)) return false;
    if (image->path.size == 0) image->path = fm_event_text(reader, value, FM_STR("name"));
    return true;
}

/* Reads an image of New Relic:
 * {"baseAddress":"0x…","imageName":"/d/App","imageSize":64,"imageUuid":"…","codeType":{"arch":"arm64"}} */
static bool read_library(const struct fm_event_reader *reader, int32_t value, framemap_image *image)
{
    const int32_t code = fm_event_member(reader, value, FM_STR("codeType"));
    *image = (framemap_image){.path = fm_event_text(reader, value, FM_STR("imageName")),
                              .arch = fm_event_text(reader, code, FM_STR("arch"))};
    if (!fm_event_number(reader, value, FM_STR("baseAddress"), &image->load_address)) return false;
    (void)fm_event_number(reader, value, FM_STR("imageSize"), &image->size);
    fm_row_id(fm_event_text(reader, value, FM_STR("imageUuid")), reader->doc, &image->id);
    return image->path.size != 0;
}

/* Reads an image of MongoDB: {"b":"7F5D531BA000","path":"/lib/libc.so.6","elfType":3,"buildId":"…"}. The image of the
 * program has no path. */
static bool read_mapped(const struct fm_event_reader *reader, int32_t value, framemap_image *image)
{
    *image = (framemap_image){.path = fm_event_text(reader, value, FM_STR("path")), .size = snapshot_most};
    if (!fm_event_address(reader, value, FM_STR("b"), true, &image->load_address)) return false;
    fm_row_id(fm_event_text(reader, value, FM_STR("buildId")), reader->doc, &image->id);
    if (image->path.size == 0) image->path = image->id;
    return image->path.size != 0;
}

static bool read_listed(const struct fm_event_reader *reader, int32_t value, framemap_image *image)
{
    if (reader->dump >= 0) return read_module(reader, value, image);
    if (fm_str_equal(reader->kind, FM_STR(FM_EVENT_SWIFT))) return read_swift_image(reader, value, image);
    if (fm_event_member(reader, value, FM_STR("imageUuid")) >= 0) return read_library(reader, value, image);
    if (fm_event_member(reader, value, FM_STR("b")) >= 0) return read_mapped(reader, value, image);
    return read_image(reader, value, image);
}

void fm_event_list_images(struct fm_event_reader *reader)
{
    const size_t count = reader->images < 0 ? 0 : fm_json_count(reader->json, reader->images);
    if (count == 0) return;
    reader->listed = fm_document_alloc(reader->doc, count * sizeof *reader->listed);
    reader->image_values = fm_document_alloc(reader->doc, count * sizeof *reader->image_values);
    if (reader->listed == NULL || reader->image_values == NULL) return;
    for (int32_t value = fm_json_first(reader->json, reader->images); value >= 0;
         value = fm_json_next(reader->json, value)) {
        framemap_image image;
        reader->image_values[reader->image_count++] = value;
        if (!read_listed(reader, value, &image)) continue;
        image.name = fm_str_basename(image.path);
        if (reader->dump >= 0 && image.name.size == image.path.size) image.path = fm_str(NULL, 0);
        reader->listed[reader->listed_count++] = image;
    }
}

framemap_str fm_event_mapping(const struct fm_event_reader *reader)
{
    framemap_str id = {NULL, 0}, found = id;
    if (reader->images < 0) return id;
    for (int32_t value = fm_json_first(reader->json, reader->images); value >= 0;
         value = fm_json_next(reader->json, value)) {
        if (!fm_str_equal(fm_event_text(reader, value, FM_STR("type")), FM_STR("proguard"))) continue;
        framemap_str text = fm_event_text(reader, value, FM_STR("uuid"));
        if (text.size == 0) text = fm_event_text(reader, value, FM_STR("debug_id"));
        if (!fm_row_id(text, reader->doc, &id)) continue;
        if (found.size && !fm_str_equal(found, id)) return (framemap_str){NULL, 0};
        found = id;
    }
    return found;
}

framemap_str fm_event_script_id(const struct fm_event_reader *reader, framemap_str file, framemap_str path)
{
    framemap_str id = {NULL, 0};
    if (reader->images < 0) return id;
    for (int32_t value = fm_json_first(reader->json, reader->images); value >= 0;
         value = fm_json_next(reader->json, value)) {
        const framemap_str code = fm_event_text(reader, value, FM_STR("code_file"));
        if (code.size == 0 || !(fm_str_equal(code, file) || fm_str_equal(code, path))) continue;
        if (fm_row_id(fm_event_text(reader, value, FM_STR("debug_id")), reader->doc, &id)) return id;
    }
    return id;
}

void fm_event_add_images(struct fm_event_reader *reader, const struct fm_json_document *document)
{
    if (reader->listed_count == 0) return;
    const struct fm_line last = fm_json_lines_at(&reader->lines, fm_str_from(document->text, document->text.size - 1));
    for (size_t i = 0; i < reader->listed_count; i++) {
        framemap_image *image = fm_document_image(reader->doc, &last);
        if (image) *image = reader->listed[i];
    }
}
