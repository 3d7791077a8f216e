/* Tests of one index for each kind of stack, filled by hand and read through the view; of the files of both format
 * versions; and of the dump in the format's document. */
#include "core/text/buffer.h"
#include "index/format/bits.h"
#include "index/format/layout.h"
#include "index/read/classes/class_view.h"
#include "index/read/segments/segment_view.h"
#include "tests/index/support/by_hand.h"
#include "tests/index/support/class_by_hand.h"
#include "tests/index/support/segment_by_hand.h"

struct kind {
    /* golden: file of the current version; older: file of version 1; NULL: `golden` is of version 1 */
    const char *name, *golden, *older;
    struct fm_built (*build)(struct fm_heap *heap);
};
static const struct kind kinds[] = {
    {"documented", "good-v2-documented.fmx", "good-v1-documented.fmx", build_documented},
    {"native", "good-v2-native.fmx", "good-v1-native.fmx", build_native},
    {"java", "good-v2-java.fmx", "good-v1-java.fmx", build_java},
    {"source map", "good-v2-source-map.fmx", "good-v1-source-map.fmx", build_source_map},
    {"mapping", "good-v1-mapping.fmx", NULL, build_mapping},
    {"segments", "good-v1-segments.fmx", NULL, build_segments},
};

static struct fm_heap heap;
static struct fm_built built;

static struct fm_view *open_kind(struct fm_built (*build)(struct fm_heap *))
{
    struct fm_view *view;
    framemap_error error = {.message = ""};
    fm_heap_init(&heap, NULL, 0);
    built = build(&heap);
    if (fm_view_open(fm_str(built.data, built.size), &heap, &view, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", error.where, error.message);
    if (fm_view_verify(view, &error) != FRAMEMAP_OK) fail_msg("%s: %s", error.where, error.message);
    return view;
}

static void close_kind(struct fm_view *view)
{
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    assert_int_equal(heap.used, 0);
}

/* Writes an answer as "function@file:line:col": innermost frame first, alternatives separated by " or ", a name
 * after "#". */
static void answer(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_buf *out)
{
    struct fm_hit hit;
    fm_buf_clear(out);
    assert_int_equal(fm_view_lookup(view, scope, position, &hit), FRAMEMAP_OK);
    for (uint32_t i = 0; i < hit.place_count; i++) {
        struct fm_view_place place;
        struct fm_view_node node = {.parent = FM_VIEW_NONE};
        assert_int_equal(fm_view_place(view, &hit, i, &place), FRAMEMAP_OK);
        framemap_str folder = place.folder, base = place.base_name;
        uint32_t line1 = place.line1, col1 = place.col1, at = place.node;
        if (i > 0) fm_buf_str(out, FM_STR(" or "));
        for (bool more = true; more; at = node.parent) {
            if (at != FM_VIEW_NONE) assert_int_equal(fm_view_node(view, at, &node), FRAMEMAP_OK);
            fm_buf_printf(out, "%.*s%s%.*s@%.*s%.*s:%u:%u", (int)node.class_name.size,
                          node.class_name.data ? node.class_name.data : "", node.class_name.size ? "." : "",
                          (int)node.function.size, node.function.data ? node.function.data : "", (int)folder.size,
                          folder.data ? folder.data : "", (int)base.size, base.data ? base.data : "", line1, col1);
            more = node.parent != FM_VIEW_NONE;
            if (more) fm_buf_str(out, FM_STR(" < "));
            folder = node.call_folder;
            base = node.call_base_name;
            line1 = node.call_line1;
            col1 = node.call_col1;
        }
        if (place.name.size) fm_buf_printf(out, "#%.*s", (int)place.name.size, place.name.data);
    }
}

struct question {
    const char *scope;
    uint64_t number, position;
    const char *wanted, *why;
};

static void check_questions(const struct fm_view *view, bool numbered, const struct question *questions, size_t count)
{
    struct fm_buf out;
    fm_buf_init(&out, &heap);
    for (size_t i = 0; i < count; i++) {
        const struct question *q = &questions[i];
        uint64_t scope;
        assert_true(numbered ? fm_view_scope_number(view, q->number, &scope)
                             : fm_view_scope(view, framemap_str_of(q->scope), &scope));
        answer(view, scope, q->position, &out);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(q->wanted)))
            fail_msg("%s: got \"%.*s\", wanted \"%s\"", q->why, (int)out.size, out.data ? out.data : "", q->wanted);
    }
    fm_buf_free(&out);
}

