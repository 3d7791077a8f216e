/* Tests of the comparison of backends. One backend reports the same events as libdwarf's, except for one event. The
 * comparison must detect this and name the difference. */
#include "core/error.h"
#include "core/mapfile.h"
#include "tests/mappers/native/dw_events.h"
#include "tests/testing.h"

/* --- defining a backend that makes one error --- */

enum lie_how { CHANGE, LEAVE_OUT, TELL_TWICE };
struct lie {
    const char *name;
    enum dw_event_kind kind;
    size_t number; /* number of the event to change among the events of its kind, from 0 */
    enum lie_how how;
    size_t offset, size; /* for CHANGE: the member of the reported struct whose lowest bit is flipped; size 0: the names
                            below are changed instead */
    const char *says;    /* text that the description of the difference must contain */
};
#define FIELD(type, field) CHANGE, offsetof(type, field), sizeof(((type *)NULL)->field)
static const struct lie lies[] = {
    {"a claim's range begins later", DW_EVENT_CLAIM, 0, CHANGE, 0, 0, "ranges of claim"},
    {"a weak claim", DW_EVENT_CLAIM, 0, FIELD(struct fm_dw_claim, weak), "weak of claim"},
    {"a claim that is left out", DW_EVENT_CLAIM, 0, LEAVE_OUT, 0, 0, "where"},
    {"a claim's offset", DW_EVENT_CLAIM, 0, FIELD(struct fm_dw_claim, offset), "offset of claim"},
    {"a claim's end", DW_EVENT_CLAIM, 0, FIELD(struct fm_dw_claim, end), "end of claim"},
    {"a unit's offset", DW_EVENT_UNIT, 0, FIELD(struct fm_dw_unit, offset), "offset of unit"},
    {"a unit's version", DW_EVENT_UNIT, 0, FIELD(struct fm_dw_unit, version), "version of unit"},
    {"a unit's language", DW_EVENT_UNIT, 0, FIELD(struct fm_dw_unit, language), "language of unit"},
    {"a unit's name is cut", DW_EVENT_UNIT, 0, CHANGE, offsetof(struct fm_dw_unit, name.size), sizeof(size_t),
     "name of unit"},
    {"a unit's folder is cut", DW_EVENT_UNIT, 0, CHANGE, offsetof(struct fm_dw_unit, folder.size), sizeof(size_t),
     "folder of unit"},
    {"a unit's producer is cut", DW_EVENT_UNIT, 0, CHANGE, offsetof(struct fm_dw_unit, producer.size), sizeof(size_t),
     "producer of unit"},
    {"a unit that is reported twice", DW_EVENT_UNIT, 0, TELL_TWICE, 0, 0, "where"},
    {"a file's name is cut", DW_EVENT_FILE, 1, CHANGE, 0, 0, "path of file"},
    {"a file that is left out", DW_EVENT_FILE, 1, LEAVE_OUT, 0, 0, "number of file"},
    {"a row's address", DW_EVENT_ROW, 7, FIELD(struct fm_dw_row, address), "address of row"},
    {"a row's file", DW_EVENT_ROW, 7, FIELD(struct fm_dw_row, file), "file of row"},
    {"a row's line", DW_EVENT_ROW, 7, FIELD(struct fm_dw_row, line1), "line of row"},
    {"a row's column", DW_EVENT_ROW, 7, FIELD(struct fm_dw_row, col1), "column of row"},
    {"a row that is a statement", DW_EVENT_ROW, 7, FIELD(struct fm_dw_row, is_stmt), "is_stmt of row"},
    {"a row that ends its sequence", DW_EVENT_ROW, 7, FIELD(struct fm_dw_row, end_sequence), "end_sequence of row"},
    {"a row that is reported twice", DW_EVENT_ROW, 20, TELL_TWICE, 0, 0, "row"},
    {"an entry's offset", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, offset), "offset of enter"},
    {"an entry's origin", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, origin), "origin of enter"},
    {"an entry's name is cut", DW_EVENT_ENTER, 3, CHANGE, offsetof(struct fm_dw_function, name.size), sizeof(size_t),
     "name of enter"},
    {"an entry's linkage name is cut", DW_EVENT_ENTER, 3, CHANGE, offsetof(struct fm_dw_function, linkage_name.size),
     sizeof(size_t), "linkage_name of enter"},
    {"an entry's file", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, decl_file), "decl_file of enter"},
    {"an entry's line", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, decl_line1), "decl_line of enter"},
    {"an entry that is artificial", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, artificial), "artificial of enter"},
    {"a call's file", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, call_file), "call_file of enter"},
    {"a call's line", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, call_line1), "call_line of enter"},
    {"a call's column", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, call_col1), "call_column of enter"},
    {"an entry's depth", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, depth), "depth of enter"},
    {"an entry without its last range", DW_EVENT_ENTER, 3, FIELD(struct fm_dw_function, range_count),
     "ranges of enter"},
    {"an entry that is left out", DW_EVENT_ENTER, 3, LEAVE_OUT, 0, 0, "enter"},
    {"an entry that is not left", DW_EVENT_LEAVE, 0, LEAVE_OUT, 0, 0, "where"},
    {"a unit that does not end", DW_EVENT_UNIT_END, 0, LEAVE_OUT, 0, 0, "where"},
};

