/* Tests that a session restores texts and lists of traces. */
#include "core/text/buffer.h"
#include "tests/session/session_help.h"

#define ID "0123456789abcdef0123456789abcdef01234567"
#define OTHER_ID "fedcba9876543210fedcba9876543210fedcba98"
#define UUID "aaaaaaaabbbbccccddddeeeeeeeeeeee"
#define PRINTED_UUID "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"

static const struct made_image android = {
    .name = "libapp.so", .id = ID, .arch = "arm64", .functions = {"_Z5outerv", "_Z4mainiPPc"}};
static const struct made_image plain = {.name = "libplain.so", .id = "", .arch = "", .functions = {"_Z5plainv"}};
static const struct made_image apple = {
    .kind = "macho", .name = "App", .id = UUID, .arch = "arm64", .functions = {"_Z3runv", "main"}};

struct bench {
    struct folder folder;
    framemap_session *session;
    struct warnings warnings;
    char whole[4096];
};

static framemap_session *open_on(const char *path, struct warnings *warnings, const framemap_allocator *allocator)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .warning = warnings ? keep_warning : NULL,
                                              .context = warnings};
    if (framemap_session_open(&options, &session, &error) != FRAMEMAP_OK)
        assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    return session;
}

static int set_up(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    folder_make(&bench.folder);
    put_index(&bench.folder, "libapp.so.fmx", &android);
    put_index(&bench.folder, "deep/er/libplain.so.fmx", &plain);
    put_index(&bench.folder, "App.fmx", &apple);
    put_file(&bench.folder, "README.txt", FM_STR("not a symbol file\n"));
    bench.session = open_on(bench.folder.path, &bench.warnings, NULL);
    *state = &bench;
    return bench.session ? 0 : -1;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    framemap_session_close(bench->session);
    remove_tree(bench->folder.path);
    return 0;
}

static framemap_trace_list parse(const char *text)
{
    framemap_trace_list list;
    framemap_error error = {0};
    must_ok(framemap_trace_parse(framemap_str_of(text), NULL, &list, &error), &error);
    return list;
}

