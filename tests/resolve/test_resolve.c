/* Tests of fm_resolve on indexes of every kind: names, addresses, damage, and limits on memory. */
#include "tests/resolve/resolve_help.h"
#include "tests/session/session_help.h"

#include "resolve/native/lookup_many.h"

static const struct made_image native = {
    .name = "libapp.so", .id = "0123456789abcdef", .arch = "arm64", .functions = {"_Z5outerv", "plain"}};

static void native_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        framemap_address_kind kind;
        uint64_t position;
        bool return_address;
        framemap_frame_status status;
        size_t frames;
        const char *innermost, *outermost;
        uint32_t line, outer_line;
        uint64_t offset;
    } rows[] = {
        {"a linked address", FRAMEMAP_ADDRESS_LINKED, MADE_BASE + 0x100, false, FRAMEMAP_FRAME_OK, 1, "outer()",
         "outer()", 10, 10, 0},
        {"the distance from the image", FRAMEMAP_ADDRESS_IMAGE, 0x10f, false, FRAMEMAP_FRAME_OK, 1, "outer()",
         "outer()", 10, 10, 15},
        {"a position as it is", FRAMEMAP_ADDRESS_NONE, 0x10f, false, FRAMEMAP_FRAME_OK, 1, "outer()", "outer()", 10, 10,
         15},
        {"inlined code", FRAMEMAP_ADDRESS_IMAGE, 0x120, false, FRAMEMAP_FRAME_OK, 2, "inner(int)", "outer()", 7, 10,
         0x20},
        {"a return address belongs to the call before it", FRAMEMAP_ADDRESS_IMAGE, 0x120, true, FRAMEMAP_FRAME_OK, 1,
         "outer()", "outer()", 10, 10, 0x20},
        {"a return address after the function's end", FRAMEMAP_ADDRESS_IMAGE, 0x140, true, FRAMEMAP_FRAME_OK, 2,
         "inner(int)", "outer()", 7, 10, 0x40},
        {"after the function's end", FRAMEMAP_ADDRESS_IMAGE, 0x140, false, FRAMEMAP_FRAME_NO_MATCH, 0, NULL, NULL, 0, 0,
         0},
        {"in front of everything", FRAMEMAP_ADDRESS_IMAGE, 0, false, FRAMEMAP_FRAME_NO_MATCH, 0, NULL, NULL, 0, 0, 0},
        {"nothing precedes address 0", FRAMEMAP_ADDRESS_IMAGE, 0, true, FRAMEMAP_FRAME_NO_MATCH, 0, NULL, NULL, 0, 0,
         0},
        {"a linked address below the image", FRAMEMAP_ADDRESS_LINKED, 0x100, false, FRAMEMAP_FRAME_NO_MATCH, 0, NULL,
         NULL, 0, 0, 0},
        {"the last address there is", FRAMEMAP_ADDRESS_IMAGE, UINT64_MAX, false, FRAMEMAP_FRAME_NO_MATCH, 0, NULL, NULL,
         0, 0, 0},
        {"a C function", FRAMEMAP_ADDRESS_IMAGE, 0x200, false, FRAMEMAP_FRAME_OK, 1, "plain", "plain", 20, 20, 0},
    };
    struct resolver resolver;
    resolver_open(&resolver, make_index(&native));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.address_kind = rows[i].kind;
        query.position = rows[i].position;
        query.return_address = rows[i].return_address;
        framemap_frame frame = resolve(&resolver, &query);
        if (frame.status != rows[i].status || frame.restored.count != rows[i].frames)
            fail_msg("%s: status %d", rows[i].why, (int)frame.status);
        assert_int_equal(frame.kind, FRAMEMAP_KIND_NATIVE);
        assert_str(frame.id, native.id);
        if (rows[i].frames == 0) {
            assert_non_null(frame.reason);
            continue;
        }
        const framemap_frame *inner = &frame.restored.frames[0],
                             *outer = &frame.restored.frames[frame.restored.count - 1];
        assert_str(inner->function, rows[i].innermost);
        assert_str(outer->function, rows[i].outermost);
        assert_str(inner->file, "src/libapp.so.c");
        assert_int_equal(inner->line, rows[i].line);
        assert_int_equal(outer->line, rows[i].outer_line);
        assert_int_equal(inner->inlined, rows[i].frames > 1);
        assert_false(outer->inlined);
        assert_true(frame.has_function_offset && frame.function_offset == rows[i].offset);
        assert_true(frame.function_size == 0x40);
    }
    resolver_close(&resolver);
}

