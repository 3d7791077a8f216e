/* Tests the memory limits of sessions, retracers, decoders and scratches. The memory that they allocate must stay below
 * the limit, and no part of a text may be lost. */
#include "core/text/buffer.h"
#include "tests/session/session_help.h"

#include "tests/mappers/native/image/image_build.h"

#include <zstd.h>

enum { FUNCTIONS = 8000, CLASSES = 3000, GENERATED_LINES = 20000, TRACES = 60 };
/* where pointers have 32 bits, indexes need less memory, so more of them are used */
enum { IMAGES = sizeof(void *) < 8 ? 18 : 14 };
#define KB ((uint64_t)1 << 10)
#define MB ((uint64_t)1 << 20)

/* --- recording the greatest amount of memory with an allocator --- */

struct counted {
    atomic_uint_least64_t live, peak;
};

static void *counted_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct counted *counted = context;
    if (ptr == NULL) old_size = 0;
    if (new_size == 0) {
        free(ptr);
        atomic_fetch_sub(&counted->live, old_size);
        return NULL;
    }
    void *result = realloc(ptr, new_size);
    const uint64_t live = atomic_fetch_add(&counted->live, new_size - (uint64_t)old_size) + new_size - old_size;
    uint64_t peak = atomic_load(&counted->peak);
    while (live > peak && !atomic_compare_exchange_weak(&counted->peak, &peak, live)) continue;
    assert_non_null(result);
    return result;
}

/* --- files --- */

/* Writes an ELF file with functions of 16 bytes. Function i of image k has the name fK_I and the address 0x1000 + 16 *
 * i. The build id of image k is 20 bytes with the value k + 1. */
static void put_elf(struct fm_buf *out, unsigned image, uint32_t functions)
{
    enum { SECTIONS = 5, HEAD = 64, SYMBOL = 24, ROW = 64 };
    static const char names[] = "\0.text\0.symtab\0.strtab\0.note.gnu.build-id";
    struct {
        uint32_t name_size, size, type;
        char name[4];
        unsigned char id[20];
    } note = {4, 20, 3, "GNU", {0}};
    const uint16_t one = 1; /* this number shows the byte order of this machine */
    unsigned char first;
    memcpy(&first, &one, 1);
    struct fm_buf strings, symbols;
    char name[32];
    fm_buf_init(&strings, out->heap);
    fm_buf_init(&symbols, out->heap);
    fm_buf_byte(&strings, 0);
    fm_buf_add(&symbols, (char[SYMBOL]){0}, SYMBOL);
    memset(note.id, (int)image + 1, sizeof note.id);
    for (uint32_t i = 0; i < functions; i++) {
        struct {
            uint32_t name;
            unsigned char info, other;
            uint16_t section;
            uint64_t value, size;
        } symbol = {(uint32_t)strings.size, 0x12, 0, 1, 0x1000 + 16 * (uint64_t)i, 16};
        snprintf(name, sizeof name, "f%u_%u", image, i);
        fm_buf_add(&strings, name, strlen(name) + 1);
        fm_buf_add(&symbols, &symbol, sizeof symbol);
    }
    const uint64_t at_symbols = HEAD, at_strings = at_symbols + symbols.size, at_names = at_strings + strings.size,
                   at_note = at_names + 48, table = (at_note + sizeof note + 7) / 8 * 8;
    const struct {
        uint32_t name, type;
        uint64_t flags, address, offset, size;
        uint32_t link, info;
        uint64_t align, entry;
    } rows[SECTIONS + 1] = {{0},
                            {1, S_NOBITS, F_ALLOC | F_EXEC, 0x1000, HEAD, 16 * (uint64_t)functions, 0, 0, 16, 0},
                            {7, S_SYMTAB, 0, 0, at_symbols, symbols.size, 3, 1, 8, SYMBOL},
                            {15, S_STRTAB, 0, 0, at_strings, strings.size, 0, 0, 1, 0},
                            {15, S_STRTAB, 0, 0, at_names, sizeof names, 0, 0, 1, 0},
                            {23, S_NOTE, F_ALLOC, 0x200, at_note, sizeof note, 0, 0, 4, 0}};
    const struct {
        unsigned char mark[16];
        uint16_t type, machine;
        uint32_t version;
        uint64_t entry, segments, sections;
        uint32_t flags;
        uint16_t size, segment_size, segment_count, section_size, section_count, names;
    } head = {{0x7f, 'E', 'L', 'F', 2, first ? 1 : 2, 1},
              E_DYN,
              M_X86_64,
              1,
              0,
              0,
              table,
              0,
              HEAD,
              56,
              0,
              ROW,
              SECTIONS + 1,
              4};
    fm_buf_add(out, &head, sizeof head);
    fm_buf_str(out, fm_buf_view(&symbols));
    fm_buf_str(out, fm_buf_view(&strings));
    fm_buf_add(out, names, sizeof names);
    while (out->size < at_note) fm_buf_byte(out, 0);
    fm_buf_add(out, &note, sizeof note);
    while (out->size < table) fm_buf_byte(out, 0);
    fm_buf_add(out, rows, sizeof rows);
    assert_false(out->failed);
    fm_buf_free(&strings);
    fm_buf_free(&symbols);
}

