/* Tests of damaged indexes: named samples, every prefix, every flipped byte, and flips with recomputed checksums.
 * Nothing may be read out of bounds; each copy has its exact size, so that sanitizers see such reads. Verifying must
 * detect all damage, unless the checksums were recomputed after it. */
#include "tests/index/support/by_hand.h"
#include "tests/index/support/class_by_hand.h"
#include "tests/index/support/damage.h"

/* --- damaging indexes --- */

struct copy {
    unsigned char *data;
    size_t size;
};

static struct copy copy_of(const unsigned char *data, size_t size)
{
    struct copy copy = {malloc(size ? size : 1), size};
    if (size) memcpy(copy.data, data, size);
    return copy;
}

static unsigned char *entry_of(const struct copy *copy, unsigned id)
{
    const uint32_t sections = fm_load32(copy->data + FMX_AT_SECTIONS);
    for (uint32_t i = 0; i < sections; i++)
        if (copy->data[FMX_HEADER + FMX_ENTRY * i] == id) return copy->data + FMX_HEADER + FMX_ENTRY * i;
    fail_msg("the index has no section %u", id);
    return NULL;
}

static unsigned char *section_of(const struct copy *copy, unsigned id)
{
    return copy->data + fm_load64(entry_of(copy, id) + FMX_ENTRY_OFFSET);
}

static void set_field(const struct copy *copy, unsigned id, uint64_t row, unsigned field, uint64_t value)
{
    const unsigned char *widths = entry_of(copy, id) + FMX_ENTRY_WIDTHS;
    unsigned char *data = section_of(copy, id);
    uint64_t row_bits = 0, bit = 0;
    for (unsigned f = 0; f < FMX_FIELDS; f++) {
        if (f < field) bit += widths[f];
        row_bits += widths[f];
    }
    bit += row * row_bits;
    for (unsigned i = 0; i < widths[field]; i++, bit++)
        data[bit / 8] = (unsigned char)((data[bit / 8] & ~(1u << bit % 8)) | (unsigned)(value >> i & 1) << bit % 8);
}

/* --- reading damaged indexes --- */

/* Makes all calls for a bounded number of positions of one scope. */
static void use_scope(const struct fm_view *view, uint64_t scope)
{
    static const uint64_t positions[] = {0, 1, 17, 0x1000, 0x1018, 0x2000, 0x900000, UINT64_MAX};
    struct fm_short_hit found, many[COUNT_OF(positions)], plain[COUNT_OF(positions)];
    struct fm_hit hit;
    fm_view_find_many(view, scope, positions, COUNT_OF(positions), many);
    fm_view_find_many_plain(view, scope, positions, COUNT_OF(positions), plain);
    for (size_t i = 0; i < COUNT_OF(positions); i++) {
        fm_view_whole_hit(view, scope, positions[i], &many[i], &hit);
        fm_view_whole_hit(view, scope, positions[i], &plain[i], &hit);
        fm_view_find(view, scope, positions[i], &found);
        fm_view_whole_hit(view, scope, positions[i], &found, &hit);
        fm_view_find_plain(view, scope, positions[i], &found);
        fm_view_whole_hit(view, scope, positions[i], &found, &hit);
        if (fm_view_lookup(view, scope, positions[i], &hit) != FRAMEMAP_OK) continue;
        for (uint32_t p = 0; p < hit.place_count && p < 4; p++) {
            struct fm_view_place place;
            struct fm_view_node node;
            if (fm_view_place(view, &hit, p, &place) != FRAMEMAP_OK) continue;
            unsigned depth = 0;
            for (uint32_t at = place.node; at != FM_VIEW_NONE; at = node.parent) {
                framemap_str alias;
                if (fm_view_node(view, at, &node) != FRAMEMAP_OK) break;
                fm_view_alias(view, at, 0, &alias);
                assert_true(node.parent == FM_VIEW_NONE || node.parent < at);
                assert_true(++depth < 100000);
            }
        }
    }
    unsigned steps = 0;
    for (bool more = fm_view_next(view, scope, 0, &hit); more && steps < 100; steps++)
        more = hit.start != UINT64_MAX && fm_view_next(view, scope, hit.start + 1, &hit);
}