static void offsets_in_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *why, *code;
        uint64_t offset;
        bool return_address;
        const char *function; /* function of the expected answer; NULL: no answer is expected */
    } rows[] = {
        {"an index that records nothing: as the distance from the image", NULL, 0x100, false, "outer()"},
        {"code that is at another distance", "40+80=100", 0x40, false, "outer()"},
        {"its last byte", "40+40=100", 0x7f, false, "outer()"},
        {"the end is not part of it", "40+40=100", 0x80, false, NULL},
        {"a return address may be at the end", "40+40=100", 0x80, true, "outer()"},
        {"a return address at the start is not one of this code", "40+40=100", 0x40, true, NULL},
        {"the second part", "40+40=100 90+40=200", 0x90, false, "plain"},
        {"between the parts", "40+40=100 90+40=200", 0x88, false, NULL},
        {"a part at its own distance", "40+20=100 200+40=200", 0x210, false, "plain"},
        {"offsets that are not of code", "40+40=100", 0x100, false, NULL},
        {"nothing precedes position 0", "0+40=0", 0, true, NULL},
        {"the last offset there is", "40+40=100", UINT64_MAX, false, NULL},
        {"a damaged value", "40+40", 0x40, false, NULL},
        {"a damaged second part", "40+40=100 90+", 0x40, false, "outer()"},
        {"numbers without end", "40+11111111111111111=100", 0x40, false, NULL},
        {"no text", "", 0x100, false, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct made_image image = native;
        struct resolver resolver;
        framemap_location_list list;
        framemap_error error = {0};
        framemap_query query = FRAMEMAP_QUERY_INIT;
        image.code_offsets = rows[i].code;
        query.address_kind = FRAMEMAP_ADDRESS_FILE;
        query.position = rows[i].offset;
        query.return_address = rows[i].return_address;
        resolver_open(&resolver, make_index(&image));
        const framemap_frame frame = resolve(&resolver, &query);
        if ((frame.restored.count > 0) != (rows[i].function != NULL))
            fail_msg("%s: %zu", rows[i].why, frame.restored.count);
        if (rows[i].function)
            assert_str(frame.restored.frames[frame.restored.count - 1].function, rows[i].function);
        else
            assert_non_null(frame.reason);
        const uint64_t positions[] = {rows[i].offset, rows[i].offset};
        for (size_t count = 1; count <= COUNT_OF(positions); count++) {
            size_t room = 0;
            must_ok(
                count == 1
                    ? fm_resolve_location(resolver.view, &query, positions[0], &resolver.arena, &list, &error)
                    : fm_resolve_many(resolver.view, &query, positions, count, &resolver.arena, &room, &list, &error),
                &error);
            const framemap_location_chain *chain = &list.chains[count - 1];
            if ((chain->count > 0) != (rows[i].function != NULL)) fail_msg("%s, of %zu", rows[i].why, count);
            if (rows[i].function)
                assert_str(list.locations[chain->first + chain->count - 1].function, rows[i].function);
        }
        resolver_close(&resolver);
    }
}

static void names_of_each_style(void **state)
{
    (void)state;
    static const struct {
        framemap_demangle style;
        const char *function, *symbol;
    } rows[] = {{FRAMEMAP_DEMANGLE_DEFAULT, "outer()", "_Z5outerv"},
                {FRAMEMAP_DEMANGLE_GNU, "outer()", "_Z5outerv"},
                {FRAMEMAP_DEMANGLE_NONE, "_Z5outerv", ""}};
    struct resolver resolver;
    resolver_open(&resolver, make_index(&native));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.position = 0x100;
        query.demangle = rows[i].style;
        framemap_frame frame = resolve(&resolver, &query);
        assert_str(frame.restored.frames[0].function, rows[i].function);
        assert_str(frame.restored.frames[0].symbol, rows[i].symbol);
    }
    resolver_close(&resolver);
}

/* --- testing indexes of other kinds through the same calls --- */

struct making {
    struct fm_heap heap;
    struct fm_builder *builder;
    framemap_error error;
};

