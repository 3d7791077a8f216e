/* Tests lines of input and indexes of some KB that could expand to gigabytes. The size of answers and of the output,
 * and the memory, must be limited; parts that are omitted must be reported. */
#include "core/text/buffer.h"
#include "tests/session/session_help.h"

#include "core/limits.h"
#include "index/write/class_builder.h"
#include "index/write/segment_builder.h"
#include "tests/hostile/crafted_index.h"

#define ID "0123456789abcdef0123456789abcdef01234567"

enum {
    DEPTH = 1024,        /* equal to FM_LIMIT_INLINE_DEPTH */
    ALTERNATIVES = 4096, /* equal to FM_LIMIT_ALTERNATIVES */
    MOST = 64 << 20      /* limit for memory and output in bytes */
};

static const char line_of_text[] = "#00 pc 0000000000000100  /data/libapp.so (BuildId: " ID ")\n";

/* --- counting the memory and the output of a call --- */

struct cost {
    uint64_t live, peak;
};

static void *counted_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct cost *cost = context;
    const size_t before = ptr != NULL ? old_size : 0;
    void *moved = NULL;
    if (new_size == 0) {
        free(ptr);
    } else {
        /* when a heap moves a block, both the old and the new block exist for some time, so both are counted */
        if (cost->live + new_size > cost->peak) cost->peak = cost->live + new_size;
        moved = realloc(ptr, new_size);
        if (moved == NULL) return NULL;
    }
    cost->live += new_size;
    cost->live -= before;
    if (cost->live > cost->peak) cost->peak = cost->live;
    return moved;
}

struct output {
    uint64_t bytes, over_limits; /* over_limits: number of times that "over-limit" is in the output */
    char tail[16];
    size_t tail_size;
};

/* Counts the bytes of the output and the occurrences of "over-limit", including those that are divided between two
 * calls. */
static bool count_output(void *context, const char *data, size_t size)
{
    struct output *output = context;
    const char word[] = "over-limit";
    char joined[sizeof output->tail * 2];
    const size_t head = size < sizeof word - 2 ? size : sizeof word - 2;
    output->bytes += size;
    memcpy(joined, output->tail, output->tail_size);
    memcpy(joined + output->tail_size, data, head);
    if (fm_str_find(fm_str(joined, output->tail_size + head), FM_STR("over-limit")) != FM_NOT_FOUND)
        output->over_limits++;
    for (framemap_str rest = fm_str(data, size);;) {
        const size_t at = fm_str_find(rest, FM_STR("over-limit"));
        if (at == FM_NOT_FOUND) break;
        output->over_limits++;
        rest = fm_str_from(rest, at + 1);
    }
    output->tail_size = size < sizeof word - 2 ? size : sizeof word - 2;
    memcpy(output->tail, data + size - output->tail_size, output->tail_size);
    return true;
}

static void within(const char *what, uint64_t bytes, const char *of)
{
    if (bytes > MOST) fail_msg("%s: %llu bytes of %s", what, (unsigned long long)bytes, of);
}

/* --- making indexes with excessive contents --- */

struct claims {
    const char *why;
    const char *kind;
    uint32_t depth, alternatives, aliases;
    size_t name_size;    /* size of the functions' name; 0: a short name is used */
    const char *mangled; /* mangled name of the functions */
    size_t path_size;
    /* whether over_limit must be set: in the answer to a single query; the next member is for a batch */
    bool over_limit;
    bool over_limit_brief;
};

/* Mangled name of 160 bytes. Each part of the name refers twice to the part before it, so the demangled name has half a
 * megabyte. */
static const char grows[] = "_Z1f1AIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_ES_IS3_S3_ES_IS4_S4_ES_IS5_S5_ES_IS6_S6_E"
                            "S_IS7_S7_ES_IS8_S8_ES_IS9_S9_ES_ISA_SA_ES_ISB_SB_ES_ISC_SC_ES_ISD_SD_E";

/* Returns `size` bytes that are not a mangled name, to be freed by the caller. */
static char *make_text(char byte, size_t size)
{
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, byte, size);
    text[0] = 'f';
    return text;
}