static void put_mapping(struct fm_buf *out, unsigned classes)
{
    for (unsigned i = 0; i < classes; i++)
        fm_buf_printf(out,
                      "com.example.of.some.length.Class%u -> a.c%u:\n    1:9:void method%u():%u:%u -> a\n    10:20:int "
                      "other%u(int):7 -> b\n",
                      i, i, i, 10 + i, 18 + i, i);
    assert_false(out->failed);
}

static void put_source_map(struct fm_buf *out)
{
    fm_buf_str(
        out,
        FM_STR("{\"version\":3,\"file\":\"big.js\",\"sources\":[\"src/big.ts\"],\"names\":[],\"mappings\":\"AAAA"));
    for (unsigned i = 1; i < GENERATED_LINES; i++) fm_buf_str(out, FM_STR(";AACA,CAAC,IAAI"));
    fm_buf_str(out, FM_STR("\"}"));
    assert_false(out->failed);
}

struct bench {
    struct folder folder;
    struct fm_heap heap;
    struct fm_buf text, whole; /* text: the input; whole: the text that is restored without a limit */
    /* a limit that is too low for all indexes together, but high enough for each file alone */
    uint64_t below;
};

static void put_text(struct fm_buf *out, unsigned traces)
{
    for (unsigned t = 0; t < traces; t++) {
        fm_buf_printf(out, "11-21 10:00:%02u.000 other text\nbacktrace:\n", t);
        for (unsigned i = 0; i < 2 * IMAGES; i++) {
            fm_buf_printf(out, "      #%02u pc %016x  /lib/lib%u.so (BuildId: ", i,
                          0x1000 + 16 * ((t * 131 + i) % FUNCTIONS) + 4, i % IMAGES);
            for (unsigned j = 0; j < 20; j++) fm_buf_printf(out, "%02x", i % IMAGES + 1);
            fm_buf_str(out, FM_STR(")\n"));
        }
        fm_buf_printf(out, "\njava.lang.Error: no\n\tat a.c%u.a(SourceFile:3)\n\tat a.c%u.b(SourceFile:12)\n\n",
                      t % CLASSES, (t + 7) % CLASSES);
        fm_buf_printf(out,
                      "Error: of a script\n    at f (https://x.y/big.js:%u:1)\n    at g (https://x.y/big.js:%u:2)\n\n",
                      t + 2, t * 10 + 2);
    }
    assert_false(out->failed);
}

static void restore_in(struct bench *bench, uint64_t max_memory, unsigned threads, const char *output,
                       struct counted *counted, struct warnings *warnings, framemap_restore_summary *summary,
                       struct fm_buf *out)
{
    const framemap_allocator allocator = {counted_resize, counted};
    const char *path = bench->folder.path;
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = &allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .threads = threads,
                                              .warning = keep_warning,
                                              .context = warnings,
                                              .max_memory = max_memory};
    const framemap_restore_options how = {.size = sizeof how, .output = output};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    must_ok(framemap_session_restore(session, fm_buf_view(&bench->text), &how, gather, out, summary, &error), &error);
    framemap_session_close(session);
    assert_int_equal(counted->live, 0);
}

