/* Which source map a script of a stack is read with. Every map here says of itself, as its only source, which one it is. */
#include "session/script_maps.h"

#include "session/scan_scripts.h"
#include "session/script_choice.h"
#include "session/script_name.h"
#include "tests/session/session_help.h"

/* --- files, told in a word each: "dist/main.js.map as=one id=… hermes gz", "main.js url=x.map id=…", "main.js inline", "a.fmx of=main.js.map"; a plus is a blank --- */

static framemap_str option(framemap_str told, const char *key)
{
    const framemap_str name = framemap_str_of(key);
    const size_t at = fm_str_find(told, name);
    if (at == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    const framemap_str rest = fm_str_from(told, at + name.size);
    const size_t end = fm_str_find_byte(rest, ' ');
    return fm_str_slice(rest, 0, end == FM_NOT_FOUND ? rest.size : end);
}

static bool has(framemap_str told, const char *word) { return fm_str_find(told, framemap_str_of(word)) != FM_NOT_FOUND; }

/* gzip with one stored block: what it holds may not be longer than 64 KB. */
static void add_gzip(struct fm_buf *out, framemap_str text)
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

static void add_map(struct fm_buf *out, framemap_str path, framemap_str told)
{
    const framemap_str as = option(told, " as="), id = option(told, " id="), file = option(told, " file=");
    const framemap_str tag = as.size ? as : path;
    fm_buf_printf(out, "{\"version\":3,\"sources\":[\"%.*s\"],\"mappings\":\"AAAA\"", (int)tag.size, tag.data);
    if (id.size) fm_buf_printf(out, ",\"debugId\":\"%.*s\"", (int)id.size, id.data);
    if (file.size) fm_buf_printf(out, ",\"file\":\"%.*s\"", (int)file.size, file.data);
    if (has(told, " hermes")) fm_buf_printf(out, ",\"x_hermes_function_offsets\":{\"0\":[0,5]}");
    fm_buf_printf(out, "}");
}

static void add_script(struct fm_buf *out, framemap_str path, framemap_str told, struct fm_heap *heap)
{
    const framemap_str url = option(told, " url="), id = option(told, " id="), at = option(told, " at=");
    fm_buf_printf(out, "function f(){throw 1}\n");
    if (id.size) fm_buf_printf(out, "//# debugId=%.*s\n", (int)id.size, id.data);
    if (url.size) fm_buf_printf(out, "//# sourceMappingURL=%.*s\n", (int)url.size, url.data);
    if (!has(told, " inline")) return;
    struct fm_buf map;
    fm_buf_init(&map, heap);
    add_map(&map, path, told);
    fm_buf_printf(out, "//# sourceMappingURL=data:application/json,");
    for (size_t i = 0; i < map.size; i++) fm_buf_printf(out, "%%%02x", (unsigned char)map.data[i]);
    fm_buf_byte(out, '\n');
    if (at.size) fm_buf_printf(out, "//# sourceURL=%.*s\n", (int)at.size, at.data);
    fm_buf_free(&map);
}

static void put_index_of(const struct folder *folder, const char *path, framemap_str map, framemap_str name)
{
    framemap_bytes bytes = {0};
    framemap_error error = {0};
    must_ok(framemap_index_build(map, name, NULL, &bytes, &error), &error);
    put_file(folder, path, framemap_bytes_str(&bytes));
    framemap_bytes_free(&bytes);
}

static void put_told(const struct folder *folder, const char *told)
{
    struct fm_heap heap;
    struct fm_buf text, packed;
    char path[256];
    const framemap_str all = framemap_str_of(told);
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

static framemap_session *open_folder(const char *path, const framemap_allocator *allocator, struct warnings *warnings)
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

/* Which map an index is of: the source of its first segment. */
static const char *tag_of(const framemap_index *index)
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

/* --- the table --- */

#define ID_A "11111111-2222-3333-4444-555555555555"
#define ID_B "aaaaaaaa-2222-3333-4444-555555555555"
#define HEX_A "11111111222233334444555555555555"
#define HEX_B "aaaaaaaa222233334444555555555555"
#define NONE "!none of the source maps"
#define NOT_GIVEN "!no source map was given"
#define SEVERAL "!several source maps fit"
#define OTHER_BUILD "!the source maps given for this script are of another build"
#define OTHER_ID "!the source maps given for this script have another debug id"

static const struct row {
    const char *why;
    const char *files[6];
    const char *file, *id; /* of the frame; "0x" in front of the file: it has an address */
    const char *wanted;    /* the map's tag, or '!' and how the reason begins */
} rows[] = {
    /* names */
    {"the plain case", {"main.js.map", "other.js.map"}, "https://cdn.example/main.js", "", "main.js.map"},
    {"a name alone", {"main.js.map", "other.js.map"}, "main.js", "", "main.js.map"},
    {"one map, of another script: not taken here", {"other.js.map"}, "main.js", "", NONE},
    {"no maps at all", {"readme.js script"}, "main.js", "", NOT_GIVEN},
    {"a name is no beginning of another", {"main.js.map"}, "main.jsx", "", NONE},
    {"a name is no end of another", {"main.js.map"}, "domain.js", "", NONE},
    {"letters have their case", {"Main.js.map"}, "main.js", "", NONE},
    {"compressed", {"main.js.map.gz gz"}, "main.js", "", "main.js.map.gz"},
    {"compiled", {"main.js.map.fmx"}, "main.js", "", "main.js.map.fmx"},
    {"compiled under the script's name", {"main.js.fmx"}, "main.js", "", "main.js.fmx"},
    {"compiled under any name: the index tells of what", {"out.fmx of=main.js.map", "x.js.map"}, "main.js", "", "out.fmx"},
    {"no ending at all", {"bundle.map"}, "bundle", "", "bundle.map"},
    {"the map of main.js is called main.map", {"main.map"}, "main.js", "", "main.map"},
    {"a better name is before main.map", {"main.map", "main.js.map"}, "main.js", "", "main.js.map"},
    {"modules", {"app.mjs.map", "app.cjs.map"}, "file:///srv/app.cjs", "", "app.cjs.map"},
    /* addresses */
    {"a query", {"main.js.map"}, "https://x/main.js?v=17", "", "main.js.map"},
    {"a fragment", {"main.js.map"}, "https://x/main.js#top", "", "main.js.map"},
    {"slashes in a query", {"main.js.map", "c.js.map"}, "https://x/main.js?u=/b/c.js", "", "main.js.map"},
    {"a file whose name has a question mark", {"main.js?v=2.map", "main.js.map"}, "/srv/main.js?v=2", "", "main.js?v=2.map"},
    {"percent escapes", {"my+app.js.map", "a.js.map"}, "https://x/my%20app.js", "", "my+app.js.map"},
    {"percent escapes of folders", {"my+dir/a.js.map", "b/a.js.map"}, "https://x/my%20dir/a.js", "", "my+dir/a.js.map"},
    {"a broken escape stays", {"100%.js.map"}, "https://x/100%.js", "", "100%.js.map"},
    {"file address", {"main.js.map"}, "file:///srv/app/main.js", "", "main.js.map"},
    {"Windows", {"main.js.map"}, "C:\\inetpub\\app\\main.js", "", "main.js.map"},
    {"Windows as an address", {"main.js.map"}, "file:///C:/app/main.js", "", "main.js.map"},
    {"Windows: folders", {"v1/main.js.map", "v2/main.js.map"}, "D:\\x\\v2\\main.js", "", "v2/main.js.map"},
    {"app:///", {"main.jsbundle.map"}, "app:///main.jsbundle", "", "main.jsbundle.map"},
    {"the address of a root", {"main.js.map"}, "https://x/", "", "!the stack does not say which script"},
    {"no file", {"main.js.map"}, "", "", "!the stack does not say which script"},
    {"an extension of a browser", {"content.js.map"}, "chrome-extension://abcdefgh/content.js", "", "content.js.map"},
    {"code that webpack gave to eval is of no file",
     {"a.js.map", "src/a.js.map file=a.js"},
     "webpack-internal:///./src/a.js",
     "",
     "!this code was made"},
    {"the map of a module tells its whole path",
     {"x.map file=./src/a.js", "y.map file=./lib/a.js"},
     "webpack-internal:///./src/a.js",
     "",
     "x.map"},
    {"and may be called so", {"a.js.map file=./src/a.js", "y.map file=./lib/a.js"}, "webpack-internal:///./src/a.js", "", "a.js.map"},
    {"code given to eval says what it is called",
     {"e1.js inline at=webpack-internal:///./src/a.js", "e2.js inline at=webpack-internal:///./src/b.js"},
     "webpack-internal:///./src/b.js",
     "",
     "e2.js"},
    {"any code does", {"e1.js inline at=lodash.templateSources[0]", "e2.js"}, "lodash.templateSources[0]", "", "e1.js"},
    /* deployments */
    {"two deployments, told by a folder", {"v1/main.js.map", "v2/main.js.map"}, "https://x/v2/main.js", "", "v2/main.js.map"},
    {"two deployments, not told", {"v1/main.js.map", "v2/main.js.map"}, "https://x/main.js", "", SEVERAL},
    {"two deployments, another one is told", {"v1/main.js.map", "v2/main.js.map"}, "https://x/v3/main.js", "", SEVERAL},
    {"deeper folders", {"a/js/main.js.map", "b/js/main.js.map"}, "https://x/b/js/main.js", "", "b/js/main.js.map"},
    {"the nearest folder counts first", {"b/js/main.js.map", "a/lib/main.js.map"}, "https://x/a/js/main.js", "", "b/js/main.js.map"},
    {"a folder is no beginning of another", {"v1/main.js.map", "v12/main.js.map"}, "https://x/v12/main.js", "", "v12/main.js.map"},
    {"hosts are folders", {"a.example/main.js.map", "b.example/main.js.map"}, "https://b.example/main.js", "", "b.example/main.js.map"},
    {"dots in a path", {"v1/main.js.map", "v2/main.js.map"}, "https://x/v1/../v2/./main.js", "", "v2/main.js.map"},
    {"the folder given is where the program was put", {"index.js.map", "admin/index.js.map"}, "https://x/index.js", "", "index.js.map"},
    {"and below it", {"index.js.map", "admin/index.js.map"}, "https://x/admin/index.js", "", "admin/index.js.map"},
    {"and below it, in a folder that it has twice", {"m/a/i.js.map", "a/i.js.map", "n/a/i.js.map"}, "https://x/a/i.js", "", "a/i.js.map"},
    {"and the scripts say so", {"i.js url=p.map", "p.map", "b/i.js url=q.map", "b/q.map"}, "https://x/i.js", "", "p.map"},
    {"the same content twice", {"v1/main.js.map as=one", "v2/main.js.map as=one"}, "https://x/main.js", "", "one"},
    {"the same content, once compressed", {"v1/main.js.map as=one", "v2/main.js.map.gz as=one gz"}, "main.js", "", "one"},
    {"the same content, once compiled", {"v1/main.js.map as=one", "v2/main.js.fmx as=one"}, "main.js", "", "one"},
    {"the same debug id under two contents",
     {"v1/main.js.map id=" ID_A " as=one", "v2/main.js.map id=" ID_A " as=one"},
     "main.js",
     "",
     "one"},
    {"two of the same, and one other", {"a/main.js.map as=one", "b/main.js.map as=one", "c/main.js.map as=two"}, "main.js", "", SEVERAL},
    /* what the script says */
    {"the script names its map", {"main.js url=4f2a.map", "4f2a.map", "x.map"}, "https://x/main.js", "", "4f2a.map"},
    {"its word is before a name", {"main.js url=maps/real.map", "maps/real.map", "main.js.map"}, "https://x/main.js", "", "maps/real.map"},
    {"up and down", {"js/main.js url=../maps/m.map", "maps/m.map", "js/m.map"}, "main.js", "", "maps/m.map"},
    {"an address of a server: its last part", {"main.js url=https://cdn/x/m.map", "m.map", "n.map"}, "main.js", "", "m.map"},
    {"a root that is not known", {"main.js url=/assets/m.map", "m.map", "n.map"}, "main.js", "", "m.map"},
    {"a query behind it", {"main.js url=m.map?h=1", "m.map", "n.map"}, "main.js", "", "m.map"},
    {"an escape in it", {"main.js url=m%20m.map", "m+m.map", "n.map"}, "main.js", "", "m+m.map"},
    {"the map it names stands elsewhere", {"js/main.js url=q7.map", "maps/q7.map", "n.map"}, "main.js", "", "maps/q7.map"},
    {"the map it names is not there: by name", {"main.js url=gone.map", "main.js.map"}, "main.js", "", "main.js.map"},
    {"the map it names is not there, nor any other", {"main.js url=gone.map", "x.map"}, "main.js", "", NONE},
    {"a map inside", {"main.js inline", "x.js.map"}, "https://x/main.js", "", "main.js"},
    {"inside and beside, one build", {"main.js inline as=one", "main.js.map as=one"}, "main.js", "", "one"},
    {"scripts of two deployments",
     {"v1/main.js url=a.map", "v2/main.js url=a.map", "v1/a.map", "v2/a.map"},
     "https://x/v2/main.js",
     "",
     "v2/a.map"},
    {"a map that stands closer than any script",
     {"v1/main.js url=main.js.map", "v1/main.js.map", "v2/main.js.map"},
     "https://x/v2/main.js",
     "",
     "v2/main.js.map"},
    {"two scripts of the name, not told which",
     {"v1/main.js url=a.map", "v2/main.js url=b.map", "v1/a.map", "v2/b.map"},
     "main.js",
     "",
     SEVERAL},
    {"script and map by a debug id", {"main.js script id=" ID_A, "q.map id=" ID_A, "r.map id=" ID_B}, "main.js", "", "q.map"},
    {"the map says of which script it is", {"427psa.js.map file=2hwf8o.js", "x.map"}, "https://x/2hwf8o.js", "", "427psa.js.map"},
    {"a name is before what a map says", {"a.js.map file=b.js", "b.js.map file=c.js"}, "b.js", "", "b.js.map"},
    {"the script it is of, with folders", {"x1.map file=js/app.js", "x2.map"}, "app.js", "", "x1.map"},
    /* ids */
    {"by debug id", {"a.map id=" ID_A, "b.map id=" ID_B}, "main.js", HEX_B, "b.map"},
    {"an id is before a name", {"main.js.map id=" ID_A, "b.map id=" ID_B}, "main.js", HEX_B, "b.map"},
    {"another id under the name is not taken", {"main.js.map id=" ID_A}, "main.js", HEX_B, OTHER_ID},
    {"a map without id under the name is", {"main.js.map"}, "main.js", HEX_B, "main.js.map"},
    {"an id without a file", {"a.map id=" ID_A, "b.map id=" ID_B}, "", HEX_A, "a.map"},
    {"the script tells the id, the map does not", {"s.js url=s7.map id=" ID_A, "s7.map", "t.map"}, "main.js", HEX_A, "s7.map"},
    {"one id, code and bytecode", {"a.map id=" ID_A, "b.map id=" ID_A " hermes"}, "0xmain.js", HEX_A, "b.map"},
    {"one id, bytecode and code", {"a.map id=" ID_A, "b.map id=" ID_A " hermes"}, "main.js", HEX_A, "a.map"},
    /* hashes */
    {"a hash in the name",
     {"whatever/main.f6b17586.chunk.js.map", "main.00aa11bb.chunk.js.map"},
     "https://x/main.f6b17586.chunk.js",
     "",
     "whatever/main.f6b17586.chunk.js.map"},
    {"a hash under any name", {"upload-f6b17586.map", "x.map"}, "https://x/main.f6b17586.chunk.js", "", "upload-f6b17586.map"},
    {"a hash that a map of another script has", {"vendor.f6b17586.js.map file=vendor.f6b17586.js"}, "main.f6b17586.js", "", NONE},
    {"the hash computed again when the map was written: webpack",
     {"main.f6b17586.js.map file=main.00aa11bb.js"},
     "main.f6b17586.js",
     "",
     "main.f6b17586.js.map"},
    {"that, under any name", {"up.f6b17586.map file=main.00aa11bb.js"}, "main.f6b17586.js", "", "up.f6b17586.map"},
    {"that, of another script", {"up.f6b17586.map file=vendor.00aa11bb.js"}, "main.f6b17586.js", "", NONE},
    {"the script's word on a map with a hash of its own",
     {"main.f6b17586.js url=main.00aa11bb.js.map", "main.00aa11bb.js.map"},
     "https://x/main.f6b17586.js",
     "",
     "main.00aa11bb.js.map"},
    {"another hash", {"main.00aa11bb.chunk.js.map"}, "https://x/main.f6b17586.chunk.js", "", OTHER_BUILD},
    {"another hash of another script", {"vendor.00aa11bb.js.map"}, "main.f6b17586.js", "", NONE},
    {"a map without any hash", {"main.chunk.js.map"}, "https://x/main.f6b17586.chunk.js", "", "main.chunk.js.map"},
    {"a map without one is before one of another", {"main.js.map", "main.00aa11bb.js.map"}, "main.f6b17586.js", "", "main.js.map"},
    {"without one, but it says that it is of another", {"main.js.map file=main.00aa11bb.js"}, "main.f6b17586.js", "", OTHER_BUILD},
    {"without one, and it says that it is of this", {"main.js.map file=main.f6b17586.js"}, "main.f6b17586.js", "", "main.js.map"},
    {"Vite", {"assets/index-DhJ3x8_k.js.map", "index-C-_x2Qab.js.map"}, "https://x/assets/index-C-_x2Qab.js", "", "index-C-_x2Qab.js.map"},
    {"Vite, another build", {"assets/index-DhJ3x8_k.js.map"}, "https://x/assets/index-C-_x2Qab.js", "", OTHER_BUILD},
    {"esbuild", {"main-5QWXZ7AB.js.map"}, "https://x/main-6RTYUV3C.js", "", OTHER_BUILD},
    {"words with numbers are no hashes", {"app-version2.js.map"}, "app-version3.js", "", NONE},
    {"nor do they lead to other scripts", {"other-es2015.js.map"}, "main-es2015.js", "", NONE},
    {"chunks that are nothing but hashes", {"8c3b1a2d.js.map"}, "4f3a2b1c.js", "", NONE},
    {"two hashes, one of them known", {"app~d0ae3f07.a1b2c3d4.js.map"}, "app~d0ae3f07.e5f60718.js", "", "app~d0ae3f07.a1b2c3d4.js.map"},
    {"a hash at the beginning", {"f6b17586.main.js.map"}, "00aa11bb.main.js", "", OTHER_BUILD},
    {"a script without a hash takes no map with one", {"main.f6b17586.js.map"}, "main.js", "", NONE},
    /* React Native */
    {"Android", {"index.android.bundle.map"}, "index.android.bundle", "", "index.android.bundle.map"},
    {"Android, bytecode",
     {"index.android.bundle.map hermes", "index.android.bundle.packager.map"},
     "0xindex.android.bundle",
     "",
     "index.android.bundle.map"},
    {"bytecode and code under one name",
     {"a/index.android.bundle.map", "b/index.android.bundle.map hermes"},
     "0xindex.android.bundle",
     "",
     "b/index.android.bundle.map"},
    {"code and bytecode under one name",
     {"a/index.android.bundle.map", "b/index.android.bundle.map hermes"},
     "index.android.bundle",
     "",
     "a/index.android.bundle.map"},
    {"bytecode, compiled",
     {"a/index.android.bundle.map", "b/index.android.bundle.fmx hermes"},
     "0xindex.android.bundle",
     "",
     "b/index.android.bundle.fmx"},
    {"bytecode whose map does not say so", {"index.android.bundle.map"}, "0xindex.android.bundle", "", "index.android.bundle.map"},
    {"a stack that lost the word address",
     {"index.android.bundle.map hermes"},
     "app:///index.android.bundle",
     "",
     "index.android.bundle.map"},
    {"Metro's server",
     {"index.android.bundle.map", "x.map"},
     "http://localhost:8081/index.bundle?platform=android&dev=false",
     "",
     "index.android.bundle.map"},
    {"Metro's server, under its own name",
     {"index.bundle.map", "index.android.bundle.map"},
     "http://10.0.2.2:8081/index.bundle?platform=android",
     "",
     "index.bundle.map"},
    {"JSC's safe addresses",
     {"index.ios.bundle.map", "index.android.bundle.map"},
     "http://localhost:8081/index.bundle//&platform=ios&dev=true",
     "",
     "index.ios.bundle.map"},
    {"iOS", {"main.jsbundle.map", "x.map"}, "http://localhost:8081/index.bundle?platform=ios&dev=false", "", "main.jsbundle.map"},
    {"iOS, another entry",
     {"App.ios.bundle.map", "x.map"},
     "http://h:8081/node_modules/expo/App.bundle?platform=ios",
     "",
     "App.ios.bundle.map"},
    {"iOS on the device",
     {"main.jsbundle.map"},
     "/private/var/containers/Bundle/Application/0A1B2C3D-1111/App.app/main.jsbundle",
     "",
     "main.jsbundle.map"},
    {"iOS on the device, Metro's name", {"index.ios.bundle.map"}, "/private/var/App.app/main.jsbundle", "", "index.ios.bundle.map"},
    {"another platform", {"index.ios.bundle.map"}, "http://localhost:8081/index.bundle?platform=android", "", NONE},
    {"Expo",
     {"entry-d41d8cd98f00b204.hbc.map hermes", "x.map"},
     "0x/data/entry-d41d8cd98f00b204.hbc",
     "",
     "entry-d41d8cd98f00b204.hbc.map"},
    {"Expo, named by its code",
     {"entry-d41d8cd98f00b204.js.map hermes"},
     "0xentry-d41d8cd98f00b204.hbc",
     "",
     "entry-d41d8cd98f00b204.js.map"},
    {"Expo's store",
     {"android-0e1f2a3b4c5d.map hermes", "x.map"},
     "0x/data/user/0/a.b/files/.expo-internal/0e1f2a3b4c5d",
     "",
     "android-0e1f2a3b4c5d.map"},
    {"Expo's store, not ours", {"index.android.bundle.map hermes"}, "0x/data/user/0/a.b/files/.expo-internal/0e1f2a3b4c5d", "", NONE},
    /* of no script */
    {"a library is no script", {"main.js.map"}, "libapp.so", "", NONE},
    {"Node's own", {"main.js.map"}, "node:internal/modules/cjs/loader", "", NONE},
};

static struct fm_held ask(struct fm_script_maps *maps, const struct row *row)
{
    framemap_error error = {0};
    struct fm_held held = {NULL, NULL};
    const framemap_str file = framemap_str_of(row->file);
    const bool bytecode = fm_str_starts(file, FM_STR("0x"));
    const struct fm_script_want want = {
        .file = bytecode ? fm_str_from(file, 2) : file, .id = framemap_str_of(row->id), .bytecode = bytecode};
    must_ok(fm_script_maps_find(maps, &want, &held, &error), &error);
    return held;
}

/* Only these reasons leave a map to be taken on other grounds. */
static bool is_open(const char *wanted)
{
    return strcmp(wanted, NONE) == 0 || strcmp(wanted, NOT_GIVEN) == 0 || strstr(wanted, "stack does not say which script");
}

/* What is wrong with an answer, or "". */
static const char *fault_of(const struct row *row, const struct fm_held *held)
{
    static char fault[400];
    const bool none = row->wanted[0] == '!';
    fault[0] = 0;
    if (held->index == NULL && (!none || strncmp(held->reason, row->wanted + 1, strlen(row->wanted + 1)) != 0))
        snprintf(fault, sizeof fault, "%s: %s", row->why, held->reason);
    if (held->index != NULL && (none || strcmp(tag_of(held->index), row->wanted) != 0))
        snprintf(fault, sizeof fault, "%s: took %s", row->why, tag_of(held->index));
    return fault;
}

static bool check_row(framemap_session *session, const struct row *row)
{
    struct fm_script_maps *maps = NULL;
    struct fm_heap heap;
    framemap_error error = {0};
    fm_heap_init(&heap, NULL, 0);
    must_ok(fm_script_maps_open(session, &heap, &maps, &error), &error);
    const struct fm_held held = ask(maps, row), again = ask(maps, row);
    assert_ptr_equal(held.index, again.index);
    assert_true((held.index == NULL) == (held.reason != NULL));
    if (held.index == NULL) assert_true(fm_script_maps_refuses(held.reason) != is_open(row->wanted));
    const char *fault = fault_of(row, &held);
    if (fault[0]) print_error("%s\n", fault);
    fm_script_maps_close(maps);
    assert_true(heap.used == 0);
    return fault[0] == 0;
}

static void put_row(const struct folder *folder, const struct row *row)
{
    for (size_t i = 0; i < COUNT_OF(row->files) && row->files[i]; i++) put_told(folder, row->files[i]);
}

static void every_row(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct folder folder;
        struct warnings warnings = {0};
        folder_make(&folder);
        put_row(&folder, &rows[i]);
        framemap_session *session = open_folder(folder.path, NULL, &warnings);
        if (warnings.count) fail_msg("%s: %s", rows[i].why, warnings.last.message);
        wrong += !check_row(session, &rows[i]);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
    assert_int_equal(wrong, 0);
}

/* --- one map for all --- */

static void the_only_map(void **state)
{
    (void)state;
    static const struct {
        const char *why, *files[5];
        bool bytecode;
        const char *wanted; /* or "!" and how the reason begins */
    } only[] = {
        {"one", {"a.map"}, false, "a.map"},
        {"one, of code, for bytecode", {"a.map"}, true, "a.map"},
        {"one, inside a script", {"a.js inline"}, false, "a.js"},
        {"none", {"a.js script"}, false, "!no source map was given"},
        {"two", {"a.map", "b.map"}, false, "!several source maps were given"},
        {"two of one content", {"x/a.map as=one", "y/b.map as=one"}, false, "one"},
        {"two of one id", {"a.map id=" ID_A " as=one", "b.map id=" ID_A " as=one"}, false, "one"},
        {"a script and its map are one", {"main.js url=main.js.map", "main.js.map"}, false, "main.js.map"},
        {"a map and its index are one", {"main.js.map as=one", "m.fmx as=one"}, false, "one"},
        {"code and bytecode: bytecode is asked for", {"packager.map", "app.map hermes"}, true, "app.map"},
        {"code and bytecode: code is asked for", {"packager.map", "app.map hermes"}, false, "packager.map"},
        {"two of bytecode", {"compiler.map hermes", "app.map hermes", "packager.map"}, true, "!several source maps were given"},
    };
    for (size_t i = 0; i < COUNT_OF(only); i++) {
        struct folder folder;
        struct warnings warnings = {0};
        struct fm_heap heap;
        struct fm_script_maps *maps = NULL;
        struct fm_held held = {NULL, NULL}, again = {NULL, NULL};
        framemap_error error = {0};
        folder_make(&folder);
        for (size_t f = 0; f < COUNT_OF(only[i].files) && only[i].files[f]; f++) put_told(&folder, only[i].files[f]);
        framemap_session *session = open_folder(folder.path, NULL, &warnings);
        fm_heap_init(&heap, NULL, 0);
        must_ok(fm_script_maps_open(session, &heap, &maps, &error), &error);
        must_ok(fm_script_maps_only(maps, only[i].bytecode, &held, &error), &error);
        must_ok(fm_script_maps_only(maps, only[i].bytecode, &again, &error), &error);
        const struct row row = {.why = only[i].why, .wanted = only[i].wanted};
        if (fault_of(&row, &held)[0]) fail_msg("%s", fault_of(&row, &held));
        assert_ptr_equal(held.index, again.index);
        fm_script_maps_close(maps);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
}

/* --- a file that is named --- */

static framemap_session *open_nothing(void)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options, .cache_path = ""};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    return session;
}

static void scripts_by_path(void **state)
{
    (void)state;
    static const struct {
        const char *why, *files[4], *path;
        framemap_status status;
        const char *wanted; /* a tag; else a part of the message */
    } paths[] = {
        {"a script beside its map, which it names", {"main.js url=m.map", "m.map"}, "main.js", FRAMEMAP_OK, "m.map"},
        {"in another folder", {"js/main.js url=../m/x.map", "m/x.map"}, "js/main.js", FRAMEMAP_OK, "m/x.map"},
        {"it names none: the one called so", {"main.js script", "main.js.map"}, "main.js", FRAMEMAP_OK, "main.js.map"},
        {"the map is inside", {"main.js inline"}, "main.js", FRAMEMAP_OK, "main.js"},
        {"the map itself, with the script beside", {"main.js url=main.js.map", "main.js.map"}, "main.js.map", FRAMEMAP_OK, "main.js.map"},
        {"a folder with one map", {"d/main.js url=main.js.map", "d/main.js.map"}, "d", FRAMEMAP_OK, "d/main.js.map"},
        {"the map is not there", {"main.js url=m.map"}, "main.js", FRAMEMAP_E_EMPTY, "is not there"},
        {"what it names is no map", {"main.js url=other.js", "other.js script"}, "main.js", FRAMEMAP_E_EMPTY, "is not there"},
        {"it names itself", {"main.js url=main.js"}, "main.js", FRAMEMAP_E_EMPTY, "is not there"},
        {"a script without a map", {"main.js script"}, "main.js", FRAMEMAP_E_FORMAT, ""},
        {"a text of another ending", {"main.txt url=m.map", "m.map"}, "main.txt", FRAMEMAP_E_FORMAT, ""},
    };
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        struct folder folder;
        framemap_error error = {0};
        const framemap_index *index = NULL;
        folder_make(&folder);
        for (size_t f = 0; f < COUNT_OF(paths[i].files) && paths[i].files[f]; f++) put_told(&folder, paths[i].files[f]);
        framemap_session *session = open_nothing();
        const framemap_want want = {.path = framemap_str_of(in_folder(&folder, paths[i].path))};
        const framemap_status status = framemap_session_index(session, &want, &index, &error);
        if (status != paths[i].status) fail_msg("%s: status %d: %s", paths[i].why, (int)status, error.message);
        if (status == FRAMEMAP_OK) assert_string_equal(tag_of(index), paths[i].wanted);
        if (status != FRAMEMAP_OK && strstr(error.message, paths[i].wanted) == NULL) fail_msg("%s: %s", paths[i].why, error.message);
        framemap_session_release(session, index);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
}

/* A script given as a symbol path brings its map along, for stacks. */
static void a_given_script_brings_its_map(void **state)
{
    (void)state;
    struct folder folder;
    struct warnings warnings = {0};
    folder_make(&folder);
    put_told(&folder, "js/main.js url=../maps/m.map");
    put_told(&folder, "maps/m.map");
    framemap_session *session = open_folder(in_folder(&folder, "js/main.js"), NULL, &warnings);
    const struct row row = {.why = "the script alone was given", .file = "https://x/main.js", .id = "", .wanted = "maps/m.map"};
    assert_true(check_row(session, &row));
    assert_int_equal(warnings.count, 0);
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* Source maps and scripts are no images of programs, whatever their names are. */
static void no_image_is_a_source_map(void **state)
{
    (void)state;
    static const struct made_image app = {.name = "libapp.so", .id = "0123456789abcdef", .arch = "arm64", .functions = {"_Z1av"}};
    struct folder folder;
    struct warnings warnings = {0};
    struct fm_held held;
    framemap_error error = {0};
    folder_make(&folder);
    put_index(&folder, "arm/libapp.so.fmx", &app);
    put_told(&folder, "web/libapp.so.map");
    put_told(&folder, "web/libother.so.map id=" ID_A);
    put_told(&folder, "web/libmine.so.fmx as=x");
    framemap_session *session = open_folder(folder.path, NULL, &warnings);
    static const struct {
        const char *name, *id;
        bool found;
    } images[] = {
        {"libapp.so", "", true}, {"libother.so", "", false}, {"libmine.so", "", false}, {"libother.so", HEX_A, false}, {"", HEX_A, false}};
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        const framemap_want want = {.name = framemap_str_of(images[i].name), .id = framemap_str_of(images[i].id)};
        must_ok(fm_session_hold(session, &want, &held, &error), &error);
        if ((held.index != NULL) != images[i].found) fail_msg("%s %s", images[i].name, images[i].id);
        framemap_session_release(session, held.index);
    }
    /* Asked for as what they are, they are found. */
    const framemap_index *index = NULL;
    const framemap_want by_id = {.id = FM_STR(HEX_A)};
    must_ok(framemap_session_index(session, &by_id, &index, &error), &error);
    assert_string_equal(tag_of(index), "web/libother.so.map");
    framemap_session_release(session, index);
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* What the last lines of a script tell, and where its map is then. */
static void last_lines(void **state)
{
    (void)state;
    static const struct {
        const char *why, *path, *text, *map, *id, *source_url; /* map NULL: the script is not listed */
    } texts[] = {
        {"the comment", "d/a.js", "x\n//# sourceMappingURL=a.js.map", "d/a.js.map", "", ""},
        {"an old comment", "d/a.js", "x\n//@ sourceMappingURL=a.js.map\n", "d/a.js.map", "", ""},
        {"the last one counts", "a.js", "//# sourceMappingURL=1\n//# sourceMappingURL=2\n", "2", "", ""},
        {"code behind it", "a.js", "//# sourceMappingURL=1\ncode()\n", NULL, "", ""},
        {"in a text", "a.js", "x='\\n//# sourceMappingURL=1'\n", NULL, "", ""},
        {"no ending of scripts", "a.txt", "//# sourceMappingURL=1\n", NULL, "", ""},
        {"nothing", "a.js", "", NULL, "", ""},
        {"lines of Windows", "d/a.js", "x\r\n//# debugId=" ID_A "\r\n//# sourceMappingURL=b.map\r\n", "d/b.map", HEX_A, ""},
        {"an id alone", "d/a.js", "x\n//# debugId=" ID_A "\n", "", HEX_A, ""},
        {"an id that is none", "d/a.js", "x\n//# debugId=1234\n", NULL, "", ""},
        {"an id too far up", "d/a.js", "//# debugId=" ID_A "\n\n\n\n\n//# sourceMappingURL=b.map", "d/b.map", "", ""},
        {"an id on the fifth line", "d/a.js", "//# debugId=" ID_A "\n\n\n\n//# sourceMappingURL=b.map\n\n", "d/b.map", HEX_A, ""},
        {"an address", "d/a.js", "//# sourceMappingURL=b.map\n//# sourceURL=webpack://x\n", "d/b.map", "", "webpack://x"},
        {"two addresses: the last", "d/a.js", "//# sourceMappingURL=b.map\n//# sourceURL=1\n//# sourceURL=2\n", "d/b.map", "", "2"},
        {"up", "/r/d/e/a.js", "//# sourceMappingURL=../../m/b.map", "/r/m/b.map", "", ""},
        {"up beyond what is told", "d/a.js", "//# sourceMappingURL=../../b.map", "../b.map", "", ""},
        {"up from dots", "../a.js", "//# sourceMappingURL=../b.map", "../../b.map", "", ""},
        {"dots in front", "d/a.js", "//# sourceMappingURL=././b.map", "d/b.map", "", ""},
        {"no folder", "a.js", "//# sourceMappingURL=../b.map", "../b.map", "", ""},
        {"a server", "d/a.js", "//# sourceMappingURL=https://x/y/b.map?q=/z", "d/b.map", "", ""},
        {"a server without a name", "d/a.js", "//# sourceMappingURL=//cdn/b.map", "d/b.map", "", ""},
        {"a file", "d/a.js", "//# sourceMappingURL=file:///home/u/b.map", "d/b.map", "", ""},
        {"escapes", "d/a.js", "//# sourceMappingURL=b%20c%2Fd.map", "d/b c/d.map", "", ""},
        {"an escape that no name has", "d/a.js", "//# sourceMappingURL=b%00.map", NULL, "", ""},
        {"a query alone", "d/a.js", "//# sourceMappingURL=?x", NULL, "", ""},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const size_t whole = strlen(texts[i].text);
        for (size_t size = 0; size <= whole; size++) {
            struct fm_heap heap;
            struct fm_catalog catalog;
            struct fm_arena arena;
            framemap_str map;
            framemap_error error = {0};
            bool listed;
            char *text = malloc(size ? size : 1); /* of that very size: a byte too many is seen */
            const struct fm_stamp stamp = {1, 1, size, 1, 1};
            memcpy(text, texts[i].text, size);
            fm_heap_init(&heap, NULL, 0);
            fm_arena_init(&arena, &heap);
            fm_catalog_init(&catalog, &heap);
            const struct fm_scan_host host = {.catalog = &catalog};
            const struct fm_scanned file = {.path = texts[i].path, .stamp = &stamp, .bytes = fm_str(text, size)};
            must_ok(fm_scan_script(&host, &file, &arena, &map, &listed, &error), &error);
            assert_int_equal(catalog.count, listed ? 1 : 0);
            if (size == whole) {
                if (listed != (texts[i].map != NULL)) fail_msg("%s: listed %d", texts[i].why, listed);
                if (!fm_str_equal(map, framemap_str_of(texts[i].map))) fail_msg("%s: \"%.*s\"", texts[i].why, (int)map.size, map.data);
                if (listed) assert_str(catalog.entries[0]->id, texts[i].id);
                if (listed) assert_str(catalog.entries[0]->source_url, texts[i].source_url);
                if (listed) assert_str(catalog.entries[0]->map_path, texts[i].map);
            }
            fm_catalog_free(&catalog);
            fm_arena_free(&arena);
            free(text);
            assert_true(heap.used == 0);
        }
    }
}

/* The tail of a long text is whole lines; a line that is longer than that is no comment of a map. */
static void long_scripts(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    static const struct {
        const char *tail;
        bool listed;
    } tails[] = {{"\n//# sourceMappingURL=m.map\n", true}, {"//# sourceMappingURL=m.map\n", false}, {"\n\n\n", false}};
    struct folder folder;
    struct warnings warnings = {0};
    folder_make(&folder);
    put_told(&folder, "m.map");
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        char *text = malloc(SIZE + 100);
        memset(text, 'x', SIZE);
        memcpy(text + SIZE, tails[i].tail, strlen(tails[i].tail));
        put_file(&folder, "long.js", fm_str(text, SIZE + strlen(tails[i].tail)));
        free(text);
        framemap_session *session = open_folder(folder.path, NULL, &warnings);
        assert_int_equal(session->catalog.count, tails[i].listed ? 2 : 1);
        framemap_session_close(session);
    }
    assert_int_equal(warnings.count, 0);
    remove_tree(folder.path);
}

/* --- the script of a map --- */

static void companions(void **state)
{
    (void)state;
    static const struct {
        const char *why, *files[5], *map, *wanted; /* wanted "": none */
    } pairs[] = {
        {"the script that names it", {"a.js url=q.map", "q.map"}, "q.map", "a.js"},
        {"before one that is called so", {"a.js url=main.js.map", "main.js script", "main.js.map"}, "main.js.map", "a.js"},
        {"the one called so", {"main.js script", "main.js.map"}, "main.js.map", "main.js"},
        {"called so, the map compressed", {"main.js script", "main.js.map.gz gz"}, "main.js.map.gz", "main.js"},
        {"the one that the map names", {"app.js script", "q.map file=app.js"}, "q.map", "app.js"},
        {"the one that the map names, in another folder then", {"app.js script", "q.map file=dist/app.js"}, "q.map", "app.js"},
        {"of two deployments its own", {"v1/a.js url=q.map", "v2/a.js url=q.map", "v1/q.map", "v2/q.map"}, "v2/q.map", "v2/a.js"},
        {"one that names it and stands elsewhere", {"js/a.js url=q.map", "maps/q.map"}, "maps/q.map", "js/a.js"},
        {"two elsewhere", {"1/a.js url=q.map", "2/b.js url=q.map", "maps/q.map"}, "maps/q.map", ""},
        {"another debug id", {"a.js url=q.map id=" ID_A, "q.map id=" ID_B}, "q.map", ""},
        {"none", {"q.map", "other.js script"}, "q.map", ""},
        {"bytecode has no text", {"main.js script", "main.js.map hermes"}, "main.js.map", ""},
        {"a script with its map inside has itself", {"main.js inline"}, "main.js", ""},
        {"a map that says that it is of itself", {"q.map file=q.map"}, "q.map", ""},
        {"up and away", {"q.map file=../../etc/passwd"}, "q.map", ""},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        struct folder folder;
        struct warnings warnings = {0};
        struct fm_arena arena;
        framemap_str found;
        folder_make(&folder);
        for (size_t f = 0; f < COUNT_OF(pairs[i].files) && pairs[i].files[f]; f++) put_told(&folder, pairs[i].files[f]);
        framemap_session *session = open_folder(folder.path, NULL, &warnings);
        fm_arena_init(&arena, &session->heap);
        const struct fm_entry *map = fm_catalog_at_path(&session->catalog, in_folder(&folder, pairs[i].map));
        assert_non_null(map);
        assert_true(fm_script_companion(&session->catalog, map, &arena, &found));
        const char *wanted = pairs[i].wanted[0] ? in_folder(&folder, pairs[i].wanted) : "";
        if (!fm_str_equal(found, framemap_str_of(wanted)))
            fail_msg("%s: \"%.*s\"", pairs[i].why, (int)found.size, found.data ? found.data : "");
        fm_arena_free(&arena);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
}

/* --- names --- */

static void hashes_in_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *hashes, *bare; /* hashes: with blanks between; bare "": none is left */
    } names[] = {
        {"main.js", "", ""},
        {"main.f6b17586.chunk.js", "f6b17586", "main.chunk.js"},
        {"main.f6b17.js", "", ""},  /* too short */
        {"main.facade.js", "", ""}, /* a word */
        {"main.facade1.js", "facade1", "main.js"},
        {"f6b17586.main.js", "f6b17586", "main.js"},
        {"f6b17586.js", "f6b17586", ""},
        {"f6b17586", "f6b17586", ""},
        {"main-f6b17586", "f6b17586", "main"},
        {"app~d0ae3f07.a1b2c3d4.js", "d0ae3f07 a1b2c3d4", "app.js"},
        {"index-DhJ3x8_k.js", "DhJ3x8_k", "index.js"},
        {"index-C-_x2Qab.js", "C-_x2Qab", "index.js"},
        {"main-5QWXZ7AB.js", "5QWXZ7AB", "main.js"},
        {"2hwf8oodwnt_0.js", "2hwf8oodwnt", ""},
        {"12ay6odrnbt53.js", "12ay6odrnbt53", ""},
        {"jquery-3.7.1.min.js", "", ""},
        {"polyfills-es2015.js", "", ""},
        {"app-version2.js", "", ""},
        {"someWidget2.js", "", ""},
        {"bootstrap4.bundle.js", "", ""},
        {"web3modal.js", "", ""},
        {"chunk-vendors.js", "", ""},
        {"entry-d41d8cd98f00b204e9800998ecf8427e.hbc", "d41d8cd98f00b204e9800998ecf8427e", "entry.hbc"},
        {"", "", ""},
        {".", "", ""},
        {"...", "", ""},
        {"-", "", ""},
        {"a1b2c3d4.a1b2c3d5.a1b2c3d6.a1b2c3d7.a1b2c3d8.js", "a1b2c3d4 a1b2c3d5 a1b2c3d6 a1b2c3d7", "a1b2c3d8.js"},
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct fm_heap heap;
        struct fm_arena arena;
        framemap_str hashes[FM_SCRIPT_HASHES], bare;
        char all[200] = "";
        fm_heap_init(&heap, NULL, 0);
        fm_arena_init(&arena, &heap);
        const unsigned count = fm_script_hashes(framemap_str_of(names[i].name), hashes);
        for (unsigned k = 0; k < count; k++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%.*s", k ? " " : "", (int)hashes[k].size, hashes[k].data);
        assert_string_equal(all, names[i].hashes);
        assert_true(fm_script_bare_name(framemap_str_of(names[i].name), &arena, &bare));
        if (!fm_str_equal(bare, framemap_str_of(names[i].bare))) fail_msg("%s: \"%.*s\"", names[i].name, (int)bare.size, bare.data);
        fm_arena_free(&arena);
    }
}

static void files_taken_apart(void **state)
{
    (void)state;
    static const struct {
        const char *file, *name, *raw_name, *folders, *platform; /* folders: '/' for NUL */
    } files[] = {
        {"main.js", "main.js", "main.js", "", ""},
        {"https://x.example/a/b/main.js?v=1#f", "main.js", "main.js?v=1#f", "b/a/x.example/", ""},
        {"/a/./b/../c/main.js", "main.js", "main.js", "c/a/", ""},
        {"../../main.js", "main.js", "main.js", "", ""},
        {"C:\\a\\b.js", "b.js", "b.js", "a/C:/", ""},
        {"http://h:8081/index.bundle//&platform=ios&dev=true", "index.bundle", "index.bundle//&platform=ios&dev=true", "h:8081/", "ios"},
        {"http://h:8081/index.bundle?dev=true&platform=android#x", "index.bundle", "index.bundle?dev=true&platform=android#x", "h:8081/",
         "android"},
        {"a%2Fb%2fc.js", "c.js", "a%2Fb%2fc.js", "b/a/", ""},
        {"a%00b.js", "a?b.js", "a%00b.js", "", ""},
        {"%", "%", "%", "", ""},
        {"%4", "%4", "%4", "", ""},
        {"/", "", "", "", ""},
        {"?", "", "?", "", ""},
        {"//&", "", "//&", "", ""},
        {"", "", "", "", ""},
        {"x://", "", "", "", ""},
    };
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct fm_heap heap;
        struct fm_arena arena;
        struct fm_script_file file;
        fm_heap_init(&heap, NULL, 0);
        fm_arena_init(&arena, &heap);
        assert_true(fm_script_file_read(framemap_str_of(files[i].file), &arena, &file));
        for (size_t k = 0; k < file.folders.size; k++)
            if (file.folders.data[k] == 0) ((char *)(uintptr_t)file.folders.data)[k] = '/';
        if (!fm_str_equal(file.name, framemap_str_of(files[i].name)) || !fm_str_equal(file.raw_name, framemap_str_of(files[i].raw_name)) ||
            !fm_str_equal(file.folders, framemap_str_of(files[i].folders)) ||
            !fm_str_equal(file.platform, framemap_str_of(files[i].platform)))
            fail_msg("%s: \"%.*s\" \"%.*s\" \"%.*s\" \"%.*s\"", files[i].file, (int)file.name.size, file.name.data, (int)file.raw_name.size,
                     file.raw_name.data, (int)file.folders.size, file.folders.data, (int)file.platform.size, file.platform.data);
        fm_arena_free(&arena);
    }
}