/* Returns a text as make_text does; the text is valid until the next call. */
static framemap_str long_text(char byte, size_t size)
{
    static char *text;
    free(text);
    text = make_text(byte, size);
    return fm_str(text, size);
}

static framemap_bytes build(const struct claims *claims)
{
    char alias[sizeof grows + 1];
    char *path = claims->path_size ? make_text('d', claims->path_size) : NULL,
         *name = claims->name_size ? make_text('n', claims->name_size) : NULL;
    framemap_bytes out;
    framemap_error error = {0};
    snprintf(alias, sizeof alias, "%s.", grows);
    const struct crafted_index what = {.kind = claims->kind,
                                       .id = ID,
                                       .file = path ? fm_str(path, claims->path_size) : FM_STR("a.c"),
                                       .function = claims->mangled ? framemap_str_of(claims->mangled)
                                                   : name          ? fm_str(name, claims->name_size)
                                                                   : FM_STR("f"),
                                       .alias_head = alias,
                                       .alias_tail = "",
                                       .aliases = claims->aliases,
                                       .depth = claims->depth,
                                       .alternatives = claims->alternatives,
                                       .positions = 1,
                                       .step = 4};
    must_ok(crafted_index_build(&what, &out, &error), &error);
    free(path);
    free(name);
    return out;
}

/* --- testing all calls that give answers --- */

static void check_whole(const struct claims *claims, const framemap_index *index, framemap_scratch *scratch)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame first, second;
    framemap_error error = {0};
    query.position = 0x100;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    must_ok(framemap_resolve(index, &query, scratch, &first, &error), &error);
    assert_int_equal(first.over_limit, claims->over_limit);
    if (claims->over_limit && (first.reason == NULL || strncmp(first.reason, "over-limit", 10) != 0))
        fail_msg("%s: %s", claims->why, first.reason);
    const framemap_frame_status wanted = claims->alternatives > 1 ? FRAMEMAP_FRAME_AMBIGUOUS : FRAMEMAP_FRAME_SYMBOL;
    if (claims->over_limit) assert_int_equal(first.status, wanted);
    size_t frames = first.restored.count;
    for (size_t i = 0; i < first.alternative_count; i++) frames += first.alternatives[i].count;
    assert_between(frames, 1, FM_LIMIT_ANSWER_FRAMES);
    assert_true(first.restored.count > 0);
    /* The second answer lacks the same frames as the first, although the index may have cached results. */
    const size_t count = first.restored.count, alternatives = first.alternative_count, aliases = first.alias_count;
    must_ok(framemap_resolve(index, &query, scratch, &second, &error), &error);
    assert_int_equal(second.over_limit, claims->over_limit);
    assert_int_equal(second.restored.count, count);
    assert_int_equal(second.alternative_count, alternatives);
    assert_int_equal(second.alias_count, aliases);
}

static void check_brief(const struct claims *claims, const framemap_index *index, framemap_scratch *scratch)
{
    const uint64_t positions[] = {0x100, 0x120};
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_location_list list;
    framemap_error error = {0};
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    for (size_t count = 1; count <= 2; count++) {
        must_ok(framemap_index_lookup_many(index, &query, positions, count, scratch, &list, &error), &error);
        for (size_t i = 0; i < count; i++) {
            const framemap_location_chain *answer = &list.chains[i];
            assert_between(answer->count, 1, DEPTH);
            const bool over_limit =
                (list.locations[answer->first + answer->count - 1].flags & FRAMEMAP_LOCATION_OVER_LIMIT) != 0;
            if (over_limit != claims->over_limit_brief)
                fail_msg("%s: in brief %d, of %u frames", claims->why, over_limit, answer->count);
            assert_true(answer->status != FRAMEMAP_FRAME_OK || !over_limit);
        }
    }
}

static void check_dumps(const struct claims *claims, const framemap_index *index)
{
    static const char *const formats[] = {"text", "jsonl", "kv"};
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        struct output output = {0};
        framemap_error error = {0};
        const framemap_status status = framemap_index_dump(index, formats[i], count_output, &output, &error);
        if (status != FRAMEMAP_E_LIMIT) must_ok(status, &error);
        within(claims->why, output.bytes, formats[i]);
        if (claims->over_limit_brief && i < 2 && status == FRAMEMAP_OK) assert_int_equal(output.over_limits, 1);
    }
}