static struct {
    const struct fm_dw_visitor *to;
    const struct fm_dw_open_callbacks *survey;
    const struct lie *lie;
    size_t seen;     /* number of events so far of the kind that is to be changed */
    bool reported;   /* whether the error was made */
    uint32_t refuse; /* the number of a unit to reject after it was reported, or UINT32_MAX */
} liar;              /* a global variable, since the functions of a backend get no context */

/* Returns the offset of the byte that has the lowest bits of the member: its first byte or, on big-endian machines,
 * its last. */
static size_t lowest_byte(const struct lie *lie)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return lie->offset + (first == 1 ? 0 : lie->size - 1);
}

/* Returns how often an event is passed on: once; or not at all or twice, if the backend makes its error here. copy: the
 * reported struct, of which a member may be changed. */
static int times(enum dw_event_kind kind, void *copy)
{
    if (liar.lie->kind != kind || liar.seen++ != liar.lie->number) return 1;
    liar.reported = true;
    if (liar.lie->how == CHANGE && copy != NULL) ((unsigned char *)copy)[lowest_byte(liar.lie)] ^= 1;
    return liar.lie->how == CHANGE ? 1 : liar.lie->how == LEAVE_OUT ? 0 : 2;
}

static bool on_claim(void *context, const struct fm_dw_claim *claim)
{
    struct fm_dw_claim copy = *claim;
    struct fm_dw_range first = claim->ranges[0];
    const bool reported = liar.reported;
    const int count = times(DW_EVENT_CLAIM, liar.lie->size > 0 ? &copy : NULL);
    if (!reported && liar.reported && liar.lie->how == CHANGE && liar.lie->size == 0) {
        first.low++;
        copy.ranges = &first;
        copy.range_count = 1;
    }
    for (int i = 0; i < count; i++)
        if (!liar.survey->claim(context, &copy)) return false;
    return true;
}
static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    struct fm_dw_unit copy = *unit;
    for (int i = times(DW_EVENT_UNIT, &copy); i > 0; i--)
        if (!liar.to->unit(context, &copy)) return false;
    return true;
}
static bool on_file(void *context, uint32_t number, framemap_str path)
{
    const bool reported = liar.reported;
    const int count = times(DW_EVENT_FILE, NULL);
    if (!reported && liar.reported) path.size--;
    for (int i = 0; i < count; i++)
        if (!liar.to->file(context, number, path)) return false;
    return true;
}
static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct fm_dw_row copy = rows[i];
        for (int j = times(DW_EVENT_ROW, &copy); j > 0; j--)
            if (!liar.to->rows(context, &copy, 1)) return false;
    }
    return true;
}
static bool on_enter(void *context, const struct fm_dw_function *function)
{
    struct fm_dw_function copy = *function;
    for (int i = times(DW_EVENT_ENTER, &copy); i > 0; i--)
        if (!liar.to->enter(context, &copy)) return false;
    return true;
}
static bool on_leave(void *context) { return times(DW_EVENT_LEAVE, NULL) == 0 || liar.to->leave(context); }
static bool on_unit_end(void *context) { return times(DW_EVENT_UNIT_END, NULL) == 0 || liar.to->unit_end(context); }
static void on_fault(void *context, const framemap_error *fault) { liar.to->fault(context, fault); }