static int set_up(void **state)
{
    static struct bench bench;
    struct fm_buf file;
    char name[32];
    folder_make(&bench.folder);
    fm_heap_init(&bench.heap, NULL, 0);
    fm_buf_init(&bench.text, &bench.heap);
    fm_buf_init(&bench.whole, &bench.heap);
    fm_buf_init(&file, &bench.heap);
    for (unsigned i = 0; i < IMAGES; i++) {
        fm_buf_clear(&file);
        put_elf(&file, i, FUNCTIONS);
        snprintf(name, sizeof name, "lib%u.so", i);
        put_file(&bench.folder, name, fm_buf_view(&file));
    }
    fm_buf_clear(&file);
    put_mapping(&file, CLASSES);
    put_file(&bench.folder, "mapping.txt", fm_buf_view(&file));
    fm_buf_clear(&file);
    put_source_map(&file);
    put_file(&bench.folder, "big.js.map", fm_buf_view(&file));
    fm_buf_free(&file);
    put_text(&bench.text, TRACES);
    *state = &bench;
    struct counted counted = {0};
    struct warnings warnings = {.count = 0};
    framemap_restore_summary summary;
    restore_in(&bench, 0, 1, "text", &counted, &warnings, &summary, &bench.whole);
    if (summary.unmapped != 0 || summary.frames != TRACES * (2 * IMAGES + 4) || warnings.count != 0)
        fail_msg("the files of the test are not good");
    if (counted.peak < 4 * MB) fail_msg("the files of the test are too small: %llu", (unsigned long long)counted.peak);
    bench.below = counted.peak - counted.peak / 24;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    remove_tree(bench->folder.path);
    fm_buf_free(&bench->text);
    fm_buf_free(&bench->whole);
    return 0;
}

static bool take_line(framemap_str *text, framemap_str *line)
{
    if (text->size == 0) return false;
    const size_t end = fm_str_find_byte(*text, '\n');
    *line = fm_str_slice(*text, 0, end == FM_NOT_FOUND ? text->size : end + 1);
    *text = fm_str_from(*text, line->size);
    return true;
}

/* Checks that each line of the output equals the line of the input, or the line that is restored without a limit.
 * Returns the number of restored lines. */
static size_t check_whole(const struct bench *bench, framemap_str got, uint64_t max_memory)
{
    framemap_str text = fm_buf_view(&bench->text), whole = fm_buf_view(&bench->whole), line = {NULL, 0}, given,
                 restored = line;
    size_t count = 0;
    while (take_line(&text, &given)) {
        if (!take_line(&whole, &restored) || !take_line(&got, &line))
            fail_msg("%llu: a line is lost", (unsigned long long)max_memory);
        if (!fm_str_equal(line, given) && !fm_str_equal(line, restored))
            fail_msg("%llu: got %.*s for %.*s", (unsigned long long)max_memory, (int)line.size, line.data,
                     (int)given.size, given.data);
        count += !fm_str_equal(line, given);
    }
    assert_int_equal(got.size, 0);
    return count;
}

static void stays_below(void **state)
{
    static const uint64_t ceilings[] = {1,        4 * KB,    20 * KB, 64 * KB, 200 * KB, 400 * KB,
                                        800 * KB, 1536 * KB, 2 * MB,  3 * MB,  4 * MB,   6 * MB,
                                        8 * MB,   12 * MB,   16 * MB, 32 * MB, 64 * MB};
    struct bench *bench = *state;
    bool some = false, all = false;
    for (size_t i = TEST_STEP - 1; i < COUNT_OF(ceilings); i += TEST_STEP > 1 ? 2 : 1) {
        for (unsigned threads = 1; threads <= (i % 3 ? 1 : 2); threads++) {
            struct counted counted = {0};
            struct warnings warnings = {.count = 0};
            framemap_restore_summary summary = {0};
            struct fm_buf out;
            fm_buf_init(&out, &bench->heap);
            restore_in(bench, ceilings[i], threads, "text", &counted, &warnings, &summary, &out);
            /* the limit must be large enough for the session itself, which is counted, too */
            const uint64_t most = ceilings[i] > 8 * KB ? ceilings[i] : 8 * KB;
            if (counted.peak > most)
                fail_msg("%llu bytes were taken, %llu are allowed", (unsigned long long)counted.peak,
                         (unsigned long long)ceilings[i]);
            const size_t restored = check_whole(bench, fm_buf_view(&out), ceilings[i]);
            if (restored < summary.frames || summary.frames < TRACES * (2 * IMAGES + 4))
                assert_true(warnings.count > 0 || summary.unmapped > 0);
            some = some || (restored > 0 && restored < TRACES * (2 * IMAGES + 4));
            all = fm_str_equal(fm_buf_view(&out), fm_buf_view(&bench->whole));
            fm_buf_free(&out);
        }
    }
    assert_true(some);
    assert_true(all);
}