static void making_begin(struct making *making, const struct fm_builder_about *about)
{
    fm_heap_init(&making->heap, NULL, 0);
    memset(&making->error, 0, sizeof making->error);
    must_ok(fm_builder_create(&making->heap, &making->builder, &making->error), &making->error);
    must_ok(fm_builder_about(making->builder, about, &making->error), &making->error);
}

static framemap_bytes making_end(struct making *making)
{
    struct fm_built built;
    must_ok(fm_builder_finish(making->builder, &built, &making->error), &making->error);
    fm_builder_free(making->builder);
    return (framemap_bytes){.data = built.data, .size = built.size};
}

static uint32_t text_of(struct making *making, const char *text)
{
    uint32_t number;
    if (text == NULL) return FM_NONE;
    must_ok(fm_builder_string(making->builder, framemap_str_of(text), &number, &making->error), &making->error);
    return number;
}

static uint32_t root_of(struct making *making, const char *class_name, const char *name, const char *symbol)
{
    const struct fm_function function = {text_of(making, name), text_of(making, class_name), FM_NONE, 0,
                                         FM_LANGUAGE_UNKNOWN};
    struct fm_node node = {
        .parent = FM_NONE, .call_file = FM_NONE, .symbol = text_of(making, symbol), .function = FM_NONE};
    uint32_t number;
    if (name) must_ok(fm_builder_function(making->builder, &function, &node.function, &making->error), &making->error);
    must_ok(fm_builder_node(making->builder, &node, &number, &making->error), &making->error);
    return number;
}

static framemap_bytes java_index(void)
{
    struct making making;
    const struct fm_builder_about about = {.kind = FM_STR("r8"), .id = FM_STR("map1"), .keys = FM_SCOPE_NAMED};
    uint32_t scope, file;
    making_begin(&making, &about);
    must_ok(fm_builder_scope(making.builder, FM_STR("a.b.c"), &scope, &making.error), &making.error);
    must_ok(fm_builder_file(making.builder, FM_STR("Main.kt"), &file, &making.error), &making.error);
    const struct fm_place one = {
        root_of(&making, "com.app.Main", "run", NULL), file, 40, 0, FM_NONE, FM_PLACE_LINE_FOLLOWS};
    const struct fm_place two[2] = {{root_of(&making, "com.app.Main", "first", NULL), file, 7, 0, FM_NONE, 0},
                                    {root_of(&making, "com.app.Main", "second", NULL), file, 8, 0, FM_NONE, 0}};
    must_ok(fm_builder_position(making.builder, scope, 1, &one, 1, &making.error), &making.error);
    must_ok(fm_builder_position(making.builder, scope, 10, two, 2, &making.error), &making.error);
    must_ok(fm_builder_end(making.builder, scope, 11, &making.error), &making.error);
    return making_end(&making);
}

static void java_positions(void **state)
{
    (void)state;
    struct resolver resolver;
    resolver_open(&resolver, java_index());
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.scope = FM_STR("a.b.c");
    query.position = 3;
    framemap_frame frame = resolve(&resolver, &query);
    assert_int_equal(frame.kind, FRAMEMAP_KIND_JAVA);
    assert_int_equal(frame.status, FRAMEMAP_FRAME_OK);
    assert_str(frame.restored.frames[0].class_name, "com.app.Main");
    assert_str(frame.restored.frames[0].function, "run");
    assert_int_equal(frame.restored.frames[0].line, 42);
    assert_false(frame.has_address);

    query.position = 10;
    frame = resolve(&resolver, &query);
    assert_int_equal(frame.status, FRAMEMAP_FRAME_AMBIGUOUS);
    assert_non_null(frame.reason);
    assert_int_equal(frame.alternative_count, 1);
    assert_str(frame.restored.frames[0].function, "first");
    assert_str(frame.alternatives[0].frames[0].function, "second");

    query.scope = FM_STR("a.b.d");
    frame = resolve(&resolver, &query);
    assert_int_equal(frame.status, FRAMEMAP_FRAME_NO_MATCH);
    assert_non_null(frame.reason);
    resolver_close(&resolver);
}

