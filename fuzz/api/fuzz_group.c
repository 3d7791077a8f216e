/* Groups stacks. The input has in-app rules, code owners and stacks, separated by lines of '\x01'. Properties: rules
 * that were accepted can be queried; computing a fingerprint twice gives the same value, and restoring a text with the
 * rules gives that value, too; every stack is in a group, or is counted as being in none. */
#include "core/text/buffer.h"
#include "fuzz/support/harness_help.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct group_fuzz {
    framemap_rules *rules;
    framemap_groups *groups;
    uint64_t visited;
};

/* Returns the text before the next separator, and moves *rest after the separator. */
static framemap_str take_part(framemap_str *rest)
{
    const size_t mark = fm_str_find_byte(*rest, '\x01');
    const framemap_str part = mark == FM_NOT_FOUND ? *rest : fm_str_slice(*rest, 0, mark);
    *rest = mark == FM_NOT_FOUND ? fm_str(NULL, 0) : fm_str_from(*rest, mark + 1);
    return part;
}

static void check_frames(const struct group_fuzz *fuzz, const framemap_trace *trace)
{
    for (size_t i = 0; i < trace->frame_count; i++) {
        (void)framemap_rules_in_app(fuzz->rules, trace, &trace->frames[i], &trace->frames[i]);
        (void)framemap_rules_owner(fuzz->rules, trace->frames[i].file);
    }
}

/* Checks the traces that the visitor gets when a text is restored with rules. Their fingerprints must equal the ones
 * that framemap_trace_list_mark computes. */
static void check_marks(const struct group_fuzz *fuzz, const framemap_trace *traces, size_t count)
{
    char wanted[FRAMEMAP_FINGERPRINT_SIZE];
    const framemap_fingerprint_options options = {.size = sizeof options, .rules = fuzz->rules};
    for (size_t i = 0; i < count; i++) {
        must((traces[i].fingerprint.size == 32) == (traces[i].role == FRAMEMAP_ROLE_NONE));
        if (traces[i].role != FRAMEMAP_ROLE_NONE) continue;
        must(framemap_trace_fingerprint(&traces[i], count - i, &options, wanted, NULL) == FRAMEMAP_OK);
        must(fm_str_equal(traces[i].fingerprint, framemap_str_of(wanted)));
    }
}

static void mark_list(const framemap_rules *rules, framemap_str text)
{
    framemap_trace_list list = {0};
    if (framemap_trace_parse(text, NULL, &list, NULL) != FRAMEMAP_OK) return;
    must(framemap_trace_list_mark(&list, rules, NULL) == FRAMEMAP_OK);
    for (size_t i = 0; i < list.count; i++)
        for (size_t j = 0; j < list.traces[i].frame_count; j++)
            must(list.traces[i].frames[j].has_in_app == (list.traces[i].frames[j].kind != FRAMEMAP_KIND_MARKER));
    framemap_trace_list_free(&list);
}

static void visit(void *context, const framemap_trace *traces, size_t count)
{
    struct group_fuzz *fuzz = context;
    char first[FRAMEMAP_FINGERPRINT_SIZE], again[FRAMEMAP_FINGERPRINT_SIZE];
    const framemap_fingerprint_options options = {.size = sizeof options, .rules = fuzz->rules};
    for (size_t i = 0; i < count; i++) {
        check_frames(fuzz, &traces[i]);
        must(framemap_trace_fingerprint(&traces[i], count - i, &options, first, NULL) == FRAMEMAP_OK);
        must(framemap_trace_fingerprint(&traces[i], count - i, &options, again, NULL) == FRAMEMAP_OK);
        must(strlen(first) == 32 && strcmp(first, again) == 0);
    }
    check_marks(fuzz, traces, count);
    must(framemap_groups_add(fuzz->groups, framemap_str_of("x"), traces, count, NULL) == FRAMEMAP_OK);
    fuzz->visited += count;
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static void check_groups(struct group_fuzz *fuzz)
{
    const framemap_groups_totals totals = framemap_groups_count(fuzz->groups);
    framemap_group group;
    uint64_t sum = totals.others, last = UINT64_MAX;
    for (uint64_t i = 0; framemap_groups_get(fuzz->groups, i, &group); i++, last = group.count) {
        must(group.count > 0 && group.count <= last);
        sum += group.count;
    }
    must(sum == totals.stacks && totals.stacks <= fuzz->visited && totals.groups <= 16);
}

static void print_groups(struct group_fuzz *fuzz, const char *format)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must(framemap_groups_print(fuzz->groups, format, 8, gather, &out, NULL) == FRAMEMAP_OK);
    must(out.size > 0 && out.data[out.size - 1] == '\n');
    fm_buf_free(&out);
}

static bool pass(void *context, const char *data, size_t size)
{
    (void)context;
    (void)data;
    return size > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    framemap_str rest = fm_str(data, size);
    framemap_rules_options options = {.size = sizeof options};
    const framemap_groups_options bounded = {.size = sizeof bounded, .max_groups = 16};
    struct group_fuzz fuzz = {NULL, NULL, 0};
    framemap_groups_options with_rules = bounded;
    options.in_app = take_part(&rest);
    options.owners = take_part(&rest);
    const framemap_status status = framemap_rules_open(&options, &fuzz.rules, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_FORMAT || status == FRAMEMAP_E_LIMIT);
    if (status != FRAMEMAP_OK) must(framemap_rules_open(NULL, &fuzz.rules, NULL) == FRAMEMAP_OK);
    with_rules.rules = fuzz.rules;
    must(framemap_groups_open(&with_rules, &fuzz.groups, NULL) == FRAMEMAP_OK);
    (void)framemap_rules_owner(fuzz.rules, rest);
    const framemap_restore_options restore = {
        .size = sizeof restore, .visit = visit, .visit_context = &fuzz, .rules = fuzz.rules};
    mark_list(fuzz.rules, rest);
    (void)framemap_session_restore(fuzz_demo_session(true), rest, &restore, pass, NULL, NULL, NULL);
    check_groups(&fuzz);
    print_groups(&fuzz, "text");
    print_groups(&fuzz, "json");
    framemap_groups_close(fuzz.groups);
    framemap_rules_close(fuzz.rules);
    return 0;
}