static void on_survey_fault(void *context, const framemap_error *fault) { liar.survey->fault(context, fault); }

static framemap_status open_lying(const struct fm_image *image, const struct fm_mapper_host *host,
                                  const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                  framemap_error *error)
{
    const struct fm_dw_open_callbacks between = {survey->context, on_claim, on_survey_fault};

    liar.survey = survey;
    return fm_dw_libdwarf.open(image, host, &between, out, error);
}

static framemap_status walk(struct fm_dw_worker *worker, uint32_t number, const struct fm_dw_visitor *visitor,
                            framemap_error *error)
{
    const struct fm_dw_visitor between = {
        visitor->context, on_unit,     on_file,  on_rows,           on_enter,
        on_leave,         on_unit_end, on_fault, visitor->one_name, visitor->needs_function};

    liar.to = visitor;
    framemap_status status = fm_dw_libdwarf.walk(worker, number, &between, error);
    if (liar.refuse == number && status == FRAMEMAP_OK)
        status = fm_error_at(error, FRAMEMAP_E_CORRUPT, 0x77, "refused");
    return status;
}

static struct fm_dw_backend make_liar(void)
{
    struct fm_dw_backend lying = fm_dw_libdwarf;

    lying.name = "the liar";
    lying.open = open_lying;
    lying.walk = walk;
    return lying;
}

static const struct lie no_lie = {"nothing", DW_EVENT_KINDS, 0, CHANGE, 0, 0, ""};

static void begin_lying(const struct lie *lie)
{
    liar.lie = lie;
    liar.seen = 0;
    liar.reported = false;
    liar.refuse = UINT32_MAX;
}

/* --- making the sample: some units, inlined functions with linkage names, files and columns, rows of several files ---
 */

struct sample {
    struct fm_mapfile file;
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image image;
    struct dw_events truth;
};

static int open_sample(void **state)
{
    static struct sample sample;
    const struct fm_mapper_host host = {.heap = &sample.heap};

    fm_heap_init(&sample.heap, NULL, 0);
    fm_arena_init(&sample.arena, &sample.heap);
    if (fm_mapfile_open(FM_SOURCE_DIR "/corpus/native/rust-x86_64-O2-v0.so", &sample.file, NULL) != FRAMEMAP_OK)
        return 1;
    if (fm_image_open(sample.file.bytes, NULL, &sample.arena, &sample.image, NULL) != FRAMEMAP_OK) return 1;
    dw_events_record(&sample.truth, &fm_dw_libdwarf, &sample.image, &host, false);
    *state = &sample;
    return 0;
}

static int close_sample(void **state)
{
    struct sample *sample = *state;
    dw_events_free(&sample->truth);
    fm_arena_free(&sample->arena);
    fm_mapfile_close(&sample->file);
    return sample->heap.used == 0 ? 0 : 1;
}

static void test_sees_every_lie(void **state)
{
    struct sample *sample = *state;
    const struct fm_mapper_host host = {.heap = &sample->heap};

    for (size_t i = 0; i < COUNT_OF(lies); i++) {
        struct dw_events reported = {.limit = 0};
        const struct fm_dw_backend lying = make_liar();
        char *words = NULL;
        size_t size = 0;
        begin_lying(&lies[i]);
        dw_events_record(&reported, &lying, &sample->image, &host, false);
        if (!liar.reported) fail_msg("%s: was never reported", lies[i].name);
        FILE *to = open_memstream(&words, &size);
        assert_non_null(to);
        const bool equal = dw_events_equal(&sample->truth, "libdwarf", &reported, "the liar", to);
        fclose(to);
        if (equal) fail_msg("%s: was not seen", lies[i].name);
        if (strstr(words, lies[i].says) == NULL)
            fail_msg("%s: words without \"%s\":\n%s", lies[i].name, lies[i].says, words);
        free(words);
        dw_events_free(&reported);
    }
}