/* Tests the status of a frame for single lines. Each line is the first frame of the first trace of a text. */
static void each_status(void **state)
{
    struct bench *bench = *state;
    static const struct {
        const char *why, *text;
        framemap_frame_status status;
        const char *innermost; /* function of the innermost restored frame; NULL: the frame is not restored */
        const char *reason;    /* part of the frame's reason; NULL: the frame has no reason */
    } rows[] = {
        {"by build id", "#00 pc 0000000000010104  /data/libapp.so (BuildId: " ID ")\n", FRAMEMAP_FRAME_OK, "outer()",
         NULL},
        {"inlined", "#00 pc 0000000000010124  /data/libapp.so (BuildId: " ID ")\n", FRAMEMAP_FRAME_OK, "inner(int)",
         NULL},
        {"by id, whatever the file is called", "#00 pc 0000000000010104  /data/libz.so (BuildId: " ID ")\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"by the beginning of its id", "#00 pc 0000000000010104  /data/libapp.so (BuildId: 0123456789abcdef)\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"by name where the stack has no id", "#00 pc 0000000000010104  /data/libapp.so\n", FRAMEMAP_FRAME_OK,
         "outer()", NULL},
        {"by name in a folder deep down", "#00 pc 0000000000010104  /data/libplain.so\n", FRAMEMAP_FRAME_OK, "plain()",
         NULL},
        {"out of an archive", "#00 pc 0000000000010104  /data/base.apk!libapp.so (offset 0x21a000)\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"another id is never guessed past", "#00 pc 0000000000010104  /data/libapp.so (BuildId: " OTHER_ID ")\n",
         FRAMEMAP_FRAME_MISSING_SYMBOLS, NULL, "another build id"},
        {"no symbols", "#00 pc 0000000000010104  /data/libother.so (BuildId: " OTHER_ID ")\n",
         FRAMEMAP_FRAME_MISSING_SYMBOLS, NULL, "no symbols were given"},
        {"nothing there", "#00 pc 0000000000019104  /data/libapp.so (BuildId: " ID ")\n", FRAMEMAP_FRAME_NO_MATCH, NULL,
         "nothing"},
        {"below the start of its image", "#00 pc 0000000000000104  /data/libapp.so (BuildId: " ID ")\n",
         FRAMEMAP_FRAME_NO_MATCH, NULL, "below"},
        {"the form with the mapping's offset",
         "#00 pc 0000000000000104  /data/libapp.so (offset 0x10000) (BuildId: " ID ")\n", FRAMEMAP_FRAME_OK, "outer()",
         NULL},
        {"an archive's offset is no such form",
         "#00 pc 0000000000000104  /data/base.apk!libapp.so (offset 0x10000) (BuildId: " ID ")\n",
         FRAMEMAP_FRAME_NO_MATCH, NULL, "below"},
        {"the short form of Android", "pc 0x0000000000010104 libapp.so [arm64-v8a::0123456789abcdef0123456789abcdef]\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"the short form of iOS", "App 0x0000000104d00104 0x0000000104d00000 + 260 [" PRINTED_UUID "]\n",
         FRAMEMAP_FRAME_OK, "run()", NULL},
        {"another CPU than the symbols'", "ABI: 'x86_64'\nbacktrace:\n      #00 pc 0000000000010104  /data/libapp.so\n",
         FRAMEMAP_FRAME_MISSING_SYMBOLS, NULL, "architecture"},
        {"the folder of an installed library names the CPU",
         "#00 pc 0000000000010104  /data/app/a-1/lib/arm64/libapp.so\n", FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"a library in an app", "#00 pc 0000000000010104  /data/app/a-1/base.apk!/lib/arm64-v8a/libapp.so\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"a split of an app", "#00 pc 0000000000010104  /data/app/a-1/split_config.arm64_v8a.apk!libapp.so\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"a folder of another CPU", "#00 pc 0000000000010104  /data/app/a-1/lib/x86_64/libapp.so\n",
         FRAMEMAP_FRAME_MISSING_SYMBOLS, NULL, "architecture"},
        {"a split of another CPU", "#00 pc 0000000000010104  /data/app/a-1/split_map.config.x86.apk!libapp.so\n",
         FRAMEMAP_FRAME_MISSING_SYMBOLS, NULL, "architecture"},
        {"a split for a screen", "#00 pc 0000000000010104  /data/app/a-1/split_config.xxhdpi.apk!libapp.so\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"a folder of HarmonyOS", "#00 pc 0000000000010104  /data/storage/el1/bundle/libs/arm/libapp.so\n",
         FRAMEMAP_FRAME_MISSING_SYMBOLS, NULL, "architecture"},
        {"a folder of Debian", "/usr/lib/x86_64-linux-gnu/libapp.so(+0x10140) [0x7f0000010140]\n",
         FRAMEMAP_FRAME_MISSING_SYMBOLS, NULL, "architecture"},
        {"a folder of Debian, of the same CPU", "/usr/lib/aarch64-linux-gnu/libapp.so(+0x10140) [0x7f0000010140]\n",
         FRAMEMAP_FRAME_OK, "inner(int)", NULL},
        {"a folder of no CPU", "#00 pc 0000000000010104  /opt/lib/app/libapp.so\n", FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"a folder of that name elsewhere", "#00 pc 0000000000010104  /data/x86_64/libapp.so\n", FRAMEMAP_FRAME_OK,
         "outer()", NULL},
        {"an id counts more than a folder", "#00 pc 0000000000010104  /data/lib/x86_64/libapp.so (BuildId: " ID ")\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"a sanitizer's line", "    #0 0x55d0c0de0104  (/bin/libapp.so+0x10104) (BuildId: " ID ")\n", FRAMEMAP_FRAME_OK,
         "outer()", NULL},
        {"a sanitizer's line that is symbolic already", "    #0 0x55d0c0de0104 in outer() /src/a.cc:7:3\n",
         FRAMEMAP_FRAME_NOT_NEEDED, NULL, NULL},
        {"glibc: a return address", "/opt/libapp.so(+0x10140) [0x7f0000010140]\n", FRAMEMAP_FRAME_OK, "inner(int)",
         NULL},
        {"glibc: name and distance agree with the symbols", "/opt/libapp.so(_Z5outerv+0x20) [0x10120]\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"glibc: they do not", "/opt/libapp.so(_Z5outerv+0x24) [0x10120]\n", FRAMEMAP_FRAME_UNKNOWN_IMAGE, NULL,
         "starts in memory"},
        {"Boost: a program that is loaded as it is linked", " 0# 0x0000000000010120 in /opt/libapp.so\n",
         FRAMEMAP_FRAME_OK, "outer()", NULL},
        {"Boost: an address outside of it", " 0# 0x00007f0000010120 in /opt/libapp.so\n", FRAMEMAP_FRAME_UNKNOWN_IMAGE,
         NULL, "starts in memory"},
        {"an address of thirty digits", "#00 pc 000000000000000123456789012345  /data/libapp.so (BuildId: " ID ")\n",
         FRAMEMAP_FRAME_MALFORMED, NULL, ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_trace_list list = parse(rows[i].text);
        framemap_restore_summary summary;
        framemap_error error = {0};
        if (list.count == 0 || list.traces[0].frame_count == 0) fail_msg("%s: no frame is seen", rows[i].why);
        must_ok(framemap_session_restore_traces(bench->session, &list, FRAMEMAP_DEMANGLE_DEFAULT, &summary, &error),
                &error);
        const framemap_frame *frame = &list.traces[0].frames[0];
        if (frame->status != rows[i].status)
            fail_msg("%s: status %s (%s)", rows[i].why, framemap_frame_status_name(frame->status),
                     frame->reason ? frame->reason : "");
        if (rows[i].innermost && (frame->restored.count == 0 || !fm_str_equal(frame->restored.frames[0].function,
                                                                              framemap_str_of(rows[i].innermost))))
            fail_msg("%s: another function", rows[i].why);
        if (!rows[i].innermost) assert_int_equal(frame->restored.count, 0);
        if (rows[i].reason && (frame->reason == NULL || strstr(frame->reason, rows[i].reason) == NULL))
            fail_msg("%s: %s", rows[i].why, frame->reason);
        bool wants = rows[i].status != FRAMEMAP_FRAME_NOT_NEEDED, got = rows[i].innermost != NULL;
        assert_int_equal(summary.traces, 1);
        assert_int_equal(summary.frames, wants);
        assert_int_equal(summary.restored, got);
        assert_int_equal(summary.unmapped, wants && !got);
        framemap_trace_list_free(&list);
    }
}

static const char crash[] =
    "Incident Identifier: 1\nProcess: App [1]\nCode Type: ARM-64 (Native)\n\nThread 0 Crashed:\n"
    "0   App                           \t0x0000000104d00204 0x104d00000 + 516\n"
    "1   App                           \t0x0000000104d00140 0x104d00000 + 320\n"
    "2   libdyld.dylib                 \t0x00000001804d0140 0x1804d0000 + 320\n\n"
    "Binary Images:\n0x104d00000 - 0x104dfffff App arm64  <" UUID "> /var/App.app/App\n"
    "0x1804d0000 - 0x1804dffff libdyld.dylib arm64  <bbbbbbbbbbbbccccddddeeeeeeeeeeee> /usr/lib/libdyld.dylib\n";

static void count_missing(void *context, const framemap_missing *missing)
{
    struct fm_buf *out = context;
    fm_buf_printf(out, "%.*s %.*s %.*s %llu %s\n", (int)missing->name.size, missing->name.data, (int)missing->id.size,
                  missing->id.data, (int)missing->arch.size, missing->arch.data, (unsigned long long)missing->frames,
                  missing->reason);
}

static void a_crash_report(void **state)
{
    struct bench *bench = *state;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_restore_summary summary;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    /* clears the list of missing symbols, which other tests have filled */
    framemap_session_missing(bench->session, NULL, NULL);
    must_ok(framemap_session_restore(bench->session, framemap_str_of(crash), NULL, gather, &out, &summary, &error),
            &error);
    framemap_str text = fm_buf_view(&out);
    assert_int_equal(summary.frames, 3);
    assert_int_equal(summary.restored, 2);
    /* The first frame has an exact address. The next frame has a return address, so the byte before it is looked up;
     * that byte is in the inlined call. */
    assert_true(fm_str_find(text, FM_STR("main")) != FM_NOT_FOUND);
    assert_true(fm_str_find(text, FM_STR("inner(int)")) != FM_NOT_FOUND);
    assert_true(fm_str_find(text, FM_STR("run()")) != FM_NOT_FOUND);
    assert_true(fm_str_starts(text, FM_STR("Incident Identifier: 1\n")));
    fm_buf_clear(&out);
    framemap_session_missing(bench->session, count_missing, &out);
    assert_str(fm_buf_view(&out),
               "libdyld.dylib bbbbbbbbbbbbccccddddeeeeeeeeeeee arm64 1 no symbols were given for this image\n");
    fm_buf_clear(&out);
    framemap_session_missing(bench->session, count_missing, &out);
    assert_int_equal(out.size, 0); /* reading the list has cleared it, so the second time it is empty */
    fm_buf_free(&out);
}

/* The list of missing symbols can still be read when the traces and their memory were freed. */
static void names_the_other_build(void **state)
{
    struct bench *bench = *state;
    static const char stack[] = "#00 pc 0000000000010104  /data/libapp.so (BuildId: " OTHER_ID ")\n";
    char wanted[512];
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    /* clears the list of missing symbols, which other tests have filled */
    framemap_session_missing(bench->session, NULL, NULL);
    must_ok(framemap_session_restore(bench->session, framemap_str_of(stack), NULL, gather, &out, NULL, &error), &error);
    fm_buf_clear(&out);
    framemap_session_missing(bench->session, count_missing, &out);
    snprintf(wanted, sizeof wanted,
             "libapp.so " OTHER_ID "  1 the symbols given for this image have another build id: %s has " ID
             ", not " OTHER_ID "\n",
             in_folder(&bench->folder, "libapp.so.fmx"));
    assert_str(fm_buf_view(&out), wanted);
    fm_buf_free(&out);
}

/* Tests addresses whose upper bits contain a signature of the CPU. Such an address is in no image; without these bits,
 * it is. */
static void signed_addresses(void **state)
{
    struct bench *bench = *state;
    static const char text[] = "Code Type: ARM-64 (Native)\n\nThread 0 Crashed:\n"
                               "0   ???                           \t0x003be30104d00204 0x0 + 16863138186396164\n\n"
                               "Binary Images:\n0x104d00000 - 0x104dfffff App arm64  <" UUID "> /var/App.app/App\n";
    framemap_trace_list list = parse(text);
    framemap_error error = {0};
    assert_int_equal(list.count, 1);
    framemap_frame *frame = &list.traces[0].frames[0];
    frame->status = FRAMEMAP_FRAME_RAW; /* the test pretends that the parser has not found the image */
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->has_load_address = false;
    must_ok(framemap_session_restore_traces(bench->session, &list, FRAMEMAP_DEMANGLE_DEFAULT, NULL, &error), &error);
    assert_int_equal(frame->status, FRAMEMAP_FRAME_OK);
    assert_str(frame->restored.frames[0].function, "main");
    framemap_trace_list_free(&list);
}

static void text_without_stacks(void **state)
{
    struct bench *bench = *state;
    static const char *const texts[] = {"", "hello\r\nworld", "\n\n", "no newline at the end", "\xff\xfe\x00"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct fm_heap heap;
        struct fm_buf out;
        framemap_error error = {0};
        framemap_restore_summary summary;
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&out, &heap);
        must_ok(
            framemap_session_restore(bench->session, framemap_str_of(texts[i]), NULL, gather, &out, &summary, &error),
            &error);
        assert_str(fm_buf_view(&out), texts[i]);
        assert_int_equal(summary.traces, 0);
        fm_buf_free(&out);
    }
}