static framemap_bytes js_index(void)
{
    struct making making;
    const struct fm_builder_about about = {.kind = FM_STR("sourcemap"), .keys = FM_SCOPE_NUMBERED};
    uint32_t scope, file;
    making_begin(&making, &about);
    must_ok(fm_builder_scope_number(making.builder, 4, &scope, &making.error), &making.error);
    must_ok(fm_builder_file(making.builder, FM_STR("webpack:///./src/index.ts"), &file, &making.error), &making.error);
    const struct fm_place place = {FM_NONE, file, 12, 5, text_of(&making, "handleClick"), 0};
    must_ok(fm_builder_position(making.builder, scope, 100, &place, 1, &making.error), &making.error);
    must_ok(fm_builder_end(making.builder, scope, 120, &making.error), &making.error);
    return making_end(&making);
}

static void js_positions(void **state)
{
    (void)state;
    struct resolver resolver;
    resolver_open(&resolver, js_index());
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.scope_number = 4;
    query.position = 110;
    framemap_frame frame = resolve(&resolver, &query);
    assert_int_equal(frame.kind, FRAMEMAP_KIND_JS);
    assert_int_equal(frame.status, FRAMEMAP_FRAME_OK);
    assert_int_equal(frame.restored.count, 1);
    assert_str(frame.restored.frames[0].file, "webpack:///./src/index.ts");
    assert_str(frame.restored.frames[0].name, "handleClick");
    assert_int_equal(frame.restored.frames[0].line, 12);
    assert_int_equal(frame.restored.frames[0].column, 5);
    query.scope_number = 5;
    assert_int_equal(resolve(&resolver, &query).status, FRAMEMAP_FRAME_NO_MATCH);
    resolver_close(&resolver);
}

/* Makes an index with functions and aliases of a symbol table, and with rows outside of all functions. */
static framemap_bytes odd_index(void)
{
    struct making making;
    const struct fm_builder_about about = {.kind = FM_STR("elf"), .arch = FM_STR("arm"), .address_bits = 32};
    uint32_t scope, file;
    making_begin(&making, &about);
    must_ok(fm_builder_scope(making.builder, FM_STR(""), &scope, &making.error), &making.error);
    must_ok(fm_builder_file(making.builder, FM_STR("/src/a.c"), &file, &making.error), &making.error);
    uint32_t table = root_of(&making, NULL, NULL, "_Z5tablev"), folded = root_of(&making, NULL, "_Z3onev", "_Z3twov");
    must_ok(fm_builder_alias(making.builder, table, text_of(&making, "_Z5otherv"), &making.error), &making.error);
    const struct fm_place places[] = {{table, FM_NONE, 0, 0, FM_NONE, 0},
                                      {FM_NONE, file, 3, 0, FM_NONE, 0},
                                      {folded, file, 4, 0, FM_NONE, 0},
                                      {FM_NONE, FM_NONE, 0, 0, FM_NONE, 0}};
    for (size_t i = 0; i < COUNT_OF(places); i++)
        must_ok(fm_builder_position(making.builder, scope, 0x10 * (i + 1), &places[i], 1, &making.error),
                &making.error);
    must_ok(fm_builder_end(making.builder, scope, 0x60, &making.error), &making.error);

    uint32_t data;
    must_ok(fm_builder_scope(making.builder, FM_STR("data"), &data, &making.error), &making.error);
    must_ok(fm_builder_position(making.builder, data, 0x11, &places[0], 1, &making.error), &making.error);
    must_ok(fm_builder_end(making.builder, data, 0x12, &making.error), &making.error);
    return making_end(&making);
}