/* --- many --- */

static void add_many(struct fm_catalog *catalog, size_t count, bool deployments)
{
    for (size_t i = 0; i < count; i++) {
        char path[80], id[40];
        if (deployments)
            snprintf(path, sizeof path, "/maps/v%zu/main.js.map", i);
        else
            snprintf(path, sizeof path, "/maps/all/chunk%zu.%08zx.js.map", i, i);
        snprintf(id, sizeof id, "%032zx", i);
        const struct fm_entry entry = {.path = path,
                                       .name = fm_script_name_of_map(fm_str_basename(framemap_str_of(path))),
                                       .id = framemap_str_of(id),
                                       .stamp = {1, i, 100, 1, 1},
                                       .is_source_map = true};
        assert_true(fm_catalog_add(catalog, &entry));
    }
}

/* Of a hundred thousand maps, deployments of one script and scripts of one deployment, each question looks at some dozens of keys. */
static void a_hundred_thousand_maps(void **state)
{
    (void)state;
    enum { EACH = 50000, ASKED = 20000, KEYS_MOST = 400 };
    struct fm_heap heap;
    struct fm_catalog catalog;
    struct fm_script_choice choice;
    fm_heap_init(&heap, NULL, 0);
    fm_catalog_init(&catalog, &heap);
    add_many(&catalog, EACH, true);
    add_many(&catalog, EACH, false);
    static const size_t found[] = {1, 0, 1, 0, 0};
    for (size_t i = 0; i < ASKED; i++) {
        char file[80];
        const size_t shape = i % COUNT_OF(found);
        switch (shape) {
        case 0: snprintf(file, sizeof file, "https://x/v%zu/main.js", i); break;
        case 1: snprintf(file, sizeof file, "https://x/w%zu/main.js", i); break;
        case 2: snprintf(file, sizeof file, "https://x/all/chunk%zu.%08zx.js", i, i); break;
        case 3: snprintf(file, sizeof file, "https://x/all/chunk%zu.ab%06zx.js", i, i); break;
        default: snprintf(file, sizeof file, "https://x/all/absent%zu.js", i);
        }
        const struct fm_script_want want = {.file = framemap_str_of(file)};
        assert_true(fm_script_choose(&catalog, &want, &choice));
        if (choice.count != found[shape]) fail_msg("%s: %zu", file, choice.count);
        if (choice.count == 1) assert_true(choice.entries[0]->stamp.inode == i);
    }
    const uint64_t each = catalog.scripts.looked_at / ASKED;
    if (each > KEYS_MOST) fail_msg("%llu keys for each question", (unsigned long long)each);
    fm_catalog_free(&catalog);
    assert_true(heap.used == 0);
}