static void native_stacks(void **state)
{
    (void)state;
    static const struct question questions[] = {
        {"", 0, 0xFFF, "", "before the first"},
        {"", 0, 0x1000, "_Z5outerv@/src/a.cc:21:1", "first"},
        {"", 0, 0x100F, "_Z5outerv@/src/a.cc:21:1", "up to the next"},
        {"", 0, 0x1010,
         "_Z5inneri@include/b.h:3:12 < _Z6middlei@C:\\src\\c.cc:4000000000:70000 < _Z5outerv@/src/a.cc:25:9",
         "a chain"},
        {"", 0, 0x1018, "_Z6middlei@include/b.h:0:0 < _Z5outerv@/src/a.cc:25:9", "no line, not the file's first"},
        {"", 0, 0x1020, "_Z5outerv@C:\\src\\c.cc:90:2", "another file than the function's"},
        {"", 0, 0x10FF, "_Z5outerv@C:\\src\\c.cc:90:2", "before the end"},
        {"", 0, 0x1100, "", "the hole"},
        {"", 0, 0x2005, "start@:0:0", "symbol table only"},
        {"", 0, 0x2010, "@/src/a.cc:30:1", "padding: a line without a function"},
        {"", 0, UINT64_MAX, "", "after all"},
        {"data", 0, 0x900007, "table@:0:0", "data is a scope of its own"},
        {"data", 0, 0x1000, "", "and has no code"},
    };
    struct fm_view *view = open_kind(build_native);
    struct fm_view_about about;
    struct fm_view_node node;
    struct fm_hit hit;
    struct fm_view_place place;
    framemap_str text;
    uint64_t scope;
    check_questions(view, false, questions, COUNT_OF(questions));
    fm_view_about(view, &about);
    assert_str(about.kind, "elf");
    assert_str(about.id, "0123456789abcdef");
    assert_str(about.arch, "arm64");
    assert_str(about.name, "libapp.so");
    assert_true(about.base == 0x10000 && about.address_bits == 64 && about.big_endian && about.has_lines &&
                !about.numbered_scopes);
    assert_true(about.scope_count == 2 && about.position_count == 10 && about.function_count == 5 &&
                about.file_count == 3 && about.node_count == 5);
    assert_true(about.format_version == 2 && about.size_bytes == built.size);
    assert_true(fm_view_attribute(view, FM_STR("producer"), &text));
    assert_str(text, "cc 1.0"); /* two calls set this key: the later one counts */
    assert_false(fm_view_attribute(view, FM_STR("product"), &text));
    assert_false(fm_view_scope(view, FM_STR("dat"), &scope) || fm_view_scope_number(view, 0, &scope));

    /* Function ranges have additional strings. */
    assert_true(fm_view_scope(view, FM_STR(""), &scope));
    assert_int_equal(fm_view_lookup(view, scope, 0x2000, &hit), FRAMEMAP_OK);
    assert_int_equal(fm_view_place(view, &hit, 0, &place), FRAMEMAP_OK);
    assert_int_equal(fm_view_node(view, place.node, &node), FRAMEMAP_OK);
    assert_true(node.start == 0x2000 && node.size == 0x10 && node.flags == FM_NODE_HAS_START && node.alias_count == 2);
    assert_int_equal(fm_view_alias(view, place.node, 0, &text), FRAMEMAP_OK);
    assert_str(text, "__start"); /* aliases are sorted by name and have no duplicates */
    assert_int_equal(fm_view_alias(view, place.node, 1, &text), FRAMEMAP_OK);
    assert_str(text, "_start");
    assert_int_equal(fm_view_lookup(view, scope, 0x1000, &hit), FRAMEMAP_OK);
    assert_int_equal(fm_view_place(view, &hit, 0, &place), FRAMEMAP_OK);
    assert_int_equal(fm_view_node(view, place.node, &node), FRAMEMAP_OK);
    assert_str(node.symbol, "_Z5outerv.cold");
    assert_str(node.decl_base_name, "a.cc");
    assert_true(node.decl_line1 == 20 && node.language == FM_LANGUAGE_CXX && node.alias_count == 0);
    close_kind(view);
}

