/* Restores any text with symbols that match some of it. Properties: what is not a frame is unchanged; each frame has
 * a status; the counts add up; restoring a second time gives the same output, as text and as JSON; no control
 * character of the symbols is printed. */
#include "core/archive/inflate_input.h"
#include "core/text/buffer.h"
#include "fuzz/support/hostile.h"
#include "index/write/builder.h"
#include <framemap/framemap.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(bool holds)
{
    if (!holds) abort();
}

/* Writes an index with one function at [0x100, 0x200) of its image, and an inlined call in its second half. */
static void write_index(const char *path, framemap_str kind, framemap_str name, framemap_str id, framemap_str arch)
{
    struct fm_heap heap;
    struct fm_builder *builder;
    struct fm_built built;
    uint32_t scope, file, root_number, call_number;
    const struct fm_builder_about about = {
        .kind = kind, .id = id, .arch = arch, .name = name, .base = 0x10000, .address_bits = 64};
    struct fm_function outer = {.class_name = FM_NONE, .decl_file = FM_NONE}, inner = outer;
    struct fm_node root = {.parent = FM_NONE,
                           .call_file = FM_NONE,
                           .flags = FM_NODE_HAS_START,
                           .start = 0x100,
                           .size = 0x100,
                           .symbol = FM_NONE};
    fm_heap_init(&heap, NULL, 0);
    must(fm_builder_create(&heap, &builder, NULL) == FRAMEMAP_OK &&
         fm_builder_about(builder, &about, NULL) == FRAMEMAP_OK);
    must(fm_builder_scope(builder, FM_STR(""), &scope, NULL) == FRAMEMAP_OK);
    must(fm_builder_file(builder, FM_STR("/src/app/main" HOSTILE ".cc"), &file, NULL) == FRAMEMAP_OK);
    must(fm_builder_string(builder, FM_STR("_Z5outeri"), &outer.name, NULL) == FRAMEMAP_OK);
    must(fm_builder_string(builder, FM_STR("inner" HOSTILE), &inner.name, NULL) == FRAMEMAP_OK);
    must(fm_builder_function(builder, &outer, &root.function, NULL) == FRAMEMAP_OK);
    must(fm_builder_node(builder, &root, &root_number, NULL) == FRAMEMAP_OK);
    struct fm_node call = {
        .parent = root_number, .call_file = file, .call_line1 = 12, .call_col1 = 3, .symbol = FM_NONE};
    must(fm_builder_function(builder, &inner, &call.function, NULL) == FRAMEMAP_OK);
    must(fm_builder_node(builder, &call, &call_number, NULL) == FRAMEMAP_OK);
    const struct fm_place places[2] = {{root_number, file, 10, 1, FM_NONE, 0}, {call_number, file, 5, 2, FM_NONE, 0}};
    must(fm_builder_position(builder, scope, 0x100, &places[0], 1, NULL) == FRAMEMAP_OK);
    must(fm_builder_position(builder, scope, 0x180, &places[1], 1, NULL) == FRAMEMAP_OK);
    must(fm_builder_end(builder, scope, 0x200, NULL) == FRAMEMAP_OK &&
         fm_builder_finish(builder, &built, NULL) == FRAMEMAP_OK);
    fm_builder_free(builder);
    FILE *out = fopen(path, "wb");
    must(out && fwrite(built.data, 1, built.size, out) == built.size && fclose(out) == 0);
    fm_heap_free(&heap, built.data, built.size);
}

/* Writes a mapping of Java that contains an inlined group, overloads, a hidden method, an outline and a rewritten
 * frame. */