/* Even if the memory is hardly enough for the parser, the end of the output is written. */
static void has_an_end(void **state)
{
    struct bench *bench = *state;
    for (uint64_t ceiling = 120 * KB; ceiling <= 240 * KB; ceiling += 16 * KB) {
        for (unsigned json = 0; json <= 1; json++) {
            struct counted counted = {0};
            struct warnings warnings = {.count = 0};
            framemap_restore_summary summary = {0};
            struct fm_buf out;
            fm_buf_init(&out, &bench->heap);
            restore_in(bench, ceiling, 1, json ? "json" : "text", &counted, &warnings, &summary, &out);
            if (json && out.size == 0) /* the memory was not enough even for the parser */
                assert_non_null(strstr(warnings.last.message, "over-memory: nothing is restored"));
            else if (json)
                assert_true(fm_str_find(fm_buf_view(&out), FM_STR("\n{\"t\":\"end\",")) != FM_NOT_FOUND);
            else
                (void)check_whole(bench, fm_buf_view(&out), ceiling);
            fm_buf_free(&out);
        }
    }
}

/* Checks a list of thousands of missing images: it uses a part of the memory, and the rest is enough to print it. */
static void lists_what_is_missing(void **state)
{
    static const char *const outputs[] = {"json", "json-document"};
    struct bench *bench = *state;
    struct fm_buf text, out;
    fm_buf_init(&text, &bench->heap);
    fm_buf_init(&out, &bench->heap);
    for (unsigned i = 0; i < 5000; i++)
        fm_buf_printf(&text, "      #%02u pc %016x  /data/app/lib%u.so (BuildId: %040x)\n", i % 100, i * 16, i, i);
    assert_false(text.failed);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        for (uint64_t ceiling = 1 * MB; ceiling <= 8 * MB; ceiling *= 2) {
            struct counted counted = {0};
            const framemap_allocator allocator = {counted_resize, &counted};
            const framemap_session_options options = {
                .size = sizeof options, .allocator = &allocator, .cache_path = "", .max_memory = ceiling};
            const framemap_restore_options how = {.size = sizeof how, .output = outputs[i]};
            framemap_session *session = NULL;
            framemap_error error = {0};
            fm_buf_clear(&out);
            must_ok(framemap_session_open(&options, &session, &error), &error);
            must_ok(framemap_session_restore(session, fm_buf_view(&text), &how, gather, &out, NULL, &error), &error);
            framemap_session_close(session);
            assert_true(fm_str_find(fm_buf_view(&out), FM_STR("\n{\"t\":\"end\",")) != FM_NOT_FOUND ||
                        fm_str_find(fm_buf_view(&out), FM_STR(",{\"t\":\"end\",")) != FM_NOT_FOUND);
            assert_true(counted.peak <= ceiling);
        }
    }
    fm_buf_free(&out);
    fm_buf_free(&text);
}

/* Each index fits below the limit alone, but all together do not: indexes are released to make room for others. */
static void not_together(void **state)
{
    struct bench *bench = *state;
    for (uint64_t ceiling = bench->below; ceiling <= 7 * MB; ceiling += MB / 2) {
        struct counted counted = {0};
        struct warnings warnings = {.count = 0};
        framemap_restore_summary summary = {0};
        struct fm_buf out;
        fm_buf_init(&out, &bench->heap);
        restore_in(bench, ceiling, 1, "text", &counted, &warnings, &summary, &out);
        if (!fm_str_equal(fm_buf_view(&out), fm_buf_view(&bench->whole)))
            fail_msg("%llu: %u of %u frames are restored, %u warnings: %s", (unsigned long long)ceiling,
                     (unsigned)summary.restored, (unsigned)summary.frames, warnings.count, warnings.last.message);
        assert_int_equal(warnings.count, 0);
        fm_buf_free(&out);
    }
}