static void java_stacks(void **state)
{
    (void)state;
    static const struct question questions[] = {
        {"a.b.c", 0, 0, "", "before the first line"},
        {"a.b.c", 0, 1, "com.example.Main.run@Main.kt:50:0", "first line of a range"},
        {"a.b.c", 0, 4, "com.example.Main.run@Main.kt:53:0", "the line follows"},
        {"a.b.c", 0, 8, "com.example.Util.check@Util.java:14:0 < com.example.Main.run@Main.kt:55:0",
         "inline group: the inner line follows"},
        {"a.b.c", 0, 9, "", "after the last range"},
        {"a.b.d", 0, 0,
         "com.example.Util.log(int)@Util.java:30:0 or com.example.Util.log(java.lang.String)@Util.java:40:0",
         "alternatives"},
        {"a.b.d", 0, 7,
         "com.example.Util.log(int)@Util.java:30:0 or com.example.Util.log(java.lang.String)@Util.java:47:0",
         "each by its rule"},
    };
    struct fm_view *view = open_kind(build_java);
    framemap_str key;
    uint64_t number, first, last;
    check_questions(view, false, questions, COUNT_OF(questions));
    assert_true(fm_view_scope_at(view, 0, &key, &number, &first, &last));
    assert_str(key, "a.b.c");
    assert_true(first == 1 && last == 8);
    assert_true(fm_view_scope_at(view, 1, &key, &number, &first, &last));
    assert_true(first == 0 && last == UINT64_MAX);
    assert_false(fm_view_scope_at(view, 2, &key, &number, &first, &last));
    close_kind(view);
}

static void source_maps(void **state)
{
    (void)state;
    static const struct question questions[] = {
        {NULL, 0, 0, "@webpack://app/src/index.ts:1:1", "first segment"},
        {NULL, 0, 20, "@webpack://app/src/index.ts:1:8#render", "a name on the segment"},
        {NULL, 0, 24, "@:0:0", "a segment without a source is an answer"},
        {NULL, 0, 30, "", "an end is none"},
        {NULL, 2, 3, "", "before the first segment of the line"},
        {NULL, 2, 12345677, "@webpack://app/src/util.ts:120:3#x", "a far column"},
        {NULL, 2, 12345678, "@webpack://app/src/util.ts:121:5#render", "and the next"},
        {NULL, UINT64_C(1) << 40, 5, "@webpack://app/src/index.ts:7:2", "a number of more than 32 bits"},
    };
    struct fm_view *view = open_kind(build_source_map);
    uint64_t scope, number, first, last;
    framemap_str key;
    check_questions(view, true, questions, COUNT_OF(questions));
    assert_false(fm_view_scope_number(view, 1, &scope) || fm_view_scope_number(view, 3, &scope) ||
                 fm_view_scope_number(view, UINT64_MAX, &scope));
    assert_false(fm_view_scope(view, FM_STR("0"), &scope));
    assert_true(fm_view_scope_at(view, 1, &key, &number, &first, &last));
    assert_true(number == 2 && first == 4 && last == UINT64_MAX);
    close_kind(view);
}