static bool refuse(void *context, const char *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return false;
}

static void wrong_calls(void **state)
{
    struct bench *bench = *state;
    framemap_error error = {0};
    framemap_restore_options options = {.size = sizeof options, .format = "no-such-format"};
    framemap_str text = framemap_str_of(crash);
    assert_int_equal(framemap_session_restore(bench->session, text, &options, refuse, NULL, NULL, &error),
                     FRAMEMAP_E_ARGUMENT);
    options.format = NULL;
    options.output = "no-such-format";
    assert_int_equal(framemap_session_restore(bench->session, text, &options, refuse, NULL, NULL, &error),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_session_restore(bench->session, text, NULL, refuse, NULL, NULL, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_session_restore(bench->session, text, NULL, NULL, NULL, NULL, &error),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_session_restore(NULL, text, NULL, refuse, NULL, NULL, NULL), FRAMEMAP_E_ARGUMENT);
}

/* Tests a stack overflow: a hundred thousand frames at a few positions, each of which is looked up only once. */
static void a_stack_overflow(void **state)
{
    struct bench *bench = *state;
    struct fm_heap heap;
    struct fm_buf text, out;
    framemap_error error = {0};
    framemap_restore_summary summary;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&out, &heap);
    for (unsigned i = 0; i < 20000; i++)
        fm_buf_printf(&text, "#%02u pc 0000000000010%03x  /data/libapp.so (BuildId: " ID ")\n", i, 0x100 + (i % 4) * 4);
    must_ok(framemap_session_restore(bench->session, fm_buf_view(&text), NULL, gather, &out, &summary, &error), &error);
    assert_int_equal(summary.restored, 20000);
    fm_buf_free(&text);
    fm_buf_free(&out);
}