static void partial_answers(void **state)
{
    (void)state;
    struct resolver resolver;
    resolver_open(&resolver, odd_index());
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_IMAGE;
    query.position = 0x11; /* the Thumb bit is set */
    framemap_frame frame = resolve(&resolver, &query);
    assert_int_equal(frame.status, FRAMEMAP_FRAME_SYMBOL);
    assert_str(frame.restored.frames[0].function, "table()");
    assert_str(frame.restored.frames[0].symbol, "_Z5tablev");
    assert_int_equal(frame.alias_count, 1);
    assert_str(frame.aliases[0], "other()");

    query.scope = FM_STR("data"); /* an odd address of data is not changed: bit 0 marks Thumb code only for code */
    assert_int_equal(resolve(&resolver, &query).status, FRAMEMAP_FRAME_SYMBOL);
    query.scope = FM_STR("");

    query.position = 0x21;
    /* The Thumb bit is removed first, which gives 0x20. Since that is a return address, the byte before it is looked
     * up. */
    query.return_address = true;
    frame = resolve(&resolver, &query);
    assert_str(frame.restored.frames[0].function, "table()");

    query.return_address = false;
    query.position = 0x20;
    frame = resolve(&resolver, &query);
    assert_int_equal(frame.status, FRAMEMAP_FRAME_OK);
    assert_str(frame.restored.frames[0].function, "");
    assert_int_equal(frame.restored.frames[0].line, 3);

    query.position = 0x30;
    frame = resolve(&resolver, &query);
    assert_str(frame.restored.frames[0].function, "one()");
    assert_str(frame.restored.frames[0].symbol, "_Z3twov");

    query.position = 0x40;
    frame = resolve(&resolver, &query);
    assert_int_equal(frame.status, FRAMEMAP_FRAME_NO_MATCH);
    assert_int_equal(frame.restored.count, 0);
    resolver_close(&resolver);
}

/* Makes an index of Thumb code: the function "first" up to 0x20 and "second" up to 0x30, in a section that ends there,
 * and the same in a section of a relocatable file. */
static framemap_bytes thumb_index(void)
{
    struct making making;
    const struct fm_builder_about about = {.kind = FM_STR("elf"), .arch = FM_STR("arm"), .address_bits = 32};
    static const char *const scopes[] = {"", ".text.relocatable"};
    making_begin(&making, &about);
    must_ok(fm_builder_attribute(making.builder, FM_STR(FM_ATTRIBUTE_SECTION ".text"), FM_STR("10+20"), &making.error),
            &making.error);
    must_ok(fm_builder_attribute(making.builder, FM_STR(FM_ATTRIBUTE_CODE_OFFSETS), FM_STR("410+20=10"), &making.error),
            &making.error);
    for (size_t i = 0; i < COUNT_OF(scopes); i++) {
        uint32_t scope;
        must_ok(fm_builder_scope(making.builder, framemap_str_of(scopes[i]), &scope, &making.error), &making.error);
        const struct fm_place first = {root_of(&making, NULL, "first", NULL), FM_NONE, 0, 0, FM_NONE, 0},
                              second = {root_of(&making, NULL, "second", NULL), FM_NONE, 0, 0, FM_NONE, 0};
        must_ok(fm_builder_position(making.builder, scope, 0x10, &first, 1, &making.error), &making.error);
        must_ok(fm_builder_position(making.builder, scope, 0x20, &second, 1, &making.error), &making.error);
        must_ok(fm_builder_end(making.builder, scope, 0x30, &making.error), &making.error);
    }
    return making_end(&making);
}

/* Checks that the call before a return address is found, with the Thumb bit and without it. */
static void return_addresses_of_thumb(void **state)
{
    static const struct {
        const char *why, *scope;
        framemap_address_kind kind;
        uint64_t position;
        const char *function;
    } rows[] = {
        {"between two functions", "", FRAMEMAP_ADDRESS_IMAGE, 0x20, "first"},
        {"after the last instruction", "", FRAMEMAP_ADDRESS_LINKED, 0x30, "second"},
        {"between two functions of a section", ".text", FRAMEMAP_ADDRESS_NONE, 0x10, "first"},
        {"at the end of a section", ".text", FRAMEMAP_ADDRESS_NONE, 0x20, "second"},
        {"at the start of a section", ".text", FRAMEMAP_ADDRESS_NONE, 0, NULL},
        {"after the end of a section", ".text", FRAMEMAP_ADDRESS_NONE, 0x22, NULL},
        {"in a section of a relocatable file", ".text.relocatable", FRAMEMAP_ADDRESS_NONE, 0x20, "first"},
        {"at the end of a section of a relocatable file", ".text.relocatable", FRAMEMAP_ADDRESS_NONE, 0x30, "second"},
        {"between two functions, offset in the file", "", FRAMEMAP_ADDRESS_FILE, 0x420, "first"},
        {"after the last instruction, offset in the file", "", FRAMEMAP_ADDRESS_FILE, 0x430, "second"},
        {"at the first instruction, offset in the file", "", FRAMEMAP_ADDRESS_FILE, 0x410, NULL},
    };
    struct resolver resolver;
    (void)state;
    resolver_open(&resolver, thumb_index());
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.scope = framemap_str_of(rows[i].scope);
        query.address_kind = rows[i].kind;
        query.return_address = true;
        for (uint64_t thumb_bit = 0; thumb_bit < 2; thumb_bit++) {
            query.position = rows[i].position | thumb_bit;
            const framemap_frame frame = resolve(&resolver, &query);
            if (frame.restored.count != (rows[i].function != NULL)) fail_msg("%s", rows[i].why);
            if (rows[i].function) assert_str(frame.restored.frames[0].function, rows[i].function);
        }
    }
    resolver_close(&resolver);
}