static void mappings(void **state)
{
    (void)state;
    struct fm_view *view = open_kind(build_mapping);
    struct fm_view_class class;
    struct fm_view_method method;
    struct fm_view_part part;
    struct fm_view_span span;
    struct fm_view_member member;
    uint64_t at;
    assert_true(fm_view_class(view, FM_STR("a.b"), &class) && fm_view_class_method(view, &class, FM_STR("c"), &method));
    assert_str(class.original, "com.example.Main");
    assert_true(method.span_count == 4 && method.part_count == 2);
    assert_true(fm_view_span_at_line(view, &method, 7, method.first_span, method.first_span + 4, &at) &&
                at == method.first_span + 1);
    assert_true(fm_view_method_span(view, &method, at, &span) && fm_view_member(view, span.member, &member));
    assert_str(member.holder, "com.example.Util");
    assert_str(member.name, "check");
    assert_true(span.residual_from == 6 && span.residual_to == 8 && span.original_from == 12);
    assert_true(fm_view_part(view, &method, 1, &part) && part.first_span == method.first_span + 3 &&
                part.flags == FM_SPAN_SYNTHETIC);
    close_kind(view);
}

static void segments(void **state)
{
    (void)state;
    struct fm_view *view = open_kind(build_segments);
    struct fm_view_segment segment;
    struct fm_view_source source;
    struct fm_view_stretch stretch;
    framemap_str name = {NULL, 0};
    uint32_t offset = 0;
    assert_true(fm_view_segment_at(view, 0, 8, &segment) && segment.number == 1 && segment.col0 == 4);
    assert_true(segment.original_line0 == 2 && segment.original_col0 == 8 &&
                fm_view_segment_name(view, segment.name, &name));
    assert_str(name, "run");
    assert_true(fm_view_source_stretch(view, segment.source, 2, 8, &stretch) && stretch.origin == FM_FUNCTION_MAP);
    assert_str(stretch.function, "start");
    assert_false(fm_view_source_stretch(view, segment.source, 1, 99, &stretch));
    assert_true(fm_view_segment_at(view, 0, 99, &segment) && segment.source == FM_VIEW_NONE);
    assert_false(fm_view_segment_at(view, 1, 0, &segment) || fm_view_segment_at(view, 2, 0, &segment));
    assert_true(fm_view_segment_at(view, 2, 1, &segment) && fm_view_source(view, segment.source, &source));
    assert_str(source.address, "b.js");
    assert_int_equal(source.flags, FM_SOURCE_IGNORED);
    assert_true(fm_view_offset(view, FM_OFFSETS_MODULES, 0, 2, &offset) && offset == 2);
    assert_false(fm_view_offset(view, FM_OFFSETS_MODULES, 0, 1, &offset));
    close_kind(view);
}

/* --- testing index files of this and earlier versions --- */

static unsigned char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s can't be opened", path);
    unsigned char *data = malloc(1 << 20);
    *size = fread(data, 1, 1 << 20, file);
    fclose(file);
    return data;
}

/* Checks that the index built today equals the repository's file of this format version. With FM_WRITE_GOLDEN=1,
 * writes the file; use that only for a new format version. */
static void golden_files_stay(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct fm_view *view = open_kind(kinds[i].build);
        char path[512];
        snprintf(path, sizeof path, FM_SOURCE_DIR "/corpus/index/%s", kinds[i].golden);
        if (getenv("FM_WRITE_GOLDEN")) {
            FILE *file = fopen(path, "wb");
            assert_non_null(file);
            assert_int_equal(fwrite(built.data, 1, built.size, file), built.size);
            fclose(file);
        }
        size_t size;
        unsigned char *data = read_whole(path, &size);
        if (size != built.size || memcmp(data, built.data, size) != 0)
            fail_msg("%s is not what is built", kinds[i].golden);
        free(data);
        close_kind(view);
    }
}

static void same_text(framemap_str a, framemap_str b)
{
    assert_true(fm_str_equal(a, b) && (a.data == NULL) == (b.data == NULL));
}

