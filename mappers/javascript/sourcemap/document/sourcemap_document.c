/* Finds the JSON text of a source map in its container. See sourcemap_document.h. */
#include "mappers/javascript/sourcemap/document/sourcemap_document.h"

#include "mappers/javascript/sourcemap/document/sourcemap_comment.h"
#include "mappers/javascript/sourcemap/document/sourcemap_gzip.h"
#include "mappers/javascript/sourcemap/document/sourcemap_member_values.h"

#define PROBE_BYTES ((size_t)64 << 10) /* number of bytes at the start that are examined */
#define PROBE_INFLATED ((size_t)8 << 10)

static framemap_str without_mark(framemap_str text)
{
    const framemap_str mark = FM_STR("\xEF\xBB\xBF");
    return fm_str_starts(text, mark) ? fm_str_from(text, mark.size) : text;
}

framemap_str fm_sourcemap_document_strip(framemap_str bytes)
{
    framemap_str text = without_mark(bytes);
    size_t end = 0;
    if (!fm_str_starts(text, FM_STR(")]}"))) return text;
    while (end < text.size && text.data[end] != '\n' && text.data[end] != '\r' && text.data[end] != '{') end++;
    while (end < text.size && (text.data[end] == '\n' || text.data[end] == '\r')) end++;
    return without_mark(fm_str_from(text, end));
}

static size_t document_skip_blanks(framemap_str text, size_t at)
{
    while (at < text.size && memchr(" \t\r\n", text.data[at], 4)) at++;
    return at;
}

bool fm_sourcemap_document_is_json(framemap_str stripped)
{
    const size_t open = document_skip_blanks(stripped, 0);
    if (open == stripped.size || stripped.data[open] != '{') return false;
    const size_t next = document_skip_blanks(stripped, open + 1);
    return next < stripped.size && (stripped.data[next] == '"' || stripped.data[next] == '}');
}

static framemap_status from_script(framemap_str script, struct fm_sourcemap_document *out, framemap_error *error)
{
    const framemap_str url = fm_sourcemap_comment_url(script);
    if (!fm_sourcemap_is_data_url(url))
        return FRAMEMAP_OK; /* leaves the bytes as they are; the reader will report that
                               they are not JSON */
    const framemap_status status = fm_sourcemap_data_url(url, out->heap, &out->made[1].data, &out->text.size, error);
    if (status != FRAMEMAP_OK) return status;
    out->script = script;
    out->made[1].size = url.size - fm_str_find_byte(url, ',');
    out->text = fm_sourcemap_document_strip(fm_str(out->made[1].data, out->text.size));
    return FRAMEMAP_OK;
}

framemap_status fm_sourcemap_document_open(framemap_str bytes, struct fm_heap *heap, struct fm_sourcemap_document *out,
                                           framemap_error *error)
{
    *out = (struct fm_sourcemap_document){.heap = heap};
    if (fm_sourcemap_is_gzip(bytes)) {
        size_t size;
        const framemap_status status =
            fm_sourcemap_gunzip(bytes, heap, &out->made[0].data, &out->made[0].size, &size, error);
        if (status != FRAMEMAP_OK) return status;
        bytes = fm_str(out->made[0].data, size);
    }
    out->text = fm_sourcemap_document_strip(bytes);
    return fm_sourcemap_document_is_json(out->text) ? FRAMEMAP_OK : from_script(out->text, out, error);
}

void fm_sourcemap_document_close(struct fm_sourcemap_document *document)
{
    for (unsigned i = 0; i < 2; i++) fm_heap_free(document->heap, document->made[i].data, document->made[i].size);
}

/* Judges a JSON text by the members in its first bytes. Profiles and events have a "version", too, so a text with that
 * member and no other member of a map counts only if the version is 3. */
static int probe_json(framemap_str text)
{
    struct fm_json_walk walk;
    struct fm_json_piece key = {.escaped = false}, value;
    bool seen[FM_SOURCEMAP_MEMBERS + 1] = {false}, more = true, is_version_3 = false;
    int64_t version;
    fm_json_walk_init(&walk, fm_str_slice(text, 0, PROBE_BYTES));
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT)) return 0;
    while (more) {
        key.raw = value.raw = (framemap_str){NULL, 0};
        more = fm_json_walk_next(&walk, &key, &value);
        if (key.raw.data == NULL) continue;
        const enum fm_sourcemap_member member = fm_sourcemap_member_of(&key);
        seen[member] = true;
        if (member == FM_SOURCEMAP_MEMBER_VERSION)
            is_version_3 = fm_json_piece_integer(&value, &version) && version == 3;
    }
    if (seen[FM_SOURCEMAP_MEMBER_MAPPINGS] || seen[FM_SOURCEMAP_MEMBER_SECTIONS]) return 95;
    const int parts = seen[FM_SOURCEMAP_MEMBER_SOURCES] + seen[FM_SOURCEMAP_MEMBER_CONTENTS] +
                      seen[FM_SOURCEMAP_MEMBER_NAMES] + seen[FM_SOURCEMAP_MEMBER_SOURCE_ROOT] +
                      seen[FM_SOURCEMAP_MEMBER_FACEBOOK_SOURCES];
    if (parts > 0) return seen[FM_SOURCEMAP_MEMBER_VERSION] ? 90 : 70;
    return is_version_3 ? 50 : 0;
}

static int probe_text(framemap_str bytes, framemap_str name)
{
    const framemap_str text = fm_sourcemap_document_strip(bytes);
    const int score = fm_sourcemap_document_is_json(text) ? probe_json(text) : 0;
    return score == 0 && text.data != bytes.data && fm_str_ends(name, FM_STR(".map")) ? 40 : score;
}

/* Whether the bytes are text. Only a text can be a script, whose last lines may contain a map. */
static bool document_is_text(framemap_str bytes)
{
    return memchr(bytes.data, 0, bytes.size < PROBE_BYTES ? bytes.size : PROBE_BYTES) == NULL;
}

int fm_sourcemap_document_probe(framemap_str bytes, framemap_str name)
{
    char head[PROBE_INFLATED];
    if (bytes.size == 0) return 0;
    if (fm_sourcemap_is_gzip(bytes))
        return probe_text(fm_str(head, fm_sourcemap_gunzip_head(bytes, head, sizeof head)), name);
    const int score = probe_text(bytes, name);
    if (score > 0) return score;
    return document_is_text(bytes) && fm_sourcemap_is_data_url(fm_sourcemap_comment_url(bytes)) ? 80 : 0;
}
