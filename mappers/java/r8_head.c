/* Reads the head of a mapping, and judges whether a text is a mapping. See r8_head.h. */
#include "mappers/java/r8_head.h"

#include "core/hash/hash.h"
#include "core/text/scan.h"
#include "mappers/java/r8_line.h"

#define ID_BYTES 64 /* maximum number of bytes of an id: framemap_image_info has no room for more */
#define LINES_AFTER_FAULT 100u
#define HEAD_BYTES ((size_t)256 << 10) /* bytes read as the head, which may include a licence text */

static const char *const keys[FM_R8_HEAD_KEYS] = {"compiler",      "compiler_version", "min_api",
                                                  "compiler_hash", "pg_map_id",        "pg_map_hash"};

framemap_str fm_r8_trim(framemap_str text)
{
    while (text.size > 0 && (unsigned char)text.data[0] <= ' ') text = fm_str_from(text, 1);
    while (text.size > 0 && (unsigned char)text.data[text.size - 1] <= ' ') text.size--;
    return text;
}

void fm_r8_head_line(struct fm_r8_head *head, framemap_str line)
{
    line = fm_r8_trim(line);
    if (line.size == 0 || line.data[0] != '#') return;
    line = fm_r8_trim(fm_str_from(line, 1));
    const size_t colon = fm_str_find_byte(line, ':');
    if (colon == FM_NOT_FOUND) return;
    for (size_t i = 0; i < FM_R8_HEAD_KEYS; i++) {
        if (head->values[i].size > 0 || !fm_str_equal(fm_str_slice(line, 0, colon), framemap_str_of(keys[i]))) continue;
        head->values[i] = fm_r8_trim(fm_str_from(line, colon + 1));
    }
}

static bool head_value_fits_id(framemap_str id)
{
    for (size_t i = 0; i < id.size; i++)
        if ((unsigned char)id.data[i] <= ' ' || (unsigned char)id.data[i] >= 0x7f || id.data[i] == ':') return false;
    return id.size > 0 && id.size <= ID_BYTES;
}

framemap_str fm_r8_head_id(const struct fm_r8_head *head)
{
    const framemap_str id = head->values[FM_R8_PG_MAP_ID], hash = head->values[FM_R8_PG_MAP_HASH];
    if (head_value_fits_id(id)) return id;
    const framemap_str digits = fm_str_starts(hash, FM_STR("SHA-256 ")) ? fm_r8_trim(fm_str_from(hash, 8)) : hash;
    return head_value_fits_id(digits) ? digits : (framemap_str)FM_STR_INIT("");
}

framemap_str fm_r8_hash_id(const unsigned char sha256[32], char digits[FM_R8_CONTENT_ID_SIZE])
{
    fm_hex_put(sha256, FM_R8_CONTENT_ID_SIZE / 2, digits);
    return fm_str(digits, FM_R8_CONTENT_ID_SIZE);
}

framemap_str fm_r8_content_id(framemap_str bytes, char digits[FM_R8_CONTENT_ID_SIZE])
{
    unsigned char digest[32];
    fm_sha256(bytes.data, bytes.size, digest);
    return fm_r8_hash_id(digest, digits);
}

framemap_status fm_r8_head_attributes(const struct fm_r8_head *head, struct fm_builder *builder, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < FM_R8_HEAD_KEYS && status == FRAMEMAP_OK; i++)
        if (head->values[i].size > 0)
            status = fm_builder_attribute(builder, framemap_str_of(keys[i]), head->values[i], error);
    return status;
}

/* --- judging whether a text is a mapping --- */

static bool is_class_line(framemap_str line)
{
    struct fm_r8_cursor cursor = {.at = line.data, .end = line.data + line.size};
    framemap_str original, residual;
    /* R8 also accepts class lines without an arrow, but too many other texts contain such lines. */
    return fm_str_find(line, FM_STR("->")) != FM_NOT_FOUND && fm_r8_class_line(&cursor, &original, &residual);
}

static bool has_head(const struct fm_r8_head *head)
{
    return head->values[FM_R8_PG_MAP_ID].size > 0 || head->values[FM_R8_PG_MAP_HASH].size > 0 ||
           fm_str_equal(head->values[FM_R8_COMPILER], FM_STR("R8"));
}

static bool is_version_comment(framemap_str line)
{
    return fm_str_starts(fm_r8_trim(line), FM_STR("#")) &&
           fm_str_find(line, FM_STR("com.android.tools.r8.mapping")) != FM_NOT_FOUND;
}

static framemap_str without_mark(framemap_str bytes)
{
    return fm_str_starts(bytes, FM_STR("\xef\xbb\xbf")) ? fm_str_from(bytes, 3) : bytes;
}

static bool head_next_line(struct fm_scan *scan, framemap_str *line)
{
    return fm_scan_line(scan, line) && memchr(line->data, 0, line->size) == NULL;
}

/* Whether one of the next lines is a class line that is followed by a member line. Then the text is a mapping whose
 * first lines are damaged. */
static bool has_class_further_on(struct fm_scan *scan)
{
    framemap_str line;
    bool in_class = false;
    for (unsigned i = 0; i < LINES_AFTER_FAULT && head_next_line(scan, &line); i++) {
        const bool indented = line.size > 0 && (line.data[0] == ' ' || line.data[0] == '\t');
        if (in_class && indented && fm_str_find(line, FM_STR(" -> ")) != FM_NOT_FOUND) return true;
        in_class = !indented && is_class_line(line);
    }
    return false;
}

int fm_r8_probe(framemap_str bytes)
{
    struct fm_scan scan = fm_scan_of(fm_str_slice(without_mark(bytes), 0, HEAD_BYTES));
    struct fm_r8_head head = {.values = {{NULL, 0}}};
    framemap_str line;
    bool has_version = false;
    while (head_next_line(&scan, &line)) {
        if (fm_r8_trim(line).size == 0) continue;
        fm_r8_head_line(&head, line);
        has_version = has_version || is_version_comment(line);
        if (fm_r8_trim(line).data[0] == '#') continue;
        if (is_class_line(line)) return 90;
        return has_version || has_head(&head) ? 50 : has_class_further_on(&scan) ? 40 : 0;
    }
    return has_version || has_head(&head) ? 50 : 0;
}

void fm_r8_head_read(framemap_str bytes, struct fm_r8_head *head)
{
    struct fm_scan scan = fm_scan_of(fm_str_slice(without_mark(bytes), 0, HEAD_BYTES));
    framemap_str line;
    *head = (struct fm_r8_head){.values = {{NULL, 0}}};
    while (fm_scan_line(&scan, &line)) {
        const framemap_str text = fm_r8_trim(line);
        if (text.size > 0 && text.data[0] != '#') return;
        fm_r8_head_line(head, line);
    }
}