static framemap_status use(const struct copy *copy, framemap_status *opened)
{
    struct fm_heap heap;
    struct fm_view *view;
    framemap_error error = {.message = ""};
    fm_heap_init(&heap, NULL, (uint64_t)64 << 20);
    *opened = fm_view_open(fm_str(copy->data, copy->size), &heap, &view, &error);
    if (*opened != FRAMEMAP_OK) {
        assert_true(error.code == *opened && error.message[0] != 0);
        return *opened;
    }
    struct fm_view_about about;
    framemap_str key;
    uint64_t number, first, last;
    fm_view_about(view, &about);
    fm_view_scope(view, FM_STR("data"), &number);
    fm_view_scope_number(view, 2, &number);
    for (uint64_t scope = 0; scope < about.scope_count && scope < 4; scope++) {
        fm_view_scope_at(view, scope, &key, &number, &first, &last);
        use_scope(view, scope);
    }
    unsigned left = 3;
    const struct fm_split_sink few = {take_few_values, &left};
    fm_split(view, &heap, &few, NULL);
    const framemap_status status = fm_view_verify(view, &error);
    if (status != FRAMEMAP_OK)
        assert_true(error.code == status && error.where[0] != 0 && error.has_offset && error.offset < copy->size);
    fm_view_close(view);
    assert_int_equal(heap.used, 0);
    return status;
}

/* --- testing that damage is refused or harmless --- */

static struct fm_built (*const builds[])(struct fm_heap *) = {build_documented, build_native, build_java,
                                                              build_source_map};

static void every_prefix_is_refused(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT_OF(builds); b++) {
        struct fm_heap heap;
        fm_heap_init(&heap, NULL, 0);
        struct fm_built built = builds[b](&heap);
        for (size_t size = 0; size < built.size; size++) {
            struct copy copy = copy_of(built.data, size);
            framemap_status opened;
            use(&copy, &opened);
            assert_int_equal(opened, size < 4 ? FRAMEMAP_E_FORMAT : FRAMEMAP_E_TRUNCATED);
            free(copy.data);
        }
        fm_heap_free(&heap, built.data, built.size);
    }
}

/* Checks that each flipped byte is detected, either when the index is opened or when it is verified. */
static void every_flip_is_seen(void **state)
{
    (void)state;
    static const unsigned char flips[] = {0x01, 0x80, 0xFF};
    for (size_t b = 0; b < COUNT_OF(builds); b++) {
        struct fm_heap heap;
        fm_heap_init(&heap, NULL, 0);
        struct fm_built built = builds[b](&heap);
        for (size_t at = 0; at < built.size; at++)
            for (size_t f = 0; f < COUNT_OF(flips); f++) {
                struct copy copy = copy_of(built.data, built.size);
                framemap_status opened;
                copy.data[at] ^= flips[f];
                if (use(&copy, &opened) == FRAMEMAP_OK) fail_msg("a flip at %zu is not seen", at);
                free(copy.data);
            }
        fm_heap_free(&heap, built.data, built.size);
    }
}

/* Flips bits and recomputes the checksums: the result is another valid index, or an invalid one. If it verifies,
 * every answer can be read. */
static void sealed_flips_do_no_harm(void **state)
{
    (void)state;
    size_t bad = 0, good = 0;
    for (size_t b = 0; b < COUNT_OF(builds); b++) {
        struct fm_heap heap;
        fm_heap_init(&heap, NULL, 0);
        struct fm_built built = builds[b](&heap);
        for (size_t at = 0; at < built.size; at++)
            for (unsigned bit = (unsigned)(at % TEST_STEP); bit < 8; bit += TEST_STEP) {
                struct copy copy = copy_of(built.data, built.size);
                framemap_status opened;
                copy.data[at] ^= (unsigned char)(1u << bit);
                seal(copy.data, copy.size);
                if (use(&copy, &opened) == FRAMEMAP_OK)
                    good++;
                else
                    bad++;
                free(copy.data);
            }
        fm_heap_free(&heap, built.data, built.size);
    }
    assert_true(bad > good && good > 100); /* some flips give damaged indexes, others sound ones */
}