static void same_node(const struct fm_view *a, uint32_t x, const struct fm_view *b, uint32_t y)
{
    struct fm_view_node n, m;
    assert_int_equal(fm_view_node(a, x, &n), FRAMEMAP_OK);
    assert_int_equal(fm_view_node(b, y, &m), FRAMEMAP_OK);
    same_text(n.function, m.function);
    same_text(n.class_name, m.class_name);
    same_text(n.decl_folder, m.decl_folder);
    same_text(n.decl_base_name, m.decl_base_name);
    same_text(n.call_folder, m.call_folder);
    same_text(n.call_base_name, m.call_base_name);
    same_text(n.symbol, m.symbol);
    assert_true(n.decl_line1 == m.decl_line1 && n.language == m.language && n.call_line1 == m.call_line1 &&
                n.call_col1 == m.call_col1);
    assert_true(n.flags == m.flags && n.start == m.start && n.size == m.size && n.alias_count == m.alias_count);
    assert_true((n.parent == FM_VIEW_NONE) == (m.parent == FM_VIEW_NONE));
    for (uint32_t i = 0; i < n.alias_count; i++) {
        framemap_str one = {NULL, 0}, other = {NULL, 0};
        assert_int_equal(fm_view_alias(a, x, i, &one), FRAMEMAP_OK);
        assert_int_equal(fm_view_alias(b, y, i, &other), FRAMEMAP_OK);
        same_text(one, other);
    }
}

static void same_chain(const struct fm_view *a, uint32_t x, const struct fm_view *b, uint32_t y)
{
    while (x != FM_VIEW_NONE) {
        struct fm_view_node n, m;
        assert_int_not_equal(y, FM_VIEW_NONE);
        same_node(a, x, b, y);
        assert_int_equal(fm_view_node(a, x, &n), FRAMEMAP_OK);
        assert_int_equal(fm_view_node(b, y, &m), FRAMEMAP_OK);
        x = n.parent;
        y = m.parent;
    }
    assert_int_equal(y, FM_VIEW_NONE);
}

static void same_hit(const struct fm_view *a, const struct fm_hit *x, const struct fm_view *b, const struct fm_hit *y)
{
    assert_true(x->start == y->start && x->end == y->end && x->place_count == y->place_count);
    for (uint32_t i = 0; i < x->place_count; i++) {
        struct fm_view_place p, q;
        assert_int_equal(fm_view_place(a, x, i, &p), FRAMEMAP_OK);
        assert_int_equal(fm_view_place(b, y, i, &q), FRAMEMAP_OK);
        same_text(p.folder, q.folder);
        same_text(p.base_name, q.base_name);
        same_text(p.name, q.name);
        assert_true(p.line1 == q.line1 && p.col1 == q.col1 && p.flags == q.flags);
        same_chain(a, p.node, b, q.node);
    }
}

static void same_scope(const struct fm_view *a, const struct fm_view *b, uint64_t scope)
{
    struct fm_hit x, y;
    uint64_t from = 0;
    bool more = true;
    while (more) {
        const bool first = fm_view_next(a, scope, from, &x), second = fm_view_next(b, scope, from, &y);
        assert_int_equal(first, second);
        if (!first) return;
        same_hit(a, &x, b, &y);
        more = x.start != UINT64_MAX;
        from = x.start + 1;
    }
}

/* Checks that the files of version 1 give the same answers as indexes built today from the same records. */
static void older_files_say_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        if (kinds[i].older == NULL) continue;
        struct fm_view *view = open_kind(kinds[i].build), *older;
        struct fm_view_about now, then;
        char path[512];
        size_t size;
        snprintf(path, sizeof path, FM_SOURCE_DIR "/corpus/index/%s", kinds[i].older);
        unsigned char *data = read_whole(path, &size);
        assert_int_equal(fm_view_open(fm_str(data, size), &heap, &older, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_view_verify(older, NULL), FRAMEMAP_OK);
        fm_view_about(view, &now);
        fm_view_about(older, &then);
        assert_true(then.format_version == 1 && now.format_version == 2);
        assert_true(now.scope_count == then.scope_count && now.position_count == then.position_count &&
                    now.function_count == then.function_count && now.file_count == then.file_count &&
                    now.node_count == then.node_count);
        for (uint64_t scope = 0; scope < now.scope_count; scope++) same_scope(view, older, scope);
        fm_view_close(older);
        free(data);
        close_kind(view);
    }
}