/* If a file does not fit below the limit, only its own frames are not restored. They get a reason. */
static void big_one(void **state)
{
    enum { FEW = 6 }; /* traces, since all indexes are built again for each of them */
    struct bench *bench = *state, few = *bench;
    struct counted counted = {0};
    struct warnings warnings = {.count = 0};
    framemap_restore_summary summary = {0};
    struct fm_buf out, file;
    fm_buf_init(&out, &bench->heap);
    fm_buf_init(&file, &bench->heap);
    fm_buf_init(&few.text, &bench->heap);
    put_text(&few.text, FEW);
    /* it is repeated 40 times, so that the mapping does not fit */
    for (unsigned i = 0; i < 40; i++) put_mapping(&file, CLASSES);
    put_file(&bench->folder, "mapping.txt", fm_buf_view(&file));
    restore_in(&few, bench->below, 1, "json", &counted, &warnings, &summary, &out);
    assert_true(counted.peak <= bench->below);
    assert_int_equal(summary.frames, FEW * (2 * IMAGES + 4));
    assert_int_equal(summary.restored, FEW * (2 * IMAGES + 2));
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("\"reason\":\"over-memory: ")) != FM_NOT_FOUND);
    assert_true(warnings.count > 0);
    assert_true(fm_str_starts(framemap_str_of(warnings.last.message), FM_STR("over-memory: ")));
    fm_buf_clear(&file);
    put_mapping(&file, CLASSES);
    put_file(&bench->folder, "mapping.txt", fm_buf_view(&file));
    fm_buf_free(&out);
    fm_buf_free(&file);
    fm_buf_free(&few.text);
}

/* A session is used again after a text that needed all memory. Indexes that were released are loaded again for a short
 * text, and the cache does not use all memory up to the limit. */
static void goes_on(void **state)
{
    struct bench *bench = *state;
    struct counted counted = {0};
    const framemap_allocator allocator = {counted_resize, &counted};
    struct fm_buf out;
    char line[160];
    const char *path = bench->folder.path;
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = &allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .max_index_bytes = UINT64_C(1) << 40,
                                              .max_memory = 5 * MB};
    fm_buf_init(&out, &bench->heap);
    must_ok(framemap_session_open(&options, &session, &error), &error);
    for (unsigned i = 0; i < 5 * IMAGES; i++) {
        framemap_restore_summary summary = {0};
        snprintf(line, sizeof line, "    #00 pc 0000000000001004  /lib/lib%u.so\n", i % IMAGES);
        must_ok(framemap_session_restore(session, framemap_str_of(line), NULL, gather, &out, &summary, &error), &error);
        assert_int_equal(summary.restored, 1);
    }
    assert_true(counted.peak <= 5 * MB);
    framemap_image_query want = {.name = FM_STR("lib0.so")};
    const framemap_index *index = NULL;
    must_ok(framemap_session_index(session, &want, &index, &error), &error);
    framemap_session_release(session, index);
    framemap_session_close(session);
    const framemap_session_options tight = {
        .size = sizeof tight, .symbol_paths = &path, .symbol_path_count = 1, .cache_path = "", .max_memory = 300 * KB};
    must_ok(framemap_session_open(&tight, &session, &error), &error);
    assert_int_equal(framemap_session_index(session, &want, &index, &error), FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory: needs more than --max-memory 300K"));
    framemap_session_close(session);
    fm_buf_free(&out);
}

/* --- testing compressed debug info whose stated size is wrong --- */