/* Restored frames are in the memory of the list of traces, so they stay valid after the session and its indexes are
 * closed. */
static void a_list_outlives_its_session(void **state)
{
    struct bench *bench = *state;
    const char *path = bench->folder.path;
    framemap_error error = {0};
    framemap_session *session = NULL;
    const framemap_session_options options = {
        .size = sizeof options, .symbol_paths = &path, .symbol_path_count = 1, .cache_path = "", .max_index_bytes = 1};
    framemap_trace_list list = parse("#00 pc 0000000000010124  /data/libapp.so (BuildId: " ID ")\n");
    must_ok(framemap_session_open(&options, &session, &error), &error);
    must_ok(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_NONE, NULL, &error), &error);
    framemap_session_close(session);
    const framemap_frame *frame = &list.traces[0].frames[0];
    assert_int_equal(frame->restored.count, 2);
    assert_str(frame->restored.frames[0].function, "_Z5inneri");
    assert_str(frame->restored.frames[1].function, "_Z5outerv");
    assert_str(frame->restored.frames[1].file, "src/libapp.so.c");
    framemap_trace_list_free(&list);
}

/* Restores a text with an allocator that may fail. bench->whole: the output without failures; empty before the first
 * call without failures. */
static bool restore_all(const framemap_allocator *allocator, void *context)
{
    struct bench *bench = context;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_session *session = open_on(bench->folder.path, NULL, allocator);
    if (session == NULL) return false;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    const framemap_restore_options options = {.size = sizeof options, .demangle = FRAMEMAP_DEMANGLE_NONE};
    framemap_status status =
        framemap_session_restore(session, framemap_str_of(crash), &options, gather, &out, NULL, &error);
    if (status != FRAMEMAP_OK)
        assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    else if (bench->whole[0] == 0)
        snprintf(bench->whole, sizeof bench->whole, "%.*s", (int)out.size, out.data);
    else
        assert_str(fm_buf_view(&out), bench->whole);
    fm_buf_free(&out);
    framemap_session_close(session);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state)
{
    struct bench *bench = *state;
    assert_true(restore_all(NULL, bench));
    assert_non_null(strstr(bench->whole, "_Z3runv"));
    sweep_keeping_allocations(restore_all, bench);
}