static uint32_t context_lines; /* number of source lines that are printed before and after the line of a frame */

static void check_restore(const struct claims *claims, framemap_str bytes, const char *line)
{
    static const char *const outputs[] = {"text", "json"};
    struct folder folder;
    folder_make(&folder);
    put_file(&folder, "app.fmx", bytes);
    for (size_t i = 0; i < COUNT_OF(outputs); i++) {
        struct cost cost = {0, 0};
        const framemap_allocator allocator = {counted_resize, &cost};
        const char *path = folder.path;
        const framemap_session_options options = {.size = sizeof options,
                                                  .allocator = &allocator,
                                                  .symbol_paths = &path,
                                                  .symbol_path_count = 1,
                                                  .cache_path = ""};
        const framemap_restore_options how = {.size = sizeof how, .output = outputs[i], .context = context_lines};
        framemap_session *session = NULL;
        framemap_error error = {0};
        struct output output = {0};
        must_ok(framemap_session_open(&options, &session, &error), &error);
        must_ok(framemap_session_restore(session, framemap_str_of(line), &how, count_output, &output, NULL, &error),
                &error);
        within(claims->why, output.bytes, outputs[i]);
        within(claims->why, cost.peak, "memory for a text");
        if ((output.over_limits > 0) != claims->over_limit)
            fail_msg("%s: %s says it %d times", claims->why, outputs[i], (int)output.over_limits);
        framemap_session_close(session);
        assert_int_equal(cost.live, 0);
    }
    remove_tree(folder.path);
}

static void check_index(const struct claims *claims, framemap_bytes bytes)
{
    struct cost cost = {0, 0};
    const framemap_allocator allocator = {counted_resize, &cost};
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    framemap_error error = {0};
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), &allocator, &index, &error), &error);
    must_ok(framemap_scratch_create(&allocator, &scratch, &error), &error);
    check_brief(claims, index, scratch);
    check_whole(claims, index, scratch);
    check_dumps(claims, index);
    must_ok(framemap_index_verify(index, &error), &error);
    framemap_scratch_free(scratch);
    framemap_index_close(index);
    within(claims->why, cost.peak, "memory");
    assert_int_equal(cost.live, 0);
    check_restore(claims, framemap_bytes_str(&bytes), line_of_text);
    framemap_bytes_free(&bytes);
}

static void native(void **state)
{
    (void)state;
    static const struct claims rows[] = {
        {"what a real program has", "elf", 30, 1, 1, 0, NULL, 0, false, false},
        {"alternatives of deep chains", "elf", DEPTH, ALTERNATIVES, 0, 0, NULL, 0, true, false},
        {"many short alternatives", "elf", 1, ALTERNATIVES, 0, 0, NULL, 0, false, false},
        {"alternatives of five frames", "elf", 5, ALTERNATIVES, 0, 0, NULL, 0, true, false},
        {"a chain of one long name", "elf", DEPTH, 1, 0, FM_LIMIT_NAME - 1, NULL, 0, true, true},
        {"a frame of a long name", "elf", 1, 1, 0, FM_LIMIT_NAME - 1, NULL, 0, false, false},
        {"alternatives of a long name", "macho", 1, ALTERNATIVES, 0, 60000, NULL, 0, true, false},
        {"a chain of a long path", "elf", DEPTH, 1, 0, 0, NULL, 60000, true, true},
        {"of Dart", "dart", DEPTH, ALTERNATIVES, 0, 5000, NULL, 0, true, true},
        {"a chain of a name that grows", "elf", DEPTH, 1, 0, 0, grows, 0, true, true},
        {"aliases that grow", "elf", 1, 1, 4000, 0, NULL, 0, true, false},
        {"alternatives with aliases", "elf", 1, ALTERNATIVES, 4000, 0, grows, 0, true, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) check_index(&rows[i], build(&rows[i]));
}

/* --- testing Java: a range of lines becomes many alternatives, and inlined calls become many frames --- */

static framemap_bytes compile(framemap_str text, const char *name, bool keep_sources)
{
    const framemap_build_options options = {.size = sizeof options, .keep_sources = keep_sources};
    framemap_bytes bytes = {NULL, 0, {NULL, NULL}};
    framemap_error error = {0};
    must_ok(framemap_index_build(text, framemap_str_of(name), &options, &bytes, &error), &error);
    return bytes;
}

/* Builds a mapping of the class "a.a". Between the lines `head` and `tail`, the mapping has `rows` lines, each for
 * another method with a long name. */
static framemap_bytes build_mapping(const char *head, const char *tail, size_t rows, size_t name_size)
{
    struct fm_heap heap;
    struct fm_buf text;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("com.example.Main -> a.a:\n"));
    const framemap_str name = long_text('n', name_size);
    for (size_t i = 0; i < rows; i++)
        fm_buf_printf(&text, "    %s m%d%.*s%s -> a\n", head, (int)(i + 1), name_size > 0 ? (int)name.size : 0,
                      name.data, tail);
    assert_false(text.failed);
    const framemap_bytes bytes = compile(fm_buf_view(&text), "mapping.txt", false);
    fm_buf_free(&text);
    return bytes;
}