/* --- making damaged samples that must be refused --- */

static void bad_magic(struct copy *copy) { copy->data[0] = 'f'; }
static void bad_version(struct copy *copy) { fm_store32(copy->data + FMX_AT_VERSION, 3); }
static void bad_check(struct copy *copy) { copy->data[FMX_AT_BASE] ^= 1; }
static void bad_truncated(struct copy *copy) { copy->size -= 9; }
static void bad_trailing(struct copy *copy)
{
    copy->data = realloc(copy->data, copy->size + 1);
    copy->data[copy->size++] = 0;
}
static void bad_section_outside(struct copy *copy)
{
    fm_store64(entry_of(copy, FMX_NODES) + FMX_ENTRY_OFFSET, UINT64_MAX - 3);
    seal(copy->data, copy->size);
}
static void bad_section_count(struct copy *copy)
{
    fm_store64(entry_of(copy, FMX_FUNCTIONS) + FMX_ENTRY_COUNT, UINT64_MAX / 2);
    seal(copy->data, copy->size);
}
static void bad_section_twice(struct copy *copy)
{
    entry_of(copy, FMX_FILES)[FMX_ENTRY_ID] = FMX_FUNCTIONS;
    seal(copy->data, copy->size);
}
static void bad_width(struct copy *copy)
{
    entry_of(copy, FMX_NODES)[FMX_ENTRY_WIDTHS] = 58;
    seal(copy->data, copy->size);
}
static void bad_shift(struct copy *copy)
{
    copy->data[FMX_AT_SHIFT] = 63;
    seal(copy->data, copy->size);
}
static void bad_hash(struct copy *copy) { section_of(copy, FMX_STRINGS)[5] ^= 1; }
static void bad_scope_order(struct copy *copy)
{
    set_field(copy, FMX_SCOPES, 0, SCOPE_KEY_SIZE, 4);
    seal(copy->data, copy->size);
}
static void bad_range_order(struct copy *copy)
{
    set_field(copy, FMX_RANGES, 1, RANGE_AXIS, 0);
    seal(copy->data, copy->size);
}
static void bad_block_offset(struct copy *copy)
{
    set_field(copy, FMX_BUCKETS, 0, BUCKET_BLOCK, UINT64_MAX);
    seal(copy->data, copy->size);
}
static void bad_block_rows(struct copy *copy)
{
    section_of(copy, FMX_BLOCKS)[0] |= FMX_BLOCK_LONG;
    seal(copy->data, copy->size);
}
static void bad_node_parent(struct copy *copy)
{
    set_field(copy, FMX_NODES, 0, NODE_UP, 2);
    seal(copy->data, copy->size);
}
static void bad_wide_node(struct copy *copy)
{
    set_field(copy, FMX_WIDES, 0, WIDE_NODE, 0);
    seal(copy->data, copy->size);
}
static void bad_function_name(struct copy *copy)
{
    set_field(copy, FMX_FUNCTIONS, 0, FUNCTION_NAME, UINT64_MAX); /* the name is after the last string */
    seal(copy->data, copy->size);
}
/* Returns the first group of sorted strings. */
static unsigned char *first_texts(const struct copy *copy)
{
    const uint64_t at =
        fm_bits_get(section_of(copy, FMX_SORTED_TEXTS), 0, entry_of(copy, FMX_SORTED_TEXTS)[FMX_ENTRY_WIDTHS]);
    return section_of(copy, FMX_STRINGS) + at;
}
static void bad_text_sizes(struct copy *copy)
{
    first_texts(copy)[1] |= 62; /* the group claims sizes of 31 bits */
    seal(copy->data, copy->size);
}
static void bad_text_count(struct copy *copy)
{
    first_texts(copy)[0] &= (unsigned char)~31u; /* the group claims one string */
    seal(copy->data, copy->size);
}
static void bad_text_group(struct copy *copy)
{
    set_field(copy, FMX_SORTED_TEXTS, 0, SORTED_AT, 0);
    seal(copy->data, copy->size);
}
static void bad_function_file(struct copy *copy)
{
    set_field(copy, FMX_DETAILS, 0, DETAIL_HOME, UINT64_MAX);
    seal(copy->data, copy->size);
}
static void bad_root_count(struct copy *copy)
{
    section_of(copy, FMX_ROOTS)[0] |= 31; /* claims 32 function ranges, without bytes for them */
    seal(copy->data, copy->size);
}
static void bad_root_function(struct copy *copy)
{
    /* flips the bit that says whether the first range belongs to the next function */
    section_of(copy, FMX_ROOTS)[4] ^= 4;
    seal(copy->data, copy->size);
}
static void bad_node_bits(struct copy *copy)
{
    set_field(copy, FMX_NODE_RANKS, 0, RANK_BITS, 0);
    seal(copy->data, copy->size);
}
static void bad_node_sum(struct copy *copy)
{
    entry_of(copy, FMX_NODE_RANKS)[FMX_ENTRY_COUNT] = 2; /* claims rows for more nodes than exist */
    seal(copy->data, copy->size);
}
static void bad_extra_root(struct copy *copy)
{
    set_field(copy, FMX_EXTRAS, 0, EXTRA_ROOT, UINT64_MAX);
    seal(copy->data, copy->size);
}
static void bad_group(struct copy *copy)
{
    set_field(copy, FMX_GROUPS, 0, GROUP_PLACE, 1);
    seal(copy->data, copy->size);
}
static void bad_place_node(struct copy *copy)
{
    set_field(copy, FMX_PLACES, 0, PLACE_NODE, UINT64_MAX);
    seal(copy->data, copy->size);
}
static void bad_positions(struct copy *copy)
{
    fm_store64(copy->data + FMX_AT_POSITIONS, 1);
    seal(copy->data, copy->size);
}

