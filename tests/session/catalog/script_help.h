/* Creates source maps and scripts from descriptions in one line. The only source of each map is a tag, by which a test
 * recognizes the map that was chosen. */
#ifndef FM_TESTS_SESSION_CATALOG_SCRIPT_HELP_H
#define FM_TESTS_SESSION_CATALOG_SCRIPT_HELP_H

#include "core/text/buffer.h"
#include "tests/session/session_help.h"

#define ID_A "11111111-2222-3333-4444-555555555555"
#define ID_B "aaaaaaaa-2222-3333-4444-555555555555"
#define HEX_A "11111111222233334444555555555555"
#define HEX_B "aaaaaaaa222233334444555555555555"

/* --- making files, each described by a path and options, such as "dist/main.js.map as=one id=… hermes gz", "main.js
 * url=x.map id=…", "main.js inline", "a.fmx of=main.js.map"; a plus sign represents a blank --- */

static inline framemap_str option(framemap_str description, const char *key)
{
    const framemap_str name = framemap_str_of(key);
    const size_t at = fm_str_find(description, name);
    if (at == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    const framemap_str rest = fm_str_from(description, at + name.size);
    const size_t end = fm_str_find_byte(rest, ' ');
    return fm_str_slice(rest, 0, end == FM_NOT_FOUND ? rest.size : end);
}

static inline bool has(framemap_str description, const char *word)
{
    return fm_str_find(description, framemap_str_of(word)) != FM_NOT_FOUND;
}

/* Appends the text as a gzip file with a single block that is not compressed, whose size is at most 64 KB. */
static inline void add_gzip(struct fm_buf *out, framemap_str text)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < text.size; i++) {
        crc ^= (unsigned char)text.data[i];
        for (unsigned bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    crc = ~crc;
    const uint32_t size = (uint32_t)text.size;
    const unsigned char head[] = {0x1f,
                                  0x8b,
                                  8,
                                  0,
                                  0,
                                  0,
                                  0,
                                  0,
                                  0,
                                  255,
                                  1,
                                  (unsigned char)size,
                                  (unsigned char)(size >> 8),
                                  (unsigned char)~size,
                                  (unsigned char)(~size >> 8)};
    fm_buf_add(out, head, sizeof head);
    fm_buf_str(out, text);
    for (unsigned i = 0; i < 4; i++) fm_buf_byte(out, (char)(crc >> (8 * i)));
    for (unsigned i = 0; i < 4; i++) fm_buf_byte(out, (char)(size >> (8 * i)));
}

static inline void add_map(struct fm_buf *out, framemap_str path, framemap_str description)
{
    const framemap_str as = option(description, " as="), id = option(description, " id="),
                       file = option(description, " file=");
    const framemap_str tag = as.size ? as : path;
    fm_buf_printf(out, "{\"version\":3,\"sources\":[\"%.*s\"],\"mappings\":\"AAAA\"", (int)tag.size, tag.data);
    if (id.size) fm_buf_printf(out, ",\"debugId\":\"%.*s\"", (int)id.size, id.data);
    if (file.size) fm_buf_printf(out, ",\"file\":\"%.*s\"", (int)file.size, file.data);
    if (has(description, " hermes")) fm_buf_printf(out, ",\"x_hermes_function_offsets\":{\"0\":[0,5]}");
    fm_buf_printf(out, "}");
}

static inline void add_script(struct fm_buf *out, framemap_str path, framemap_str description, struct fm_heap *heap)
{
    const framemap_str url = option(description, " url="), id = option(description, " id="),
                       at = option(description, " at=");
    fm_buf_printf(out, "function f(){throw 1}\n");
    if (id.size) fm_buf_printf(out, "//# debugId=%.*s\n", (int)id.size, id.data);
    if (url.size) fm_buf_printf(out, "//# sourceMappingURL=%.*s\n", (int)url.size, url.data);
    if (!has(description, " inline")) return;
    struct fm_buf map;
    fm_buf_init(&map, heap);
    add_map(&map, path, description);
    fm_buf_printf(out, "//# sourceMappingURL=data:application/json,");
    for (size_t i = 0; i < map.size; i++) fm_buf_printf(out, "%%%02x", (unsigned char)map.data[i]);
    fm_buf_byte(out, '\n');
    if (at.size) fm_buf_printf(out, "//# sourceURL=%.*s\n", (int)at.size, at.data);
    fm_buf_free(&map);
}

static inline void put_index_of(const struct folder *folder, const char *path, framemap_str map, framemap_str name)
{
    framemap_bytes bytes = {0};
    framemap_error error = {0};
    must_ok(framemap_index_build(map, name, NULL, &bytes, &error), &error);
    put_file(folder, path, framemap_bytes_str(&bytes));
    framemap_bytes_free(&bytes);
}

static inline void put_described(const struct folder *folder, const char *description)
{
    struct fm_heap heap;
    struct fm_buf text, packed;
    char path[256];
    const framemap_str all = framemap_str_of(description);
    const size_t blank = fm_str_find_byte(all, ' ');
    const framemap_str name = fm_str_slice(all, 0, blank == FM_NOT_FOUND ? all.size : blank), of = option(all, " of=");
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&packed, &heap);
    snprintf(path, sizeof path, "%.*s", (int)name.size, name.data);
    for (char *at = path; *at; at++)
        if (*at == '+') *at = ' ';
    if (has(all, " inline") || has(all, " script") || option(all, " url=").size)
        add_script(&text, name, all, &heap);
    else
        add_map(&text, name, all);
    if (has(all, " gz")) add_gzip(&packed, fm_buf_view(&text));
    if (of.size || fm_str_ends(name, FM_STR(".fmx")))
        put_index_of(folder, path, fm_buf_view(&text), of);
    else
        put_file(folder, path, fm_buf_view(packed.size ? &packed : &text));
    fm_buf_free(&packed);
    fm_buf_free(&text);
    assert_true(heap.used == 0);
}

static inline framemap_session *open_folder(const char *path, const framemap_allocator *allocator,
                                            struct warnings *warnings)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .warning = keep_warning,
                                              .context = warnings};
    const framemap_status status = framemap_session_open(&options, &session, &error);
    if (status != FRAMEMAP_OK && status != FRAMEMAP_E_MEMORY) fail_msg("%s: %s", path, error.message);
    return session;
}

/* Returns the tag of the map from which an index was made: the source of the first segment. */
static inline const char *tag_of(const framemap_index *index)
{
    static char tag[256];
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_scratch *scratch = NULL;
    framemap_frame frame;
    framemap_error error = {0};
    must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
    must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
    assert_int_equal(frame.restored.count, 1);
    const framemap_str file = frame.restored.frames[0].file;
    snprintf(tag, sizeof tag, "%.*s", (int)file.size, file.data);
    framemap_scratch_free(scratch);
    return tag;
}

#endif