static void test_truth_is_equal_and_sound(void **state)
{
    struct sample *sample = *state;
    const struct fm_mapper_host host = {.heap = &sample->heap};
    struct dw_events again = {.limit = 0};

    dw_events_record(&again, &fm_dw_libdwarf, &sample->image, &host, true);
    assert_true(dw_events_sound(&sample->truth, "libdwarf", stderr));
    assert_true(dw_events_equal(&sample->truth, "libdwarf", &again, "again", stderr));
    for (size_t kind = 0; kind < DW_EVENT_KINDS; kind++) {
        if (kind != DW_EVENT_FAULT && sample->truth.counts[kind] < 1)
            fail_msg("the sample has no event of kind %zu", kind);
    }
    dw_events_free(&again);
}

/* Checks that a recording that was stopped differs from a complete one. */
static void test_sees_an_early_end(void **state)
{
    struct sample *sample = *state;
    const struct fm_mapper_host host = {.heap = &sample->heap};
    struct dw_events cut = {.limit = 200};

    dw_events_record(&cut, &fm_dw_libdwarf, &sample->image, &host, false);
    assert_true(cut.full);
    assert_false(dw_events_equal(&sample->truth, "libdwarf", &cut, "cut", NULL));
    assert_false(dw_events_equal(&cut, "cut", &sample->truth, "libdwarf", NULL));
    dw_events_free(&cut);
}

/* Checks the rules of dw_visitor.h that a single recording can break. */
static void test_sees_broken_promises(void **state)
{
    static const struct lie broken[] = {
        {"a claim twice", DW_EVENT_CLAIM, 0, TELL_TWICE, 0, 0, ""},
        {"a claim's number", DW_EVENT_CLAIM, 0, FIELD(struct fm_dw_claim, number), ""},
        {"a unit's number", DW_EVENT_UNIT, 0, FIELD(struct fm_dw_unit, number), ""},
        {"a unit in a unit", DW_EVENT_UNIT, 0, TELL_TWICE, 0, 0, ""},
        {"a file not announced", DW_EVENT_FILE, 1, LEAVE_OUT, 0, 0, ""},
        {"left but not entered", DW_EVENT_ENTER, 0, LEAVE_OUT, 0, 0, ""},
        {"entered but not left", DW_EVENT_LEAVE, 0, LEAVE_OUT, 0, 0, ""},
        {"a unit without an end", DW_EVENT_UNIT_END, 0, LEAVE_OUT, 0, 0, ""},
    };
    struct sample *sample = *state;
    const struct fm_mapper_host host = {.heap = &sample->heap};

    for (size_t i = 0; i < COUNT_OF(broken); i++) {
        struct dw_events reported = {.limit = 0};
        const struct fm_dw_backend lying = make_liar();
        begin_lying(&broken[i]);
        dw_events_record(&reported, &lying, &sample->image, &host, false);
        if (dw_events_sound(&reported, "the liar", NULL)) fail_msg("%s: was not seen", broken[i].name);
        dw_events_free(&reported);
    }
}

/* Checks that a unit is recorded in the same way whether it is rejected in the walk or when the image is opened: it has
 * no claim, and its error is among the faults of opening. */
static void test_refused_units(void **state)
{
    struct sample *sample = *state;
    const struct fm_mapper_host host = {.heap = &sample->heap};
    const struct fm_dw_backend lying = make_liar();
    struct dw_events reported = {.limit = 0}, again = {.limit = 0};

    begin_lying(&no_lie);
    liar.refuse = 0;
    dw_events_record(&reported, &lying, &sample->image, &host, false);
    assert_true(dw_events_sound(&reported, "the liar", stderr));
    assert_true(dw_events_have_fault(&reported, FRAMEMAP_E_CORRUPT));
    assert_false(dw_events_equal(&sample->truth, "libdwarf", &reported, "the liar", NULL));
    dw_events_record(&again, &lying, &sample->image, &host, true);
    assert_true(dw_events_equal(&again, "again", &reported, "the liar", stderr));
    dw_events_free(&reported);
    dw_events_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth_is_equal_and_sound),
        cmocka_unit_test(test_sees_every_lie),
        cmocka_unit_test(test_sees_an_early_end),
        cmocka_unit_test(test_sees_broken_promises),
        cmocka_unit_test(test_refused_units),
    };
    return cmocka_run_group_tests(tests, open_sample, close_sample);
}