/* --- making damaged samples of the class form that must be refused --- */

static void bad_form(struct copy *copy)
{
    copy->data[FMX_AT_FLAGS] &= (unsigned char)~FMX_FLAG_CLASSES;
    seal(copy->data, copy->size);
}
static void bad_class_order(struct copy *copy)
{
    const unsigned char *widths = entry_of(copy, FMX_CLASSES) + FMX_ENTRY_WIDTHS;
    unsigned row_bits = 0;
    for (unsigned f = 0; f < FMX_FIELDS; f++) row_bits += widths[f];
    const uint64_t second = fm_bits_get(section_of(copy, FMX_CLASSES), row_bits, widths[CLASS_TEXT]);
    set_field(copy, FMX_CLASSES, 0, CLASS_TEXT, second);
    seal(copy->data, copy->size);
}
static void bad_spans_offset(struct copy *copy)
{
    set_field(copy, FMX_METHODS, 1, METHOD_SPANS, UINT64_MAX);
    seal(copy->data, copy->size);
}
static void bad_spans_count(struct copy *copy)
{
    section_of(copy, FMX_SPANS)[1] |= 63; /* claims 64 spans, without bytes for them */
    seal(copy->data, copy->size);
}
static void bad_spans_sorted(struct copy *copy)
{
    section_of(copy, FMX_SPANS)[0] &= (unsigned char)~FMX_SPANS_SORTED;
    seal(copy->data, copy->size);
}
static void bad_spans_long(struct copy *copy)
{
    section_of(copy, FMX_SPANS)[0] |= FMX_SPANS_LONG; /* claims a head that is longer than the bytes */
    seal(copy->data, copy->size);
}
static void bad_member_name(struct copy *copy)
{
    set_field(copy, FMX_MEMBERS, 0, MEMBER_NAME, 0);
    seal(copy->data, copy->size);
}
static void bad_note_order(struct copy *copy)
{
    set_field(copy, FMX_NOTES, 0, NOTE_KIND, FM_NOTE_OUTLINE); /* puts an outline note before a rewrite note */
    seal(copy->data, copy->size);
}
static void bad_note_kind(struct copy *copy)
{
    set_field(copy, FMX_NOTES, 0, NOTE_KIND, 0);
    seal(copy->data, copy->size);
}

