/* Implements json_images.h: finds the key "binary_images" on a line, parses the JSON array after it, and adds each
 * element to the parsed report as an image: name, architecture, UUID and address range. */
#include "formats/json_images.h"
#include "formats/row_parts.h"

static const framemap_str list_key = FM_STR_INIT("binary_images\"");

/* Returns the opening bracket of the list of images that begins on a line; NULL: no list begins there. The key is
 * "binary_images" or "error.binary_images". */
static const char *list_in(framemap_str text)
{
    const size_t at = fm_str_find(text, list_key);
    if (at == FM_NOT_FOUND || at == 0 || (text.data[at - 1] != '"' && text.data[at - 1] != '.')) return NULL;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + list_key.size));
    fm_scan_blanks(&s);
    if (!fm_scan_byte(&s, ':')) return NULL;
    fm_scan_blanks(&s);
    return !fm_scan_done(&s) && *s.at == '[' ? s.at : NULL;
}

static framemap_str text_of(const struct fm_json *json, int32_t object, const char *key, struct fm_document *doc)
{
    return fm_json_document_string(json, fm_json_get(json, object, key), doc);
}

static bool address_of(const struct fm_json *json, int32_t object, const char *key, struct fm_document *doc,
                       uint64_t *out)
{
    struct fm_scan s = fm_scan_of(text_of(json, object, key, doc));
    return fm_row_0xhex(&s, out) == FM_DIGITS_FIT && fm_scan_done(&s);
}

static bool read_image(const struct fm_json *json, int32_t value, struct fm_document *doc, framemap_image *image)
{
    uint64_t last = 0;
    if (fm_json_type(json, value) != FM_JSON_OBJECT) return false;
    *image = (framemap_image){.name = text_of(json, value, "name", doc), .arch = text_of(json, value, "arch", doc)};
    if (image->name.size == 0 || !address_of(json, value, "load_address", doc, &image->load_address)) return false;
    if (address_of(json, value, "max_address", doc, &last) && last > image->load_address)
        image->size = last - image->load_address;
    fm_row_id(text_of(json, value, "uuid", doc), doc, &image->id);
    return true;
}

static void add_images(struct fm_json_images *images, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_json *json = fm_json_document_parse(&images->document, doc);
    if (json == NULL) return;
    for (int32_t value = fm_json_first(json, 0); value >= 0; value = fm_json_next(json, value)) {
        framemap_image image;
        if (!read_image(json, value, doc, &image)) continue;
        if (!images->listed) fm_document_report_end(doc);
        images->listed = true;
        framemap_image *added = fm_document_image(doc, line);
        if (added) *added = image;
    }
    fm_json_free(json);
}

void fm_json_images_begin(struct fm_json_images *images, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_line whole;
    if (line->number1 == images->document.seen1) return;
    /* The document is closed here, since a list of images ends on the line on which it begins. */
    images->document = (struct fm_json_document){.seen1 = images->document.seen1};
    if (images->listed) fm_document_report_end(doc);
    images->listed = false;
    if (line->run == 0 || !fm_json_document_line(&images->document, doc, line, &whole)) return;
    const char *bracket = list_in(whole.text);
    if (bracket && fm_json_document_begin_at(&images->document, doc, &whole, bracket) == FM_DOCUMENT_COMPLETE)
        add_images(images, doc, line);
}
