/* Reads folded stacks, the text from which flame graphs are made; async-profiler writes such text too:
 *
 *     java;start_thread;a/b.c_[j];sys_read_[k] 60
 *
 * The outermost frame is first. If the first stack has two counts, the second count of each line is that of another
 * recording (difffolded.pl). Counts may have fractions; the part that rounding removes from one count is added to the
 * next, so that the sum remains right. folded_write.c writes such texts. */
#include "formats/profiles/folded_write.h"

#define DIGITS 6 /* number of decimal places of a count that are used */
#define ONE INT64_C(1000000)

struct folded_samples {
    /* for each kind of count: the part that rounding removed so far and that was not added again, in units of 1/ONE */
    int64_t rest[2];
    uint32_t columns[2];
    bool known;
    bool two; /* each stack of the text has two counts; the first stack decides that */
};

/* Cuts " 12" or " 12.5" off the end of the text. *number: the digits. */
static bool cut_count(framemap_str *text, framemap_str *number)
{
    int64_t ignored;
    const size_t at = fm_folded_number(*text);
    if (at == text->size) return false;
    *number = fm_str_from(*text, at);
    if (!fm_profile_decimal(*number, 0, &ignored)) return false;
    *text = fm_str_trim(fm_str(text->data, at));
    return true;
}

/* Returns a count rounded to a whole number. *rest: the part that rounding removed from previous counts, which is added
 * first; only counts with fractions change it. */
static int64_t rounded(framemap_str number, int64_t *rest)
{
    int64_t whole = 0, parts;
    (void)fm_profile_decimal(number, 0, &whole);
    if (fm_str_find_byte(number, '.') == FM_NOT_FOUND || !fm_profile_decimal(number, DIGITS, &parts)) return whole;
    if (parts > INT64_MAX - ONE) return whole;
    parts += *rest;
    whole = (parts + ONE / 2) / ONE; /* the sum is not negative, since *rest is at least -ONE / 2 */
    *rest = parts - whole * ONE;
    return whole;
}

/* Whether the line is a comment, "# text". A stack such as "#;main 3" may begin with '#' too. */
static bool is_comment(framemap_str text)
{
    return text.data[0] == '#' &&
           (text.size < 2 || fm_is_blank(text.data[1]) || fm_str_find_byte(text, ';') == FM_NOT_FOUND);
}

static uint32_t add_frames(framemap_sample_set *set, framemap_str stack)
{
    uint32_t node = FM_NO_ID;
    for (size_t depth = 0; depth < FM_PROFILE_FRAMES; depth++) {
        const char *end = memchr(stack.data, ';', stack.size);
        const framemap_str name = end ? fm_str(stack.data, (size_t)(end - stack.data)) : stack;
        struct fm_sample_frame frame = {.function = fm_samples_string(set, name)};
        if (fm_str_ends(name, FM_STR("_[i]"))) frame.flags = FM_FRAME_INLINED;
        node = fm_samples_node(set, node, fm_samples_frame(set, &frame));
        if (end == NULL) break;
        stack = fm_str_from(stack, name.size + 1);
    }
    return node;
}

static void folded_line(void *memory, framemap_sample_set *set, framemap_str line)
{
    struct folded_samples *state = memory;
    framemap_str text = fm_str_trim(line), numbers[2], first;
    if (text.size == 0 || is_comment(text) || !cut_count(&text, &numbers[0]) || text.size == 0) return;
    size_t count = 1;
    framemap_str shorter = text;
    if ((!state->known || state->two) && cut_count(&shorter, &first) && shorter.size) {
        numbers[1] = numbers[0];
        numbers[0] = first;
        text = shorter;
        count = 2;
        state->two = true;
    }
    if (!state->known) state->columns[0] = fm_samples_column(set, FM_STR("samples"), FM_STR("count"));
    if (count == 2) state->columns[1] = fm_samples_column(set, FM_STR("after"), FM_STR("count"));
    state->known = true;
    const struct fm_sample_entry row = {FM_NO_TIME, add_frames(set, text), FM_NO_ID, FM_NO_ID};
    int64_t values[2];
    for (size_t i = 0; i < count; i++) values[i] = rounded(numbers[i], &state->rest[i]);
    fm_samples_add(set, &row, state->columns, values, count);
}

static void folded_end(void *memory, framemap_sample_set *set) { (void)memory, (void)set; }

/* Whether the text is in folded form: most of the first lines are stacks, and at least one stack has more than one
 * frame. */
static bool folded_looks(framemap_str head)
{
    struct fm_scan s = fm_scan_of(head);
    framemap_str line;
    unsigned stacks = 0, deep = 0, strange = 0;
    while (stacks + strange < 32 && fm_scan_line(&s, &line)) {
        framemap_str text = fm_str_trim(line), count;
        if (text.size == 0 || is_comment(text)) continue;
        /* the last line of the head may be incomplete */
        if (fm_scan_done(&s) && head.data[head.size - 1] != '\n' && stacks) break;
        if (!cut_count(&text, &count) || text.size == 0 || text.data[0] == '{') {
            strange++;
            continue;
        }
        stacks++;
        if (fm_str_find_byte(text, ';') != FM_NOT_FOUND) deep++;
    }
    return deep > 0 && strange * 2 <= stacks + 1;
}

const struct fm_profile_format fm_profile_folded = {
    .info = {"folded", "folded stacks, one a line with its count (a;b;c 12)", true, true, FRAMEMAP_PART_INLINED},
    .looks = folded_looks,
    .state_size = sizeof(struct folded_samples),
    .line = folded_line,
    .end = folded_end,
    .write = fm_folded_write,
    .flattens = true};