static void write_mapping(const char *path)
{
    static const char text[] =
        "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n# pg_map_id: 1a2b3c4\nx.Main -> a.b:\n# "
        "{\"id\":\"sourceFile\",\"fileName\":\"Main\\n#0 forged\\u001b]0;\\u007f\\u009b\\u202e\"}\n"
        "    4:4:void x.T.t(int):31:31 -> a\n    4:4:void o():12 -> a\n    5:9:void o():13:17 -> a\n    void p() -> "
        "c\n    void q() -> c\n"
        "    1:1:void m():1:1 -> d\n    # {\"id\":\"com.android.tools.r8.synthesized\"}\n"
        "    1:2:int l():5:6 -> l\n    # {\"id\":\"com.android.tools.r8.outline\"}\n"
        "    3:3:void k():7:7 -> k\n    4:4:void k():8:8 -> k\n"
        "    9:9:void k():9:9 -> k\n    # "
        "{\"id\":\"com.android.tools.r8.outlineCallsite\",\"positions\":{\"1\":3,\"2\":4},\"outline\":\"La/b;l()I\"}\n"
        "    1:1:void y.R.n():9:9 -> e\n    # "
        "{\"id\":\"com.android.tools.r8.rewriteFrame\",\"conditions\":[\"throws(La/x;)\"],"
        "\"actions\":[\"removeInnerFrames(1)\"]}\n    1:1:void r():20 -> e\nx.Fault -> a.x:\n";
    FILE *out = fopen(path, "wb");
    must(out && fwrite(text, 1, sizeof text - 1, out) == sizeof text - 1 && fclose(out) == 0);
}

/* Writes source maps: one with functions, names, an ignored source and a source without a name, and one of a split
 * bundle. */
static void write_source_map(const char *path)
{
    static const char text[] =
        "{\"version\":3,\"sources\":[\"src/a\\n#0 "
        "forged\\u001b]0;\\u007f.ts\",\"node_modules/b.js\",null],\"names\":[\"boom\\n#0 "
        "forged\\u001b]0;\",\"run\",\"call\"],\"ignoreList\":[1],"
        "\"sourcesContent\":[\"1\\u001b]0;\\u007f\\u009b\\u202e\\n2\\r\\n3\\r4\\n5\\n6\\n7\"],\"x_facebook_sources\":["
        "null,[{\"names\":[\"f\\n#0 forged\\u001b]0;\\u007f\",\"<anonymous>\"],"
        "\"mappings\":\"AAA;CCC\"}]],"
        "\"x_facebook_offsets\":[1,null,0],\"x_facebook_segments\":{\"3\":{\"version\":3,\"sources\":[\"c.js\"],"
        "\"names\":[],\"mappings\":"
        "\"AAAA;CAEC\","
        "\"x_facebook_offsets\":[1]}},\"mappings\":\"AAAA,UAIQ,UAIJA,UAKFC,U,UADEC,UCVFD,UCAA;AFAA\"}";
    FILE *out = fopen(path, "wb");
    must(out && fwrite(text, 1, sizeof text - 1, out) == sizeof text - 1 && fclose(out) == 0);
}

/* Opens a session with the symbols. max_memory: must be enough for the indexes. */
static framemap_session *open_session(uint64_t max_memory)
{
    char folder[] = "/tmp/framemap-fuzz-XXXXXX", paths[5][64];
    static const struct {
        const char *kind, *name, *id, *arch;
    } images[3] = {{"elf", "libapp.so", "0123456789abcdef0123456789abcdef01234567", "arm64"},
                   {"elf", "libplain.so", "", ""},
                   {"macho", "App", "aaaaaaaabbbbccccddddeeeeeeeeeeee", "arm64"}};
    framemap_session *session = NULL;
    const char *path = folder;
    must(mkdtemp(folder) != NULL);
    for (size_t i = 0; i < 3; i++) {
        must(snprintf(paths[i], sizeof paths[i], "%s/%s.fmx", folder, images[i].name) < (int)sizeof paths[i]);
        write_index(paths[i], framemap_str_of(images[i].kind), framemap_str_of(images[i].name),
                    framemap_str_of(images[i].id), framemap_str_of(images[i].arch));
    }
    must(snprintf(paths[3], sizeof paths[3], "%s/mapping.txt", folder) < (int)sizeof paths[3]);
    write_mapping(paths[3]);
    must(snprintf(paths[4], sizeof paths[4], "%s/main.js.map", folder) < (int)sizeof paths[4]);
    write_source_map(paths[4]);
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .keep_sources = true,
                                              .max_memory = max_memory};
    must(framemap_session_open(&options, &session, NULL) == FRAMEMAP_OK);
    /* An index is read from its file when it is first used, so each is used here, while the files exist. */
    for (size_t i = 0; i < 5; i++) {
        const framemap_index *index = NULL;
        framemap_image_query want = {.name = framemap_str_of(i < 3 ? images[i].name : i == 3 ? "mapping.txt" : "")};
        if (i == 4) want.path = framemap_str_of(paths[4]);
        must(framemap_session_index(session, &want, &index, NULL) == FRAMEMAP_OK);
        framemap_session_release(session, index);
        unlink(paths[i]);
    }
    rmdir(folder);
    return session;
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* Checks the statuses of all frames and the counts. Returns whether there are Java frames, because these are printed
 * anew even if they are only partly restored. */