/* --- testing a text that is restored again because a file was changed --- */

/* Changes a file at the next request for memory once `armed` is set. */
struct changer {
    const char *path;
    bool armed;
};

static void *changing_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct changer *changer = context;
    (void)old_size;
    if (changer->armed && new_size > 0) {
        changer->armed = false;
        FILE *file = fopen(changer->path, "ab");
        assert_non_null(file);
        assert_int_equal(fputc('x', file), 'x');
        fclose(file);
    }
    if (new_size > 0) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

/* Writes a mapping whose index is so large that the file is mapped into memory and not read. */
static void put_big_mapping(const struct folder *folder, const char *name)
{
    struct fm_heap heap;
    struct fm_buf text;
    framemap_bytes bytes = {0};
    framemap_error error = {0};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    for (unsigned i = 0; i < 40000; i++)
        fm_buf_printf(&text, "com.example.Longer%u -> p.c%u:\n    1:9:void work%u(int):%u:%u -> m\n", i, i, i, i + 1,
                      i + 9);
    must_ok(framemap_index_build(fm_buf_view(&text), FM_STR("mapping.txt"), NULL, &bytes, &error), &error);
    assert_true(bytes.size > (size_t)512 << 10);
    put_file(folder, name, framemap_bytes_str(&bytes));
    framemap_bytes_free(&bytes);
    fm_buf_free(&text);
}