static const struct sample {
    const char *name;
    struct fm_built (*build)(struct fm_heap *heap);
    void (*damage)(struct copy *copy);
    framemap_status opens, verifies;
} samples[] = {
    {"bad-magic", build_native, bad_magic, FRAMEMAP_E_FORMAT, FRAMEMAP_E_FORMAT},
    {"bad-version", build_native, bad_version, FRAMEMAP_E_VERSION, FRAMEMAP_E_VERSION},
    {"bad-check", build_native, bad_check, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-truncated", build_native, bad_truncated, FRAMEMAP_E_TRUNCATED, FRAMEMAP_E_TRUNCATED},
    {"bad-trailing", build_native, bad_trailing, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-section-outside", build_native, bad_section_outside, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-section-count", build_native, bad_section_count, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-section-twice", build_native, bad_section_twice, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-width", build_native, bad_width, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-shift", build_native, bad_shift, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-hash", build_native, bad_hash, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-scope-order", build_native, bad_scope_order, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-range-order", build_native, bad_range_order, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-block-offset", build_native, bad_block_offset, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-block-rows", build_native, bad_block_rows, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-node-parent", build_documented, bad_node_parent, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-wide-node", build_native, bad_wide_node, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-function-name", build_native, bad_function_name, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-text-sizes", build_native, bad_text_sizes, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-text-count", build_native, bad_text_count, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-text-group", build_native, bad_text_group, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-function-file", build_java, bad_function_file, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-root-count", build_native, bad_root_count, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-root-function", build_native, bad_root_function, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-node-bits", build_native, bad_node_bits, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-node-sum", build_native, bad_node_sum, FRAMEMAP_E_CORRUPT, FRAMEMAP_E_CORRUPT},
    {"bad-extra-root", build_native, bad_extra_root, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-group", build_java, bad_group, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-place-node", build_java, bad_place_node, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-positions", build_native, bad_positions, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-form", build_mapping, bad_form, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-class-order", build_mapping, bad_class_order, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-spans-offset", build_mapping, bad_spans_offset, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-spans-count", build_mapping, bad_spans_count, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-spans-sorted", build_mapping, bad_spans_sorted, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-spans-long", build_mapping, bad_spans_long, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-member-name", build_mapping, bad_member_name, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-note-kind", build_mapping, bad_note_kind, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
    {"bad-note-order", build_mapping, bad_note_order, FRAMEMAP_OK, FRAMEMAP_E_CORRUPT},
};

/* Checks that a damaged sample is refused: both the sample that is built here and its file in the repository. With
 * FM_WRITE_GOLDEN=1, writes the files. */
static void samples_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(samples); i++) {
        struct fm_heap heap;
        fm_heap_init(&heap, NULL, 0);
        struct fm_built built = samples[i].build(&heap);
        struct copy copy = copy_of(built.data, built.size);
        char path[512];
        framemap_status opened;
        samples[i].damage(&copy);
        snprintf(path, sizeof path, FM_SOURCE_DIR "/corpus/index/%s.fmx", samples[i].name);
        FILE *file = fopen(path, getenv("FM_WRITE_GOLDEN") ? "wb+" : "rb");
        if (file == NULL) fail_msg("%s can't be opened", path);
        if (getenv("FM_WRITE_GOLDEN")) fwrite(copy.data, 1, copy.size, file);
        rewind(file);
        unsigned char kept[4096];
        const size_t size = fread(kept, 1, sizeof kept, file);
        fclose(file);
        if (size != copy.size || memcmp(kept, copy.data, size) != 0)
            fail_msg("%s is not the file that is made here", samples[i].name);
        const framemap_status verified = use(&copy, &opened);
        if (opened != samples[i].opens || verified != samples[i].verifies)
            fail_msg("%s: opened %d, verified %d", samples[i].name, (int)opened, (int)verified);
        free(copy.data);
        fm_heap_free(&heap, built.data, built.size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_prefix_is_refused), cmocka_unit_test(every_flip_is_seen),
                                       cmocka_unit_test(sealed_flips_do_no_harm),
                                       cmocka_unit_test(samples_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