/* Checks that the name is taken from the symbol table if debug info has a placeholder instead. */
static void placeholders_yield_to_symbols(void **state)
{
    static const struct {
        const char *why, *name, *symbol, *function, *spelled;
    } rows[] = {{"a mangled symbol", "__hidden#81_", "_Z3onev", "one()", "_Z3onev"},
                {"one that nobody mangled", "__hidden#7_", "one", "one", ""},
                {"the symbol is a placeholder, too", "__hidden#81_", "__hidden#9_", "__hidden#81_", "__hidden#9_"},
                {"no symbol", "__hidden#81_", NULL, "__hidden#81_", ""},
                {"a name", "_Z3onev", "_Z3twov", "one()", "_Z3twov"}};
    const struct fm_builder_about about = {.kind = FM_STR("macho"), .arch = FM_STR("arm64"), .address_bits = 64};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct making making;
        struct resolver resolver;
        uint32_t scope;
        making_begin(&making, &about);
        must_ok(fm_builder_scope(making.builder, FM_STR(""), &scope, &making.error), &making.error);
        const struct fm_place place = {root_of(&making, NULL, rows[i].name, rows[i].symbol), FM_NONE, 0, 0, FM_NONE, 0};
        must_ok(fm_builder_position(making.builder, scope, 0x10, &place, 1, &making.error), &making.error);
        must_ok(fm_builder_end(making.builder, scope, 0x20, &making.error), &making.error);
        resolver_open(&resolver, making_end(&making));
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.address_kind = FRAMEMAP_ADDRESS_IMAGE;
        query.position = 0x11;
        for (unsigned k = 0; k < 2; k++) { /* the second lookup uses the cache */
            const framemap_frame frame = resolve(&resolver, &query);
            if (!fm_str_equal(frame.restored.frames[0].function, framemap_str_of(rows[i].function)))
                fail_msg("%s", rows[i].why);
            assert_str(frame.restored.frames[0].symbol, rows[i].spelled);
        }
        resolver_close(&resolver);
    }
}

/* Checks that a damaged index gives wrong answers or none, in bounded time. */
static void damaged_bytes(void **state)
{
    (void)state;
    framemap_bytes bytes = make_index(&native);
    unsigned char *copy = malloc(bytes.size);
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, (uint64_t)64 << 20);
    fm_arena_init(&arena, &heap);
    for (size_t i = 0; i < bytes.size; i++) {
        static const unsigned char flips[] = {0x01, 0x80, 0xff};
        for (size_t f = 0; f < COUNT_OF(flips); f++) {
            struct fm_view *view;
            memcpy(copy, bytes.data, bytes.size);
            copy[i] ^= flips[f];
            if (fm_view_open(fm_str(copy, bytes.size), &heap, &view, NULL) != FRAMEMAP_OK) continue;
            for (uint64_t position = 0xf0; position < 0x250; position += 0x10) {
                framemap_query query = FRAMEMAP_QUERY_INIT;
                framemap_frame frame;
                query.position = position;
                framemap_status status = fm_resolve(view, &query, &arena, &frame, NULL);
                assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_MEMORY);
                fm_arena_reset(&arena);
            }
            fm_view_close(view);
        }
    }
    fm_arena_free(&arena);
    free(copy);
    framemap_bytes_free(&bytes);
    assert_true(heap.used == 0);
}