/* --- want of memory --- */

struct sweep {
    const char *path;
    const struct row *row;
};

static bool open_and_find(const framemap_allocator *allocator, void *context)
{
    const struct sweep *sweep = context;
    struct fm_script_maps *maps = NULL;
    struct fm_heap heap;
    struct fm_held held = {NULL, NULL};
    framemap_error error = {0};
    struct warnings warnings = {0};
    framemap_session *session = open_folder(sweep->path, allocator, &warnings);
    if (session == NULL) return false;
    fm_heap_init(&heap, allocator, 0);
    const framemap_str file = framemap_str_of(sweep->row->file);
    const struct fm_script_want want = {.file = file, .id = framemap_str_of(sweep->row->id)};
    framemap_status status = fm_script_maps_open(session, &heap, &maps, &error);
    if (status == FRAMEMAP_OK) status = fm_script_maps_find(maps, &want, &held, &error);
    if (status == FRAMEMAP_OK) status = fm_script_maps_find(maps, &want, &held, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    if (status == FRAMEMAP_OK) assert_string_equal(fault_of(sweep->row, &held), "");
    fm_script_maps_close(maps);
    framemap_session_close(session);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state)
{
    (void)state;
    static const struct row sweeps[] = {
        {"through the script",
         {"v1/main.js url=../m/a.map", "m/a.map", "v2/main.js url=b.map", "v2/b.map"},
         "https://x/v1/main.js",
         "",
         "m/a.map"},
        {"through a hash", {"up-f6b17586.map", "x.map file=y.js", "main.00aa11bb.js.map"}, "main.f6b17586.js", "", "up-f6b17586.map"},
        {"another build", {"main.00aa11bb.js.map"}, "https://x/main.f6b17586.js", "", OTHER_BUILD},
        {"an alias", {"main.jsbundle.map", "x.map"}, "http://h/index.bundle?platform=ios", "", "main.jsbundle.map"},
        {"the same content", {"v1/main.js.map as=one", "v2/main.js.map as=one"}, "main.js", "", "one"},
        {"an id", {"a.js script id=" ID_A, "a.js.map", "b.map id=" ID_A}, "a.js", HEX_A, "b.map"},
    };
    for (size_t i = 0; i < COUNT_OF(sweeps); i++) {
        struct folder folder;
        folder_make(&folder);
        put_row(&folder, &sweeps[i]);
        struct sweep sweep = {folder.path, &sweeps[i]};
        assert_true(sweep_allocations(open_and_find, &sweep) > 10);
        remove_tree(folder.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(the_only_map),
        cmocka_unit_test(scripts_by_path),
        cmocka_unit_test(a_given_script_brings_its_map),
        cmocka_unit_test(no_image_is_a_source_map),
        cmocka_unit_test(last_lines),
        cmocka_unit_test(long_scripts),
        cmocka_unit_test(companions),
        cmocka_unit_test(hashes_in_names),
        cmocka_unit_test(files_taken_apart),
        cmocka_unit_test(a_hundred_thousand_maps),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
