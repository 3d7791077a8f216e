/* Implements framemap_inject: writes one debug id into a script and its source map. */
#include "api/option_structs.h"
#include "core/error.h"
#include "core/hash/sha1.h"
#include "core/hash/uuid5.h"
#include "core/text/base64.h"
#include "core/text/scan.h"
#include "mappers/javascript/sourcemap/document/sourcemap_comment.h"
#include "session/inject/inject_map.h"

/* A JavaScript statement that registers the debug id of the script. It stores the id under a key, which is the text of
 * a stack trace made in this script. When an error is reported, Sentry's SDK compares the script names in these traces
 * with the script names in the error's frames. The variables in the statement have the names that Sentry's SDKs use. */
#define STATEMENT_BEGIN                                                                               \
    ";(function(){try{var g=typeof globalThis===\"object\"?globalThis:typeof self===\"object\"?self:" \
    "typeof global===\"object\"?global:window,s=new Error().stack;if(s){g._sentryDebugIds="           \
    "g._sentryDebugIds||{};g._sentryDebugIds[s]=\""
#define STATEMENT_END "\"}}catch(_){}})();"

struct inject_job {
    framemap_str script, map;
    framemap_script_info about;
    framemap_injected *result;
    char *inner; /* the map, decoded from the data: URL in the script; NULL: the script has no such URL */
    size_t inner_room;
};

/* Reads an id with or without dashes, in upper or lower case. */
static bool read_id(framemap_str text, char out[FM_GUID_SIZE + 1])
{
    char digits[FM_GUID_DIGITS];
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char byte = text.data[i];
        if (byte == '-') continue;
        if (!fm_is_hex(byte) || count == FM_GUID_DIGITS) return false;
        digits[count++] = byte >= 'A' && byte <= 'F' ? (char)(byte + 32) : byte;
    }
    if (count != FM_GUID_DIGITS) return false;
    fm_guid_put(digits, out);
    return true;
}

/* Makes the id: a UUID of version 5 that is computed from the script and its map, in a name space of framemap's own. */
static void make_id(const struct inject_job *job, char out[FM_GUID_SIZE + 1])
{
    static const char space[16] = "framemap inject";
    unsigned char head[sizeof space + FM_SHA1_SIZE], id[FM_UUID_BYTES];
    char digits[FM_GUID_DIGITS];
    memcpy(head, space, sizeof space);
    fm_sha1(fm_str(space, sizeof space), job->map, head + sizeof space);
    fm_uuid5(fm_str((const char *)head, sizeof head), job->script, id);
    fm_hex_put(id, FM_UUID_BYTES, digits);
    fm_guid_put(digits, out);
}

static framemap_status read_inner(struct inject_job *job, struct fm_heap *heap, framemap_error *error)
{
    const framemap_str url = job->about.map_url;
    size_t size = 0;
    const framemap_status status = fm_sourcemap_data_url(url, heap, &job->inner, &size, error);
    if (status != FRAMEMAP_OK) return status;
    job->inner_room = url.size - fm_str_find_byte(url, ',');
    job->map = fm_str(job->inner, size);
    return size > 0 ? status : fm_error_set(error, FRAMEMAP_E_CORRUPT, "the source map inside the script is empty");
}

/* Chooses the id: the id of the script if it has one, else the id of the map, else a new id. */
static framemap_status choose_id(struct inject_job *job, bool *map_has_it, framemap_error *error)
{
    char of_script[FM_GUID_SIZE + 1] = "", of_map[FM_GUID_SIZE + 1] = "", *id = job->result->debug_id;
    framemap_str text = {NULL, 0};
    framemap_status status = job->map.size ? fm_inject_map_id(job->map, &text, error) : FRAMEMAP_OK;
    if (status != FRAMEMAP_OK) return status;
    if (job->about.debug_id.size && !read_id(job->about.debug_id, of_script))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the debug id of the script is not a UUID");
    if (text.size && !read_id(text, of_map))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the debug id of the source map is not a UUID");
    *map_has_it = of_map[0] != 0;
    if (of_script[0] && of_map[0] && strcmp(of_script, of_map) != 0)
        return fm_error_set(error, FRAMEMAP_E_MISMATCH, "the script has the debug id %s, its source map %s", of_script,
                            of_map);
    if (of_script[0] || of_map[0])
        memcpy(id, of_script[0] ? of_script : of_map, FM_GUID_SIZE + 1);
    else
        make_id(job, id);
    return FRAMEMAP_OK;
}

/* Appends a part of the script. If the part contains the URL of a map, `url` replaces that URL; if `url` is absent, the
 * URL is not changed. */
static void put_code(struct fm_buf *out, const struct inject_job *job, framemap_str url, size_t from, size_t to)
{
    const size_t at = url.size ? (size_t)(job->about.map_url.data - job->script.data) : to;
    if (at < from || at >= to) {
        fm_buf_str(out, fm_str_slice(job->script, from, to));
        return;
    }
    fm_buf_str(out, fm_str_slice(job->script, from, at));
    fm_buf_str(out, url);
    fm_buf_str(out, fm_str_slice(job->script, at + job->about.map_url.size, to));
}

