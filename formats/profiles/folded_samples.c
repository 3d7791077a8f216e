/* Reads and writes folded stacks, the text that flame graphs are made of, also as async-profiler collapses them:
 *
 *     java;start_thread;a/b.c_[j];sys_read_[k] 60
 *
 * The outermost frame is first. A second count is that of another recording (difffolded.pl). Written stacks begin with
 * the name of the process, where it is known. */
#include "core/text/merge_sort.h"
#include "formats/profiles/profile_format.h"

struct folded_samples {
    uint32_t columns[2];
    bool known;
};

/* Cuts " 12", or " 12.5", off the end. */
static bool cut_count(framemap_str *text, int64_t *count)
{
    size_t at = text->size;
    while (at && (fm_is_digit(text->data[at - 1]) || text->data[at - 1] == '.')) at--;
    if (at == text->size || at < 2 || !fm_is_blank(text->data[at - 1])) return false;
    if (!fm_profile_decimal(fm_str_from(*text, at), 0, count)) return false;
    *text = fm_str_trim(fm_str(text->data, at));
    return true;
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
    framemap_str text = fm_str_trim(line);
    int64_t values[2] = {0, 0};
    if (text.size == 0 || text.data[0] == '#' || !cut_count(&text, &values[0]) || text.size == 0) return;
    size_t count = 1;
    framemap_str shorter = text;
    if (cut_count(&shorter, &values[1]) && shorter.size) {
        const int64_t second = values[0];
        values[0] = values[1];
        values[1] = second;
        text = shorter;
        count = 2;
    }
    if (!state->known) state->columns[0] = fm_samples_column(set, FM_STR("samples"), FM_STR("count"));
    if (count == 2) state->columns[1] = fm_samples_column(set, FM_STR("after"), FM_STR("count"));
    state->known = true;
    const struct fm_sample_entry row = {FM_NO_TIME, add_frames(set, text), FM_NO_ID, FM_NO_ID};
    fm_samples_add(set, &row, state->columns, values, count);
}

static void folded_end(void *memory, framemap_sample_set *set) { (void)memory, (void)set; }

/* Most of the first lines are stacks, and one has more than one frame. */
static bool folded_looks(framemap_str head)
{
    struct fm_scan s = fm_scan_of(head);
    framemap_str line;
    unsigned stacks = 0, deep = 0, strange = 0;
    while (stacks + strange < 32 && fm_scan_line(&s, &line)) {
        framemap_str text = fm_str_trim(line);
        int64_t count;
        if (text.size == 0 || text.data[0] == '#') continue;
        if (fm_scan_done(&s) && head.data[head.size - 1] != '\n' && stacks) break; /* may be cut */
        if (!cut_count(&text, &count) || text.size == 0 || text.data[0] == '{') {
            strange++;
            continue;
        }
        stacks++;
        if (fm_str_find_byte(text, ';') != FM_NOT_FOUND) deep++;
    }
    return deep > 0 && strange * 2 <= stacks + 1;
}

/* --- writing --- */

/* --- lines in the order of their bytes --- */

struct folded_texts {
    struct fm_buf text;
    size_t *starts; /* one more than there are rows */
    struct fm_sort_item *order;
    size_t count;
};

static framemap_str text_of(const struct folded_texts *texts, uint32_t number)
{
    return fm_str_slice(fm_buf_view(&texts->text), texts->starts[number], texts->starts[number + 1]);
}

static int compare_texts(const void *context, uint32_t a, uint32_t b)
{
    return fm_str_compare(text_of(context, a), text_of(context, b));
}

static void put_stack(struct folded_texts *texts, const framemap_sample_set *flat, uint32_t node, uint32_t *frames)
{
    size_t count;
    fm_profile_frames_of(flat, node, frames, &count);
    if (count == 0) fm_buf_str(&texts->text, FM_STR("[unknown]"));
    for (size_t i = 0; i < count; i++) {
        if (i) fm_buf_byte(&texts->text, ';');
        const framemap_str name = fm_samples_text(flat, flat->frames[frames[i]].function);
        const size_t at = texts->text.size;
        fm_buf_str(&texts->text, name);
        for (size_t byte = at; byte < texts->text.size; byte++)
            if (texts->text.data[byte] == ';') texts->text.data[byte] = ':';
    }
}

/* The line of each row that has a weight. */
static void make_texts(struct fm_profile_out *out, const framemap_sample_set *flat, struct folded_texts *texts)
{
    uint32_t *frames = fm_profile_alloc(out, FM_PROFILE_FRAMES, sizeof *frames);
    texts->starts = fm_profile_alloc(out, flat->row.count + 1, sizeof *texts->starts);
    texts->order = fm_profile_alloc(out, flat->row.count + 1, sizeof *texts->order);
    for (size_t row = 0; row < flat->row.count && out->status == FRAMEMAP_OK; row++) {
        texts->starts[row] = texts->text.size;
        put_stack(texts, flat, flat->rows[row].node, frames);
        texts->starts[row + 1] = texts->text.size;
        if (fm_samples_value(flat, row, 0) == 0) continue;
        texts->order[texts->count++] =
            (struct fm_sort_item){fm_sort_prefix(text_of(texts, (uint32_t)row)), 0, (uint32_t)row};
    }
    if (texts->text.failed) out->status = FRAMEMAP_E_MEMORY;
    fm_heap_free(out->heap, frames, FM_PROFILE_FRAMES * sizeof *frames);
}

static void put_lines(struct fm_profile_out *out, const framemap_sample_set *flat, const struct folded_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        const uint32_t row = texts->order[i].id;
        fm_buf_str(&out->buf, text_of(texts, row));
        fm_buf_byte(&out->buf, ' ');
        fm_profile_put_int(out, fm_samples_value(flat, row, 0));
        fm_buf_byte(&out->buf, '\n');
        fm_profile_spill(out);
    }
}

static void folded_write(struct fm_profile_out *out)
{
    framemap_sample_set flat;
    struct folded_texts texts = {.count = 0};
    fm_buf_init(&texts.text, out->heap);
    if (fm_profile_flatten(out, &flat, true)) make_texts(out, &flat, &texts);
    if (out->status == FRAMEMAP_OK && !fm_sort(out->heap, texts.order, texts.count, compare_texts, &texts))
        out->status = FRAMEMAP_E_MEMORY;
    if (out->status == FRAMEMAP_OK) put_lines(out, &flat, &texts);
    fm_heap_free(out->heap, texts.starts, (flat.row.count + 1) * sizeof *texts.starts);
    fm_heap_free(out->heap, texts.order, (flat.row.count + 1) * sizeof *texts.order);
    fm_buf_free(&texts.text);
    fm_samples_free(&flat);
}

const struct fm_profile_format fm_profile_folded = {
    .info = {"folded", "folded stacks, one a line with its count (a;b;c 12)", true, true, FRAMEMAP_PART_INLINED},
    .looks = folded_looks,
    .state_size = sizeof(struct folded_samples),
    .line = folded_line,
    .end = folded_end,
    .write = folded_write,
    .flattens = true};