static bool check_frames(framemap_session *session, framemap_str text)
{
    bool java = false;
    framemap_trace_list list;
    framemap_restore_summary summary;
    uint64_t wanting = 0, restored = 0;
    must(framemap_trace_parse(text, NULL, &list, NULL) == FRAMEMAP_OK);
    must(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_DEFAULT, &summary, NULL) == FRAMEMAP_OK);
    for (size_t t = 0; t < list.count; t++)
        for (size_t f = 0; f < list.traces[t].frame_count; f++) {
            const framemap_frame *frame = &list.traces[t].frames[f];
            const bool good = frame->status == FRAMEMAP_FRAME_OK || frame->status == FRAMEMAP_FRAME_SYMBOL;
            must(frame->status != FRAMEMAP_FRAME_RAW);
            /* a frame that is restored but hidden has a reason */
            must(!good || frame->restored.count > 0 || frame->reason != NULL);
            must(good || frame->status == FRAMEMAP_FRAME_NOT_NEEDED || frame->reason != NULL);
            if (frame->status != FRAMEMAP_FRAME_NOT_NEEDED) wanting++;
            if (good) restored++;
            java = java || frame->kind == FRAMEMAP_KIND_JAVA;
        }
    must(summary.traces == list.count && summary.frames == wanting && summary.restored == restored);
    must(summary.unmapped == wanting - restored);
    framemap_trace_list_free(&list);
    return java;
}

/* Checks that a text is restored in the same way as a whole, in pieces, and next to other texts. */
static void check_pieces(framemap_session *session, framemap_str text, const framemap_restore_options *options,
                         framemap_str wanted)
{
    const framemap_str begin = fm_str_slice(text, 0, text.size / 2);
    framemap_text texts[] = {{.text = begin}, {.text = text}};
    framemap_bytes out = {0};
    must(framemap_session_restore_buffer(session, text, options, &out, NULL, NULL) == FRAMEMAP_OK);
    must(fm_str_equal(framemap_bytes_str(&out), wanted));
    must(framemap_session_restore_many(session, texts, 2, options, NULL) == texts[0].status);
    must(texts[1].status == FRAMEMAP_OK && fm_str_equal(framemap_bytes_str(&texts[1].out), wanted));
    framemap_bytes_free(&out);
    for (size_t i = 0; i < 2; i++) framemap_bytes_free(&texts[i].out);
}

static void check_output(framemap_session *session, framemap_str text, const char *output, bool java)
{
    struct fm_heap heap;
    struct fm_buf first, second;
    framemap_restore_summary summary;
    const framemap_restore_options options = {.size = sizeof options, .output = output, .context = 1};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&first, &heap);
    fm_buf_init(&second, &heap);
    must(framemap_session_restore(session, text, &options, gather, &first, &summary, NULL) == FRAMEMAP_OK);
    must(framemap_session_restore(session, text, &options, gather, &second, NULL, NULL) == FRAMEMAP_OK);
    must(fm_str_equal(fm_buf_view(&first), fm_buf_view(&second)));
    check_pieces(session, text, &options, fm_buf_view(&first));
    check_hostile(text, fm_buf_view(&first));
    if (output == NULL && summary.restored == 0 && !java) must(fm_str_equal(fm_buf_view(&first), text));
    fm_buf_free(&first);
    fm_buf_free(&second);
}

static void forget(void *context, const framemap_missing *missing)
{
    (void)context;
    must(missing->frames > 0 && missing->reason != NULL && missing->name.size + missing->id.size > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static framemap_session *session, *tight;
    const framemap_str text = fm_str(data, size);
    /* a compressed text is not tested: it is written decompressed, and may be damaged */
    if (fm_is_compressed(text)) return 0;
    if (session == NULL) session = open_session((uint64_t)512 << 20);
    if (tight == NULL) tight = open_session((uint64_t)2 << 20);
    const bool java = check_frames(session, text);
    check_output(session, text, NULL, java);
    check_output(session, text, "json", java);
    check_output(tight, text, NULL, java);
    framemap_session_missing(tight, forget, NULL);
    framemap_session_missing(session, forget, NULL);
    return 0;
}