static void missing_images_are_counted_once(void **state)
{
    (void)state;
    static const char text[] = "java.lang.Error: x\n\tat p.c7.m(SourceFile:3)\n\n#00 pc 0000000000010104  "
                               "/data/libother.so (BuildId: " OTHER_ID ")\n";
    struct folder folder;
    struct changer changer = {NULL, false};
    const framemap_allocator allocator = {changing_resize, &changer};
    struct fm_heap heap;
    struct fm_buf out, longer;
    framemap_error error = {0};
    folder_make(&folder);
    put_big_mapping(&folder, "app.fmx");
    changer.path = in_folder(&folder, "app.fmx");
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    fm_buf_init(&longer, &heap);
    framemap_session *session = open_on(folder.path, NULL, &allocator);
    for (int round = 0; round < 2; round++) {
        fm_buf_clear(&out);
        changer.armed = round == 1;
        fm_buf_clear(&longer);
        fm_buf_str(&longer, FM_STR(text));
        /* the text of round 1 is longer, so that memory must be requested while it is restored */
        for (int i = 0; i < round * 3000; i++)
            fm_buf_printf(&longer, "%s\tat a.b.c%d(D.java:1)\n", i ? "" : "E: x\n", i);
        must_ok(framemap_session_restore(session, fm_buf_view(&longer), NULL, gather, &out, NULL, &error), &error);
        assert_false(changer.armed);
        assert_int_equal(fm_str_find(fm_buf_view(&out), FM_STR("work7")) != FM_NOT_FOUND,
                         /* in round 1, the text is restored again without the mapping, because the file was changed */
                         round == 0);
    }
    fm_buf_clear(&out);
    framemap_session_missing(session, count_missing, &out);
    if (fm_str_find(fm_buf_view(&out), FM_STR("libother.so " OTHER_ID "  2 ")) == FM_NOT_FOUND)
        fail_msg("%.*s", (int)out.size, out.data);
    framemap_session_close(session);
    fm_buf_free(&longer);
    fm_buf_free(&out);
    remove_tree(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_status),
        cmocka_unit_test(a_crash_report),
        cmocka_unit_test(names_the_other_build),
        cmocka_unit_test(signed_addresses),
        cmocka_unit_test(text_without_stacks),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(a_stack_overflow),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(a_list_outlives_its_session),
        cmocka_unit_test(missing_images_are_counted_once),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