static void put_script(struct fm_buf *out, const struct inject_job *job, const struct fm_script_place *place,
                       framemap_str url)
{
    const size_t end = fm_script_end_place(job->script);
    const size_t at = place->at < end ? place->at : end;
    const framemap_str id = framemap_str_of(job->result->debug_id);
    put_code(out, job, url, 0, at);
    if (place->col0) fm_buf_byte(out, '\n');
    fm_buf_str(out, FM_STR(STATEMENT_BEGIN));
    fm_buf_str(out, id);
    fm_buf_str(out, FM_STR(STATEMENT_END "\n"));
    put_code(out, job, url, at, end);
    if (out->data && out->size && out->data[out->size - 1] != '\n') fm_buf_byte(out, '\n');
    fm_buf_str(out, FM_STR("//# debugId="));
    fm_buf_str(out, id);
    fm_buf_byte(out, '\n');
    put_code(out, job, url, end, job->script.size);
}

/* Appends the data: URL of a map, with the media type and parameters of the old URL. */
static void put_url(struct fm_buf *out, framemap_str old, framemap_str map)
{
    const framemap_str type = fm_str_slice(old, 0, fm_str_find_byte(old, ','));
    fm_buf_str(out, type);
    if (!fm_str_ends(type, FM_STR(";base64"))) fm_buf_str(out, FM_STR(";base64"));
    fm_buf_byte(out, ',');
    fm_buf_base64(out, map);
}

static framemap_status inject(struct inject_job *job, struct fm_buf *script, struct fm_buf *map, struct fm_buf *url,
                              framemap_error *error)
{
    const bool has_it = job->about.debug_id.size > 0;
    const struct fm_script_place place = fm_script_place_of(job->script);
    bool map_has_it = false;
    framemap_status status = choose_id(job, &map_has_it, error);
    if (status == FRAMEMAP_OK && job->map.size && !(has_it && map_has_it))
        status = fm_inject_map(map, job->map, has_it ? NULL : &place, job->result->debug_id, error);
    if (status != FRAMEMAP_OK) return status;
    if (job->inner && map->size) put_url(url, job->about.map_url, fm_buf_view(map));
    if (!has_it)
        put_script(script, job, &place, fm_buf_view(url));
    else if (url->size)
        put_code(script, job, fm_buf_view(url), 0, job->script.size);
    if (job->inner) fm_buf_clear(map);
    return script->failed || url->failed ? fm_error_memory(error) : status;
}

/* Transfers the contents of a buffer to the caller. */
static bool give(struct fm_heap *heap, struct fm_buf *buf, const framemap_allocator *allocator, framemap_bytes *out)
{
    if (buf->size == 0) return true;
    *out = (framemap_bytes){.data = fm_heap_resize(heap, NULL, 0, buf->size), .size = buf->size};
    if (out->data == NULL) return false;
    memcpy(out->data, buf->data, buf->size);
    if (allocator) out->allocator = *allocator;
    return true;
}

framemap_status framemap_inject(framemap_str script, framemap_str map, const framemap_inject_options *options,
                                framemap_injected *out, framemap_error *error)
{
    framemap_inject_options given;
    framemap_injected result = {.debug_id = ""};
    struct inject_job job = {.script = script, .map = map, .result = &result};
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (out == NULL || (script.data == NULL && script.size) || (map.data == NULL && map.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    const char *refusal = fm_script_refusal(script);
    if (refusal != NULL)
        return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is %s, not a script: it is left as it is", refusal);
    framemap_script_inspect(script, &job.about);
    if (job.about.has_inline_map && map.size)
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "the script has another source map inside");
    struct fm_heap heap;
    struct fm_buf new_script, new_map, url;
    fm_heap_init(&heap, given.allocator, given.max_memory);
    fm_buf_init(&new_script, &heap);
    fm_buf_init(&new_map, &heap);
    fm_buf_init(&url, &heap);
    if (job.about.has_inline_map) status = read_inner(&job, &heap, error);
    if (status == FRAMEMAP_OK) status = inject(&job, &new_script, &new_map, &url, error);
    if (status == FRAMEMAP_OK && !(give(&heap, &new_script, given.allocator, &result.script) &&
                                   give(&heap, &new_map, given.allocator, &result.map)))
        status = fm_error_memory(error);
    fm_buf_free(&new_script);
    fm_buf_free(&new_map);
    fm_buf_free(&url);
    fm_heap_free(&heap, job.inner, job.inner_room);
    if (status == FRAMEMAP_OK) {
        *out = result;
        return status;
    }
    framemap_bytes_free(&result.script);
    framemap_bytes_free(&result.map);
    return fm_heap_fault(&heap, status, error);
}