static void java(void **state)
{
    (void)state;
    static const struct {
        const char *why, *head, *tail;
        size_t count, name_size;
        bool over_limit;
        const char *line;
    } rows[] = {
        {"what a real mapping has", "1:9:void", "():7:15", 1, 0, false, "java.lang.Error\n\tat a.a.a(SourceFile:3)\n"},
        {"a line of 65,535 lines", "1:1:void", "():1:65535", 1, 0, true, "java.lang.Error\n\tat a.a.a(SourceFile:1)\n"},
        {"inlined calls of long names", "1:1:void", "():1:1", 1000, 20000, true,
         "java.lang.Error\n\tat a.a.a(SourceFile:1)\n"},
        {"a chain of 100,000 frames", "1:1:void", "():1:1", 100000, 1, true,
         "java.lang.Error\n\tat a.a.a(SourceFile:1)\n"},
        {"overloads of long names", "void", "()", 1000, 20000, true, "java.lang.Error\n\tat a.a.a(Unknown Source)\n"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_bytes bytes = build_mapping(rows[i].head, rows[i].tail, rows[i].count, rows[i].name_size);
        const struct claims claims = {.why = rows[i].why, .over_limit = rows[i].over_limit};
        check_restore(&claims, framemap_bytes_str(&bytes), rows[i].line);
        framemap_bytes_free(&bytes);
    }
}

/* --- testing JavaScript: functions inlined into each other, and the sources around them --- */

static framemap_bytes build_script(uint32_t depth, size_t name_size, size_t address_size, size_t source_lines,
                                   size_t line_size)
{
    struct fm_heap heap;
    struct fm_builder *builder;
    struct fm_built built;
    framemap_error error = {0};
    uint32_t address, content = FM_NONE, source, name, site = FM_NONE;
    fm_heap_init(&heap, NULL, 0);
    must_ok(fm_builder_create(&heap, &builder, &error), &error);
    const struct fm_builder_about about = {.kind = FM_STR("sourcemap"), .name = FM_STR("app.js.map")};
    must_ok(fm_builder_about(builder, &about, &error), &error);
    fm_builder_segments_form(builder);
    must_ok(fm_builder_string(builder, long_text('a', address_size), &address, &error), &error);
    if (source_lines > 0) {
        struct fm_buf text;
        fm_buf_init(&text, &heap);
        const framemap_str line = long_text('x', line_size);
        for (size_t i = 0; i < source_lines; i++) fm_buf_printf(&text, "%.*s\n", (int)line.size, line.data);
        must_ok(fm_builder_string(builder, fm_buf_view(&text), &content, &error), &error);
        fm_buf_free(&text);
    }
    must_ok(fm_builder_source(builder, address, FM_NONE, content, 0, &source, &error), &error);
    must_ok(fm_builder_string(builder, long_text('n', name_size), &name, &error), &error);
    for (uint32_t i = 1; i < depth; i++) {
        const struct fm_call_site call = {.source = source, .line0 = 5, .function = name, .caller = site};
        must_ok(fm_builder_call_site(builder, &call, &site, &error), &error);
    }
    const struct fm_generated_stretch stretch = {.function = name, .origin = FM_FUNCTION_SCOPES, .site = site};
    must_ok(fm_builder_inlined_stretch(builder, &stretch, &error), &error);
    const struct fm_segment segment = {.source = source, .original_line0 = 5, .name = FM_NONE};
    must_ok(fm_builder_segments(builder, &segment, 1, &error), &error);
    must_ok(fm_builder_finish(builder, &built, &error), &error);
    fm_builder_free(builder);
    return (framemap_bytes){.data = built.data, .size = built.size};
}

static void script(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        uint32_t depth;
        size_t name_size, address_size, lines, line_size;
        uint32_t context;
        bool over_limit;
        size_t context_size; /* expected size of the source lines of each frame; 0: the sizes differ */
    } rows[] = {
        {"what a real map has", 20, 20, 40, 100, 70, 5, false, 11 * 71 - 1},
        {"few frames, whose lines are found without splitting the source", 3, 20, 40, 100, 70, 5, false, 11 * 71 - 1},
        {"calls of a long name", DEPTH, 500000, 8, 0, 0, 0, true, 0},
        {"calls in a source of a long name", DEPTH, 8, 500000, 0, 0, 0, true, 0},
        {"long lines around each", DEPTH, 8, 8, 20, 5000, 5, true, 0},
        {"many lines around each", DEPTH, 8, 8, 20000, 1, 10000, true, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_bytes bytes =
            build_script(rows[i].depth, rows[i].name_size, rows[i].address_size, rows[i].lines, rows[i].line_size);
        framemap_index *index = NULL;
        framemap_scratch *scratch = NULL;
        framemap_frame frame;
        framemap_error error = {0};
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.context = rows[i].context;
        must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
        must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
        must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
        if (frame.over_limit != rows[i].over_limit)
            fail_msg("%s: %s", rows[i].why, frame.reason ? frame.reason : "no reason");
        uint64_t text = 0;
        for (size_t f = 0; f < frame.restored.count; f++) {
            const framemap_frame *one = &frame.restored.frames[f];
            text += one->function.size + one->file.size + one->context.size;
            if (rows[i].context_size == 0) continue;
            assert_int_equal(one->context.size, rows[i].context_size);
            assert_int_equal(one->context_line, 1);
        }
        within(rows[i].why, text * 6, "one answer");
        framemap_scratch_free(scratch);
        framemap_index_close(index);
        const struct claims claims = {.why = rows[i].why, .over_limit = rows[i].over_limit};
        context_lines = rows[i].context;
        check_restore(&claims, framemap_bytes_str(&bytes), "Error: x\n    at f (https://example.com/app.js:1:1)\n");
        context_lines = 0;
        framemap_bytes_free(&bytes);
    }
}

/* --- testing frame lines: parts of a long input line that are repeated in the output for each frame --- */

static void long_rows(void **state)
{
    (void)state;
    static const struct claims deep = {
        .why = "rows after a long prefix", .kind = "elf", .depth = DEPTH, .alternatives = 1, .over_limit = false};
    framemap_bytes bytes = build(&deep);
    struct fm_heap heap;
    struct fm_buf line;
    struct folder folder;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&line, &heap);
    for (int i = 0; i < 60000; i++) fm_buf_byte(&line, ' ');
    fm_buf_str(&line, framemap_str_of(line_of_text));
    folder_make(&folder);
    put_file(&folder, "app.fmx", framemap_bytes_str(&bytes));
    const char *path = folder.path;
    const framemap_session_options options = {
        .size = sizeof options, .symbol_paths = &path, .symbol_path_count = 1, .cache_path = ""};
    framemap_session *session = NULL;
    framemap_error error = {0};
    struct output output = {0};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    must_ok(framemap_session_restore(session, fm_buf_view(&line), NULL, count_output, &output, NULL, &error), &error);
    within(deep.why, output.bytes, "text");
    assert_int_equal(output.over_limits, 1);
    framemap_session_close(session);
    remove_tree(folder.path);
    fm_buf_free(&line);
    framemap_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(native), cmocka_unit_test(java), cmocka_unit_test(script),
                                       cmocka_unit_test(long_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