static void bomb(void **state)
{
    enum { INFLATED = 60 << 20 };
    static struct file file, packed;
    static const uint64_t ceilings[] = {16 * MB, 0};
    struct bench own = {.folder = {""}};
    char *zeros = calloc(1, INFLATED);
    (void)state;
    assert_non_null(zeros);
    packed = (struct file){.is64 = true};
    put(&packed, 4, 2), put(&packed, 4, 0), put(&packed, 8, INFLATED), put(&packed, 8, 1);
    const size_t size = ZSTD_compress(packed.data + packed.size, sizeof packed.data - packed.size, zeros, INFLATED, 3);
    assert_false(ZSTD_isError(size));
    packed.size += size;
    free(zeros);
    const struct elf_section sections[] = {
        {".debug_info", S_PROGBITS, F_COMPRESSED, 0, packed.data, packed.size, 0, 0, 1},
        {".debug_abbrev", S_PROGBITS, F_COMPRESSED, 0, packed.data, packed.size, 0, 0, 1},
        {".debug_line", S_PROGBITS, F_COMPRESSED, 0, packed.data, packed.size, 0, 0, 1},
        {".debug_str", S_PROGBITS, F_COMPRESSED, 0, packed.data, packed.size, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = COUNT_OF(sections)};
    elf_build(&file, &spec);
    folder_make(&own.folder);
    fm_heap_init(&own.heap, NULL, 0);
    fm_buf_init(&own.text, &own.heap);
    put_file(&own.folder, "libbomb.so", file_view(&file));
    fm_buf_str(&own.text, FM_STR("backtrace:\n    #00 pc 0000000000001004  /lib/libbomb.so\nand so on\n"));
    for (size_t i = 0; i < COUNT_OF(ceilings); i++) {
        struct counted counted = {0};
        struct warnings warnings = {.count = 0};
        framemap_restore_summary summary = {0};
        struct fm_buf out;
        fm_buf_init(&out, &own.heap);
        restore_in(&own, ceilings[i], 1, "text", &counted, &warnings, &summary, &out);
        assert_true(fm_str_equal(fm_buf_view(&out), fm_buf_view(&own.text)));
        /* without a limit, 60 MB are decompressed, although the file states a size four times as large */
        assert_true(counted.peak <= (ceilings[i] ? ceilings[i] : 66 * MB));
        assert_true(warnings.count > 0);
        fm_buf_free(&out);
    }
    fm_buf_free(&own.text);
    remove_tree(own.folder.path);
}

/* --- testing retracers, decoders and scratches --- */

static framemap_index *open_built(framemap_str bytes, const char *mapper, framemap_bytes *built)
{
    framemap_index *index = NULL;
    framemap_error error = {0};
    const framemap_build_options options = {.size = sizeof options, .mapper = mapper};
    must_ok(framemap_index_build(bytes, FM_STR("a"), &options, built, &error), &error);
    must_ok(framemap_index_open(framemap_bytes_str(built), NULL, &index, &error), &error);
    return index;
}

/* Tests a mapping in which thousands of methods have the same obfuscated name, so that a frame has thousands of
 * alternatives. */
static void retracer(void **state)
{
    enum { METHODS = 20000 };
    struct bench *bench = *state;
    static const char text[] = "java.lang.Error\n\tat a.a.a(SourceFile)\n\tat b.b.b(SourceFile:1)\nend\n";
    struct fm_buf mapping, out;
    framemap_bytes built = {0};
    framemap_error error = {0};
    fm_buf_init(&mapping, &bench->heap);
    fm_buf_init(&out, &bench->heap);
    fm_buf_str(&mapping, FM_STR("some.Thing -> a.a:\n"));
    for (unsigned i = 1; i < METHODS; i++) fm_buf_printf(&mapping, "    void with_a_long_name_%u() -> a\n", i);
    fm_buf_str(&mapping, FM_STR("some.Other -> b.b:\n    1:1:void short():5:5 -> b\n"));
    framemap_index *index = open_built(fm_buf_view(&mapping), "r8", &built);
    for (uint64_t ceiling = 256 * KB; ceiling <= 64 * MB; ceiling *= 4) {
        struct counted counted = {0};
        struct warnings warnings = {.count = 0};
        const framemap_allocator allocator = {counted_resize, &counted};
        framemap_retracer *retracer = NULL;
        const framemap_retrace_options options = {.size = sizeof options,
                                                  .allocator = &allocator,
                                                  .warning = keep_warning,
                                                  .context = &warnings,
                                                  .max_memory = ceiling};
        fm_buf_clear(&out);
        must_ok(framemap_retracer_create(index, &options, &retracer, &error), &error);
        must_ok(framemap_retracer_text(retracer, framemap_str_of(text), gather, &out, &error), &error);
        framemap_retracer_free(retracer);
        assert_true(counted.peak <= ceiling);
        assert_int_equal(counted.live, 0);
        assert_true(fm_str_starts(fm_buf_view(&out), FM_STR("java.lang.Error\n\tat ")));
        assert_true(fm_str_ends(fm_buf_view(&out), FM_STR("\n\tat some.Other.short(Other.java:5)\nend\n")));
        const bool whole = fm_str_find(fm_buf_view(&out), FM_STR("with_a_long_name_19999")) != FM_NOT_FOUND;
        const bool passed =
            fm_str_starts(fm_buf_view(&out), FM_STR("java.lang.Error\n\tat a.a.a(SourceFile)\n\tat some.Other"));
        if (whole == passed || warnings.count != (passed ? 1u : 0u))
            fail_msg("%llu: %.*s", (unsigned long long)ceiling, 80, out.data);
        assert_true(ceiling > 256 * KB || passed);
        assert_true(ceiling < 64 * MB || whole);
        if (passed) assert_non_null(strstr(warnings.last.message, "over-memory"));
        if (passed) assert_int_equal(warnings.last.line, 2);
    }
    const framemap_retrace_options none = {.size = sizeof none, .max_memory = 100};
    framemap_retracer *refused = NULL;
    assert_int_equal(framemap_retracer_create(index, &none, &refused, &error), FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory"));
    framemap_index_close(index);
    framemap_bytes_free(&built);
    fm_buf_free(&mapping);
    fm_buf_free(&out);
}

static void scratch(void **state)
{
    struct bench *bench = *state;
    struct fm_buf mapping;
    framemap_bytes built = {0};
    framemap_scratch *scratch = NULL;
    framemap_frame frame;
    framemap_error error = {0};
    fm_buf_init(&mapping, &bench->heap);
    fm_buf_str(&mapping, FM_STR("some.Thing -> a.a:\n"));
    for (unsigned i = 1; i < 4000; i++)
        fm_buf_printf(&mapping, "    %u:%u:void with_a_long_name_%u():%u:%u -> a\n", i, i, i, i, i);
    framemap_index *index = open_built(fm_buf_view(&mapping), "r8", &built);
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.scope = FM_STR("a.a.a");
    query.no_position = true;
    must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
    must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
    framemap_scratch_limit(scratch, 100 * KB);
    assert_int_equal(framemap_resolve(index, &query, scratch, &frame, &error), FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory: needs more than --max-memory 100K"));
    query.no_position = false;
    query.position = 7;
    must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
    framemap_scratch_limit(scratch, 0);
    query.no_position = true;
    must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
    framemap_scratch_limit(NULL, 1);
    framemap_scratch_free(scratch);
    framemap_index_close(index);
    framemap_bytes_free(&built);
    fm_buf_free(&mapping);
}

static const framemap_index *no_unit(void *context, uint64_t unit, framemap_str build_id, framemap_str arch)
{
    (void)context, (void)unit, (void)build_id, (void)arch;
    return NULL;
}

/* Tests a line of a megabyte, which does not fit into the decoder's output buffer. */
static void decoder(void **state)
{
    struct bench *bench = *state;
    struct counted counted = {0};
    struct warnings warnings = {.count = 0};
    const framemap_allocator allocator = {counted_resize, &counted};
    framemap_dart_decoder *decoder = NULL;
    framemap_error error = {0};
    struct fm_buf text, want, out;
    framemap_bytes built = {0};
    framemap_index *names = open_built(FM_STR("[\"MaterialApp\",\"ex\",\"Scaffold\",\"ey\"]"), "dart-names", &built);
    framemap_dart_options options = {.size = sizeof options,
                                     .allocator = &allocator,
                                     .names = names,
                                     .find_unit = no_unit,
                                     .warning = keep_warning,
                                     .context = &warnings,
                                     .max_memory = 300 * KB};
    fm_buf_init(&text, &bench->heap);
    fm_buf_init(&want, &bench->heap);
    fm_buf_init(&out, &bench->heap);
    for (unsigned i = 0; i < 2; i++) {
        struct fm_buf *to = i ? &want : &text;
        fm_buf_printf(to, "Unhandled exception:\nInstance of '%s'\n", i ? "MaterialApp" : "ex");
        for (unsigned j = 0; j < 200000; j++) fm_buf_str(to, FM_STR("text "));
        fm_buf_printf(to, "\nUnhandled exception:\nInstance of '%s'\n", i ? "Scaffold" : "ey");
    }
    must_ok(framemap_dart_decoder_create(NULL, &options, &decoder, &error), &error);
    must_ok(framemap_dart_decoder_text(decoder, fm_buf_view(&text), gather, &out, &error), &error);
    framemap_dart_decoder_free(decoder);
    assert_true(fm_str_equal(fm_buf_view(&out), fm_buf_view(&want)));
    assert_true(counted.peak <= 300 * KB);
    assert_int_equal(counted.live, 0);
    assert_int_equal(warnings.count, 1);
    assert_non_null(strstr(warnings.last.message, "over-memory"));
    assert_int_equal(warnings.last.line, 3);
    options.max_memory = 100;
    assert_int_equal(framemap_dart_decoder_create(NULL, &options, &decoder, &error), FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory"));
    fm_buf_free(&text);
    fm_buf_free(&want);
    fm_buf_free(&out);
    framemap_index_close(names);
    framemap_bytes_free(&built);
}

/* --- testing an allocator that fails --- */

/* Restores a text with native and Java stacks while one allocation fails. No message may give the memory limit as the
 * reason. Returns whether all allocations succeeded. */
static bool refused_once(const char *folder, framemap_str text, uint64_t max_memory, const char *output, size_t fail_at)
{
    struct failing failing = {.fail_at = fail_at};
    const framemap_allocator allocator = failing_allocator(&failing);
    struct warnings warnings = {.count = 0};
    struct fm_buf out;
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = &allocator,
                                              .symbol_paths = &folder,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .max_memory = max_memory,
                                              .threads = 1,
                                              .warning = keep_warning,
                                              .context = &warnings};
    const framemap_restore_options restore = {.size = sizeof restore, .output = output};
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    framemap_status status = framemap_session_open(&options, &session, &error);
    if (status == FRAMEMAP_OK) status = framemap_session_restore(session, text, &restore, gather, &out, NULL, &error);
    framemap_session_close(session);
    assert_int_equal(failing.blocks, 0);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    if (status == FRAMEMAP_E_MEMORY) assert_string_equal(error.message, "out of memory");
    if (strstr(warnings.last.message, "over-memory"))
        fail_msg("ceiling %llu, request %zu: %s", (unsigned long long)max_memory, fail_at, warnings.last.message);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("over-memory")) == FM_NOT_FOUND);
    fm_buf_free(&out);
    return failing.requests <= fail_at;
}

/* Writes small files, since they are read once for each allocation that fails. */
static void put_small(struct folder *folder)
{
    struct fm_heap heap;
    struct fm_buf file;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&file, &heap);
    folder_make(folder);
    put_elf(&file, 0, 200);
    put_file(folder, "lib0.so", fm_buf_view(&file));
    fm_buf_clear(&file);
    put_mapping(&file, 100);
    put_file(folder, "mapping.txt", fm_buf_view(&file));
    fm_buf_free(&file);
}