/* Parses the bytes of a line of the dump: " 0010 2b 02 00 … what". Returns the number of bytes, which may be 0.
 */
static size_t dump_bytes(const char *line, size_t *offset, unsigned char bytes[8])
{
    char *end;
    if (strncmp(line, "    ", 4) != 0) return 0;
    *offset = strtoul(line + 4, &end, 16);
    if (end != line + 8 || strncmp(end, "  ", 2) != 0) return 0;
    size_t count = 0;
    const char *at = end + 2;
    while (count < 8) {
        bytes[count++] = (unsigned char)strtoul(at, &end, 16);
        if (end != at + 2) return 0;
        at = end;
        if (at[0] != ' ' || at[1] == ' ' || at[1] == 0) break;
        at++;
    }
    return count;
}

/* Returns the bytes of a section of the current index. */
static framemap_str section_bytes(unsigned id)
{
    const uint32_t sections = fm_load32(built.data + FMX_AT_SECTIONS);
    for (uint32_t i = 0; i < sections; i++) {
        const unsigned char *entry = built.data + FMX_HEADER + FMX_ENTRY * i;
        if (entry[FMX_ENTRY_ID] == id)
            return fm_str(built.data + fm_load64(entry + FMX_ENTRY_OFFSET), (size_t)fm_load64(entry + FMX_ENTRY_SIZE));
    }
    return (framemap_str){NULL, 0};
}

/* Checks that the bytes of the dump between two marks in the document equal the given bytes. */
static void check_documented(const char *begin, const char *end, framemap_str wanted)
{
    FILE *file = fopen(FM_SOURCE_DIR "/docs/index-format.md", "r");
    assert_non_null(file);
    char line[1024];
    size_t seen = 0, offset = 0;
    bool inside = false;
    while (fgets(line, sizeof line, file)) {
        unsigned char bytes[8];
        if (strncmp(line, begin, strlen(begin)) == 0) inside = true;
        if (strncmp(line, end, strlen(end)) == 0) inside = false;
        const size_t count = inside ? dump_bytes(line, &offset, bytes) : 0;
        if (count == 0) continue;
        assert_int_equal(offset, seen);
        assert_true(seen + count <= wanted.size);
        assert_memory_equal(bytes, wanted.data + seen, count);
        seen += count;
    }
    fclose(file);
    assert_int_equal(seen, wanted.size);
}

static void the_documented_dump_is_true(void **state)
{
    (void)state;
    struct fm_view *view = open_kind(build_documented);
    check_documented("<!-- dump", "<!-- end of dump", fm_str(built.data, built.size));
    close_kind(view);
}

static void the_documented_spans_are_true(void **state)
{
    (void)state;
    struct fm_view *view = open_kind(build_mapping);
    check_documented("<!-- spans", "<!-- end of spans", section_bytes(FMX_SPANS));
    close_kind(view);
}

static void the_documented_segments_are_true(void **state)
{
    (void)state;
    struct fm_view *view = open_kind(build_segments);
    check_documented("<!-- segments", "<!-- end of segments", section_bytes(FMX_SEGMENTS));
    close_kind(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(native_stacks),
                                       cmocka_unit_test(java_stacks),
                                       cmocka_unit_test(source_maps),
                                       cmocka_unit_test(mappings),
                                       cmocka_unit_test(segments),
                                       cmocka_unit_test(the_documented_spans_are_true),
                                       cmocka_unit_test(the_documented_segments_are_true),
                                       cmocka_unit_test(golden_files_stay),
                                       cmocka_unit_test(older_files_say_the_same),
                                       cmocka_unit_test(the_documented_dump_is_true)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
