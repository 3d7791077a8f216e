/* Tests of core/archive/archive.h. The archives are made here, byte by byte; corpus/archives has whole ones. */
#include "core/archive/archive.h"
#include "core/limits.h"
#include "tests/testing.h"

struct made {
    unsigned char bytes[4096];
    size_t size;
};

static void put(struct made *made, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) made->bytes[made->size++] = (unsigned char)(i < 8 ? value >> 8 * i : 0);
}

static void put_text(struct made *made, framemap_str text)
{
    memcpy(made->bytes + made->size, text.data, text.size);
    made->size += text.size;
}

static uint32_t crc_of(framemap_str text)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < text.size; i++) {
        crc ^= (unsigned char)text.data[i];
        for (unsigned bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* The properties of one member of the test archive. `size` and `crc_flip` make its header wrong. */
struct spec {
    const char *name, *text;
    unsigned method, flags;
    uint64_t more_size;
    uint32_t crc_flip;
    bool in_zip64, again; /* again: the record refers to the stored bytes of the previous member */
};

/* Writes a member's bytes. For deflate it makes one stored block (RFC 1951, 3.2.4). */
static void put_content(struct made *made, const struct spec *spec)
{
    const framemap_str text = framemap_str_of(spec->text);
    if (spec->method == 8) {
        put(made, 1, 1);
        put(made, text.size, 2);
        put(made, ~text.size, 2);
    }
    put_text(made, text);
}

static void put_sizes(struct made *made, const struct spec *spec, bool wide)
{
    const framemap_str text = framemap_str_of(spec->text);
    const uint64_t stored = text.size + (spec->method == 8 ? 5 : 0), size = text.size + spec->more_size;
    put(made, crc_of(text) ^ spec->crc_flip, 4);
    put(made, wide ? UINT32_MAX : stored, 4);
    put(made, wide ? UINT32_MAX : size, 4);
}

static void put_row(struct made *made, const struct spec *spec, uint64_t at)
{
    const framemap_str name = framemap_str_of(spec->name), text = framemap_str_of(spec->text);
    put(made, 0x02014b50, 4);
    put(made, 0, 4);
    put(made, spec->flags, 2);
    put(made, spec->method, 2);
    put(made, 0, 4);
    put_sizes(made, spec, spec->in_zip64);
    put(made, name.size, 2);
    put(made, spec->in_zip64 ? 28 : 0, 2);
    put(made, 0, 2 + 2 + 2 + 4);
    put(made, spec->in_zip64 ? UINT32_MAX : at, 4);
    put_text(made, name);
    if (!spec->in_zip64) return;
    put(made, 1, 2);
    put(made, 24, 2);
    put(made, text.size + spec->more_size, 8);
    put(made, text.size + (spec->method == 8 ? 5 : 0), 8);
    put(made, at, 8);
}

static void put_member(struct made *made, const struct spec *spec)
{
    put(made, 0x04034b50, 4);
    put(made, 0, 4);
    put(made, spec->method, 2);
    put(made, 0, 4);
    put_sizes(made, spec, false);
    put(made, framemap_str_of(spec->name).size, 2);
    put(made, 0, 2);
    put_text(made, framemap_str_of(spec->name));
    put_content(made, spec);
}

static framemap_str make_zip(struct made *made, const struct spec *specs, size_t count)
{
    uint64_t at[8];
    *made = (struct made){.size = 0};
    for (size_t i = 0; i < count; i++) {
        const bool again = i > 0 && specs[i].again;
        at[i] = again ? at[i - 1] : made->size;
        if (!again) put_member(made, &specs[i]);
    }
    const uint64_t directory = made->size;
    for (size_t i = 0; i < count; i++) put_row(made, &specs[i], at[i]);
    const uint64_t end = made->size;
    put(made, 0x06054b50, 4);
    put(made, 0, 4);
    put(made, count, 2);
    put(made, count, 2);
    put(made, end - directory, 4);
    put(made, directory, 4);
    put(made, 0, 2);
    return fm_str(made->bytes, made->size);
}

static framemap_status read_member(framemap_str bytes, const char *name, struct fm_heap *heap, char *room, size_t size)
{
    struct fm_archive_member member;
    framemap_str text;
    framemap_error error;
    bool found = false;
    framemap_status status = fm_archive_find(bytes, framemap_str_of(name), &member, &found, &error);
    if (status != FRAMEMAP_OK) return status;
    if (!found) return FRAMEMAP_E_EMPTY;
    const bool stored = member.packing == FM_MEMBER_STORED && member.refused == NULL;
    text = member.stored;
    if (!stored) status = fm_member_inflate(&member, heap, 1 << 16, &text, &error);
    if (status != FRAMEMAP_OK) return status;
    assert_true(text.size < size);
    memcpy(room, text.data, text.size);
    room[text.size] = 0;
    if (!stored) fm_heap_free(heap, (char *)(uintptr_t)text.data, text.size);
    return FRAMEMAP_OK;
}

/* Tests that reading an archive with one member of the given form gives the expected result `wanted`. */
static void a_member_is_read_or_refused(void **state)
{
    static const struct {
        const char *why;
        struct spec spec;
        framemap_status wanted;
    } rows[] = {
        {"stored", {.name = "a", .text = "some text"}, FRAMEMAP_OK},
        {"deflated", {.name = "lib/a.so", .text = "some text", .method = 8}, FRAMEMAP_OK},
        {"sizes in zip64's field", {.name = "a", .text = "some text", .method = 8, .in_zip64 = true}, FRAMEMAP_OK},
        {"smaller than stated", {.name = "a", .text = "text", .method = 8, .more_size = 1}, FRAMEMAP_E_CORRUPT},
        {"stored, with two sizes", {.name = "a", .text = "text", .more_size = 1}, FRAMEMAP_E_CORRUPT},
        {"stated to be huge", {.name = "a", .text = "t", .method = 8, .more_size = 1 << 17}, FRAMEMAP_E_LIMIT},
        {"another checksum", {.name = "a", .text = "text", .method = 8, .crc_flip = 1}, FRAMEMAP_E_CORRUPT},
        {"encrypted", {.name = "a", .text = "text", .flags = 1}, FRAMEMAP_E_UNSUPPORTED},
        {"encrypted, with a header of 12 bytes before it", /* `zip -0 -P` of Info-ZIP writes such members */
         {.name = "a", .text = "header, text", .flags = 1, .more_size = (uint64_t)-12},
         FRAMEMAP_E_UNSUPPORTED},
        {"bzip2", {.name = "a", .text = "text", .method = 12}, FRAMEMAP_E_UNSUPPORTED},
    };
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct made made;
        char text[64] = "";
        const framemap_str bytes = make_zip(&made, &rows[i].spec, 1);
        const framemap_status status = read_member(bytes, rows[i].spec.name, &heap, text, sizeof text);
        if (status != rows[i].wanted) fail_msg("%s: status %d", rows[i].why, status);
        if (status == FRAMEMAP_OK) assert_string_equal(text, rows[i].spec.text);
        assert_int_equal(heap.used, 0);
    }
}

static void members_come_in_order(void **state)
{
    static const struct spec specs[] = {
        {.name = "first", .text = "1"}, {.name = "folder/", .text = ""}, {.name = "b", .text = "2"}};
    struct made made;
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more;
    (void)state;
    assert_int_equal(fm_archive_open(make_zip(&made, specs, 3), &archive, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(fm_archive_next(&archive, &member, &more, NULL), FRAMEMAP_OK);
        assert_true(more);
        assert_str(member.name, specs[i].name);
    }
    assert_int_equal(fm_archive_next(&archive, &member, &more, NULL), FRAMEMAP_OK);
    assert_false(more);
}

/* Checks Debian packages and Kotlin libraries: they have the form of archives, but contain no symbol files. */
static void foreign_archives_are_refused(void **state)
{
    static const struct spec klib[] = {{.name = "default/", .text = ""},
                                       {.name = "default/manifest", .text = "unique_name=geometry"},
                                       {.name = "default/linkdata/module", .text = "geometry"}};
    struct made made = {.size = 0};
    struct fm_archive archive;
    framemap_error error;
    (void)state;
    put_text(&made, FM_STR("!<arch>\ndebian-binary   0           0     0     100644  4         `\n2.0\n"));
    const framemap_str deb = fm_str(made.bytes, made.size);
    assert_int_equal(fm_archive_open(deb, &archive, &error), FRAMEMAP_E_FORMAT);
    assert_non_null(strstr(error.message, "dpkg-deb -x"));
    assert_int_equal(fm_archive_open(make_zip(&made, klib, 3), &archive, &error), FRAMEMAP_E_FORMAT);
    assert_non_null(strstr(error.message, "klib"));
    assert_int_equal(fm_archive_open(make_zip(&made, klib, 2), &archive, &error), FRAMEMAP_OK);
    assert_int_equal(fm_archive_open(make_zip(&made, klib + 1, 1), &archive, &error), FRAMEMAP_OK);
}

/* Checks records that share bytes. A zip bomb uses such records, so that a small archive inflates to a large one (D.
 * Fifield, A better zip bomb, 2019). */
static void overlapping_members_are_refused(void **state)
{
    const char *text = "a text that is longer than the two records and headers around it together, so that two members "
                       "with these bytes have more of them than the whole archive, which has each byte once, can have; "
                       "so it goes on for a while";
    const struct spec specs[] = {{.name = "a", .text = text}, {.name = "b", .text = text, .again = true}};
    struct made made;
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more;
    (void)state;
    assert_int_equal(fm_archive_open(make_zip(&made, specs, 2), &archive, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_archive_next(&archive, &member, &more, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_archive_next(&archive, &member, &more, NULL), FRAMEMAP_E_CORRUPT);
}

static void each_beginning_of_an_archive_is_refused(void **state)
{
    static const struct spec specs[] = {{.name = "a", .text = "some", .method = 8}, {.name = "b", .text = "2"}};
    struct made made;
    const framemap_str bytes = make_zip(&made, specs, 2);
    (void)state;
    for (size_t size = 0; size < bytes.size; size++) {
        struct fm_archive archive;
        /* the copy has no byte after the end, so that sanitizers detect a read past it */
        char *copy = malloc(size + 1);
        memcpy(copy, bytes.data, size);
        copy = realloc(copy, size ? size : 1);
        assert_int_not_equal(fm_archive_open(fm_str(copy, size), &archive, NULL), FRAMEMAP_OK);
        free(copy);
    }
}

/* Flips each bit of an archive, and reads every member that a walk over the damaged archive finds. */
static void flipped_bits_are_survived(void **state)
{
    static const struct spec specs[] = {{.name = "a", .text = "some", .method = 8, .in_zip64 = true},
                                        {.name = "b", .text = "2"}};
    struct made made;
    struct fm_heap heap;
    const framemap_str bytes = make_zip(&made, specs, 2);
    (void)state;
    fm_heap_init(&heap, NULL, 1 << 20);
    for (size_t bit = 0; bit < bytes.size * 8; bit++) {
        char text[4096];
        made.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        read_member(bytes, "a", &heap, text, sizeof text);
        read_member(bytes, "b", &heap, text, sizeof text);
        made.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_int_equal(heap.used, 0);
    }
}

static void failed_allocations_are_reported(void **state)
{
    static const struct spec spec = {.name = "a", .text = "some text", .method = 8};
    struct made made;
    const framemap_str bytes = make_zip(&made, &spec, 1);
    framemap_status status = FRAMEMAP_E_MEMORY;
    (void)state;
    for (size_t at = 0; status == FRAMEMAP_E_MEMORY; at++) {
        struct failing failing = {.fail_at = at};
        const framemap_allocator hook = {.resize = failing_resize, .context = &failing};
        struct fm_heap heap;
        char text[64];
        fm_heap_init(&heap, &hook, 0);
        status = read_member(bytes, "a", &heap, text, sizeof text);
        assert_true(status == FRAMEMAP_E_MEMORY || status == FRAMEMAP_OK);
        assert_int_equal(failing.blocks, 0);
        assert_true(at < 100);
    }
}

static void names_of_ar_are_read(void **state)
{
    static const struct {
        const char *why, *text, *name, *wanted;
    } rows[] = {
        {"GNU", "a.o/            0           0     0     644     4         `\ntext", "a.o", "text"},
        {"BSD, short", "a.o             0           0     0     644     4         `\ntext", "a.o", "text"},
        {"BSD, long", "#1/4            0           0     0     644     8         `\nb.o\0text", "b.o", "text"},
        {"GNU, long",
         "//              0           0     0     644     12        `\na.o/\nbcd.o/\n/5              0           0     "
         "0     "
         "644     4         `\ntext",
         "bcd.o", "text"},
        {"after a table of symbols",
         "/               0           0     0     644     3         `\nabc\na.o/            0           0     0     "
         "644    "
         " 4         `\ntext",
         "a.o", "text"},
    };
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct made made = {.size = 0};
        char text[64];
        const bool nul = i == 2;
        put_text(&made, FM_STR("!<arch>\n"));
        put_text(&made, nul ? fm_str(rows[i].text, 68) : framemap_str_of(rows[i].text));
        const framemap_status status =
            read_member(fm_str(made.bytes, made.size), rows[i].name, &heap, text, sizeof text);
        if (status != FRAMEMAP_OK) fail_msg("%s: status %d", rows[i].why, status);
        assert_string_equal(text, rows[i].wanted);
    }
}

/* `ar rcT outer.a inner.a b.o`, where inner.a is not thin, makes a thin archive with a row for each file of inner.a and
 * one for b.o. */
static void a_thin_archive_names_files_in_archives(void **state)
{
    static const char *const names[] = {"inner.a", "inner.a", "b.o"};
    const framemap_str bytes = FM_STR("!<thin>\n"
                                      "//                                              14        `\n"
                                      "inner.a/\nb.o/\n"
                                      "/0:82           0           0     0     644     4         `\n"
                                      "/0:146          0           0     0     644     4         `\n"
                                      "/9              0           0     0     644     4         `\n");
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more;
    (void)state;
    assert_int_equal(fm_archive_open(bytes, &archive, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_int_equal(fm_archive_next(&archive, &member, &more, NULL), FRAMEMAP_OK);
        assert_true(more);
        assert_str(member.name, names[i]);
        assert_non_null(member.refused);
    }
    assert_int_equal(fm_archive_next(&archive, &member, &more, NULL), FRAMEMAP_OK);
    assert_false(more);
}

static void damaged_ar_is_refused(void **state)
{
    static const char *const rows[] = {
        /* the stated size is greater than the rest of the archive */
        "a.o/            0           0     0     644     5         `\ntext",
        /* the header does not end with its magic bytes */
        "a.o/            0           0     0     644     4         xxtext",
        "a.o/            0           0     0     644     -4        `\ntext", /* the size is not a number */
        "/7              0           0     0     644     4         `\ntext", /* the archive has no table of names */
        /* the stated length of the name is greater than the rest of the archive */
        "#1/9            0           0     0     644     4         `\ntext",
        "a.o/            0           0     0     644", /* the header is incomplete */
    };
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct made made = {.size = 0};
        char text[64];
        put_text(&made, FM_STR("!<arch>\n"));
        put_text(&made, framemap_str_of(rows[i]));
        if (read_member(fm_str(made.bytes, made.size), "a.o", &heap, text, sizeof text) != FRAMEMAP_E_CORRUPT)
            fail_msg("row %zu", i);
    }
}

/* Checks the text "text" in gzip: a header, a stored block, a checksum and a size (RFC 1952). */
static void a_compressed_file_is_an_archive_of_one(void **state)
{
    struct made made = {.size = 0};
    struct fm_heap heap;
    char text[64], head[2];
    size_t got;
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    put_text(&made, FM_STR("\x1f\x8b\x08\0\0\0\0\0\0\3"));
    put_content(&made, &(struct spec){.text = "text", .method = 8});
    put(&made, crc_of(FM_STR("text")), 4);
    put(&made, 4, 4);
    const framemap_str bytes = fm_str(made.bytes, made.size);
    assert_int_equal(read_member(bytes, "", &heap, text, sizeof text), FRAMEMAP_OK);
    assert_string_equal(text, "text");
    assert_int_equal(fm_archive_open(bytes, &archive, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_archive_next(&archive, &member, &more, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_member_head(&member, &heap, head, sizeof head, &got, NULL), FRAMEMAP_OK);
    assert_true(got == 2 && memcmp(head, "te", 2) == 0);
    for (size_t size = 3; size < bytes.size; size++) {
        const framemap_status status = read_member(fm_str_slice(bytes, 0, size), "", &heap, text, sizeof text);
        assert_true(status == FRAMEMAP_E_TRUNCATED);
        assert_int_equal(heap.used, 0);
    }
}

#define DATA "//# sourceMappingURL=data:application/json;base64,"
#define URL "//# sourceURL=webpack-internal:///"

/* Lists "NAME=BYTES;" of the maps in a script. */
static void list_maps(framemap_str script, char *out, size_t room)
{
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more = true;
    size_t size = 0;
    out[0] = '\0';
    fm_archive_open_script(script, &archive);
    while (fm_archive_next(&archive, &member, &more, NULL) == FRAMEMAP_OK && more) {
        assert_true(member.stored.size == member.size && member.packing == FM_MEMBER_STORED);
        size += (size_t)snprintf(out + size, room - size, "%.*s=%.*s;", (int)member.name.size, member.name.data,
                                 (int)member.stored.size, member.stored.data);
        assert_true(size < room);
    }
}

static void maps_in_a_script_are_members(void **state)
{
    (void)state;
    static const struct {
        const char *why, *script, *want;
    } cases[] = {
        {"two modules, in strings of both kinds",
         "eval(\"f()\\n//# sourceURL=[module]\\n" DATA "AA==\\n" URL "./a.js\\n\\n\");eval('" DATA "BB\\n" URL "9\\n')",
         "webpack-internal:///./a.js=" DATA "AA==;webpack-internal:///9=" DATA "BB;"},
        {"a template", "eval(`f()\n" DATA "AA\n" URL "(rsc)/./a.js\n`)",
         "webpack-internal:///(rsc)/./a.js=" DATA "AA;"},
        {"a module without a map", "eval(\"f()\\n" URL "./a.js\\n\")", ""},
        {"a map without a module", "eval(\"f()\\n" DATA "AA\\n\")", ""},
        {"another scheme", "eval(\"f()\\n" DATA "AA\\n//# sourceURL=a.js\\n\")", ""},
        {"a name that goes on after a quote", "eval(\"f()\\n" DATA "AA\\n" URL "a\\\"b.js\\n\")", ""},
        {"words between", "'" DATA "' '\\n" URL "a.js\\n'", ""},
        {"the module after a part of a comment", "\"" DATA "\" \"" DATA "AA\\n" URL "a\\n\"",
         "webpack-internal:///a=" DATA "AA;"},
        {"nothing", "", ""},
    };
    char got[512];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const framemap_str script = framemap_str_of(cases[i].script);
        list_maps(script, got, sizeof got);
        if (strcmp(got, cases[i].want) != 0) fail_msg("%s: got %s", cases[i].why, got);
        for (size_t size = 0; size < script.size; size++) list_maps(fm_str_slice(script, 0, size), got, sizeof got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_member_is_read_or_refused),
        cmocka_unit_test(members_come_in_order),
        cmocka_unit_test(foreign_archives_are_refused),
        cmocka_unit_test(overlapping_members_are_refused),
        cmocka_unit_test(each_beginning_of_an_archive_is_refused),
        cmocka_unit_test(flipped_bits_are_survived),
        cmocka_unit_test(failed_allocations_are_reported),
        cmocka_unit_test(names_of_ar_are_read),
        cmocka_unit_test(a_thin_archive_names_files_in_archives),
        cmocka_unit_test(damaged_ar_is_refused),
        cmocka_unit_test(a_compressed_file_is_an_archive_of_one),
        cmocka_unit_test(maps_in_a_script_are_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