static void allocator_refuses(void **state)
{
    const struct bench *bench = *state;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    const char *path = bench->folder.path;
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = &allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .max_memory = 300 * KB,
                                              .threads = 1};
    const framemap_image_query want = {.name = FM_STR("lib0.so")};
    const framemap_index *index = NULL;
    struct fm_buf out;
    const framemap_str text =
        FM_STR("    #00 pc 0000000000001004  /lib/lib0.so\njava.lang.Error: x\n\tat a.c7.a(SourceFile:3)\n");
    struct folder small;
    put_small(&small);
    for (size_t fail_at = 0; !refused_once(small.path, text, 0, "json", fail_at); fail_at++) continue;
    for (size_t fail_at = 0; !refused_once(small.path, text, 256 * MB, NULL, fail_at); fail_at++) continue;
    remove_tree(small.path);
    /* A session whose limit has refused an allocation must be usable again. */
    fm_buf_init(&out, &((struct bench *)*state)->heap);
    must_ok(framemap_session_open(&options, &session, &error), &error);
    assert_int_equal(framemap_session_index(session, &want, &index, &error), FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory"));
    failing.fail_at = failing.requests;
    assert_int_equal(framemap_session_restore(session, text, NULL, gather, &out, NULL, &error), FRAMEMAP_E_MEMORY);
    assert_string_equal(error.message, "out of memory");
    framemap_session_close(session);
    fm_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_below),  cmocka_unit_test(has_an_end),       cmocka_unit_test(lists_what_is_missing),
        cmocka_unit_test(not_together), cmocka_unit_test(big_one),          cmocka_unit_test(goes_on),
        cmocka_unit_test(bomb),         cmocka_unit_test(retracer),         cmocka_unit_test(scratch),
        cmocka_unit_test(decoder),      cmocka_unit_test(allocator_refuses)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