/* Checks the answer for position 0x120 of the hand-made image, whose names are not demangled. */
static void check_whole(const framemap_frame *frame)
{
    assert_int_equal(frame->status, FRAMEMAP_FRAME_OK);
    assert_int_equal(frame->restored.count, 2);
    assert_str(frame->restored.frames[0].function, "_Z5inneri");
    assert_str(frame->restored.frames[0].file, "src/libapp.so.c");
    assert_int_equal(frame->restored.frames[0].line, 7);
    assert_str(frame->restored.frames[1].function, "_Z5outerv");
    assert_str(frame->restored.frames[1].file, "src/libapp.so.c");
    assert_int_equal(frame->restored.frames[1].line, 10);
    assert_int_equal(frame->function_offset, 0x20);
}

static bool resolve_once(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_view *view = NULL;
    framemap_frame frame;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.position = 0x120;
    /* Names are not demangled here, because a lack of memory for demangling is not reported as an error. */
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    framemap_error error = {0};
    framemap_status status = fm_view_open(framemap_bytes_str(context), &heap, &view, &error);
    if (status == FRAMEMAP_OK) {
        status = fm_resolve(view, &query, &arena, &frame, &error);
        if (status == FRAMEMAP_OK) check_whole(&frame);
        fm_view_close(view);
    }
    fm_arena_free(&arena);
    assert_true(status == FRAMEMAP_OK || error.code == FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state)
{
    (void)state;
    framemap_bytes bytes = make_index(&native);
    /* The expected number of allocations: one to open the index; one for the answer; three for its names, and three
     * for their table, a page of it and a group; three for the first path and the cached functions. */
    assert_true(sweep_keeping_allocations(resolve_once, &bytes) <= 11);
    framemap_bytes_free(&bytes);
}

/* Unpacks the names of the hand-made image's chain, which every lookup needs. */
static void read_names(const struct fm_view *view)
{
    struct fm_hit hit;
    struct fm_view_place place;
    struct fm_view_node node;
    assert_int_equal(fm_view_lookup(view, 0, 0x120, &hit), FRAMEMAP_OK);
    assert_int_equal(fm_view_place(view, &hit, 0, &place), FRAMEMAP_OK);
    for (uint32_t at = place.node; at != FM_VIEW_NONE; at = node.parent)
        assert_int_equal(fm_view_node(view, at, &node), FRAMEMAP_OK);
}

/* Checks that each answer is computed anew, with the same result, if there is no room for the cache; with room, it is
 * computed only once. */
static void nothing_is_kept_over_the_ceiling(void **state)
{
    (void)state;
    framemap_bytes bytes = make_index(&native);
    struct fm_heap heap, arena_heap;
    struct fm_arena arena;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_error error = {0};
    const char *path = NULL;
    fm_heap_init(&arena_heap, NULL, 0);
    fm_arena_init(&arena, &arena_heap);
    query.position = 0x120;
    for (unsigned narrow = 0; narrow < 2; narrow++) {
        struct fm_view *view;
        framemap_frame frame;
        fm_heap_init(&heap, NULL, 0);
        must_ok(fm_view_open(framemap_bytes_str(&bytes), &heap, &view, &error), &error);
        read_names(view);
        if (narrow) heap.ceiling = heap.used; /* no further memory can be allocated */
        for (unsigned i = 0; i < 2; i++) {
            must_ok(fm_resolve(view, &query, &arena, &frame, &error), &error);
            assert_str(frame.restored.frames[0].function, "inner(int)");
            assert_str(frame.restored.frames[0].symbol, "_Z5inneri");
            assert_str(frame.restored.frames[0].file, "src/libapp.so.c");
            assert_str(frame.restored.frames[1].function, "outer()");
            if (i > 0) assert_int_equal(frame.restored.frames[0].file.data == path, !narrow);
            path = frame.restored.frames[0].file.data;
        }
        fm_view_close(view);
        assert_true(heap.used == 0);
    }
    fm_arena_free(&arena);
    framemap_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(native_addresses),
        cmocka_unit_test(offsets_in_the_file),
        cmocka_unit_test(names_of_each_style),
        cmocka_unit_test(java_positions),
        cmocka_unit_test(js_positions),
        cmocka_unit_test(partial_answers),
        cmocka_unit_test(return_addresses_of_thumb),
        cmocka_unit_test(damaged_bytes),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(nothing_is_kept_over_the_ceiling),
        cmocka_unit_test(placeholders_yield_to_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
