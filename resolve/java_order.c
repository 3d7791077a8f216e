/* Which alternatives are the same, and in which order they stand: as Java compares strings and R8 compares frames. */
#include "core/fault.h"
#include "core/text.h"
#include "resolve/java_rules.h"

/* In UTF-16 the characters above U+FFFF come before those from U+E000 on; in UTF-8 behind them. */
static int compare_bytes(unsigned char a, unsigned char b)
{
    if (a >= 0xee && b >= 0xee && (a >= 0xf0) != (b >= 0xf0)) return a >= 0xf0 ? -1 : 1;
    return a < b ? -1 : 1;
}

int fm_java_compare(framemap_str a, framemap_str b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    if (a.data != b.data)
        for (size_t i = 0; i < common; i++)
            if (a.data[i] != b.data[i]) return compare_bytes((unsigned char)a.data[i], (unsigned char)b.data[i]);
    return a.size < b.size ? -1 : a.size > b.size;
}

static size_t commas(framemap_str list)
{
    size_t count = 0;
    for (size_t i = 0; i < list.size; i++) count += list.data[i] == ',';
    return count;
}

static framemap_str take_argument(framemap_str *list)
{
    size_t comma = fm_str_find_byte(*list, ',');
    framemap_str first = fm_str_slice(*list, 0, comma);
    *list = fm_str_from(*list, comma == FM_NOT_FOUND ? list->size : comma + 1);
    return first;
}

static int compare_arguments(framemap_str a, framemap_str b)
{
    if (fm_str_equal(a, b)) return 0;
    if (a.size == 0 || b.size == 0) return a.size ? 1 : -1;
    size_t commas_a = commas(a), commas_b = commas(b);
    if (commas_a != commas_b) return commas_a < commas_b ? -1 : 1;
    int order = 0;
    while (order == 0 && (a.size || b.size)) order = fm_java_compare(take_argument(&a), take_argument(&b));
    return order;
}

int fm_java_compare_signatures(framemap_str type_a, framemap_str arguments_a, framemap_str type_b, framemap_str arguments_b)
{
    int order = fm_java_compare(type_a, type_b);
    return order ? order : compare_arguments(arguments_a, arguments_b);
}

/* Chains are told apart by their innermost frames. A frame without a line comes before those with one. */
static int compare_frames(const struct fm_java_frame *a, const struct fm_java_frame *b, struct fm_java_order order)
{
    int found = fm_java_compare(a->class_name, b->class_name);
    if (found == 0 && order.as_told) return a < b ? -1 : a > b;
    if (found == 0) found = fm_java_compare(a->method, b->method);
    if (found == 0 && order.signature) found = fm_java_compare_signatures(a->type, a->arguments, b->type, b->arguments);
    if (found || !order.line || a->line == b->line) return found;
    if (a->line == -1 || b->line == -1) return a->line == -1 ? -1 : 1;
    return a->line < b->line ? -1 : 1;
}

/* Neighbouring sorted runs [from, middle) and [middle, end) of `in` to `out`; of equal ones the earlier stays in front. */
static void merge(const struct fm_java_chain *in, struct fm_java_chain *out, size_t from, size_t middle, size_t end,
                  struct fm_java_order order)
{
    if (middle < end && compare_frames(in[middle - 1].frames, in[middle].frames, order) <= 0) {
        memcpy(out + from, in + from, (end - from) * sizeof *in);
        return;
    }
    size_t left = from, right = middle;
    for (size_t at = from; at < end; at++) {
        bool take_left = right == end || (left < middle && compare_frames(in[left].frames, in[right].frames, order) <= 0);
        out[at] = take_left ? in[left++] : in[right++];
    }
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Merge sort from the bottom, stable; spare has as much room. The result is in `chains`. */
static void sort(struct fm_java_chain *chains, struct fm_java_chain *spare, size_t count, struct fm_java_order order)
{
    struct fm_java_chain *in = chains, *out = spare;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t from = 0; from < count; from += 2 * width)
            merge(in, out, from, least(from + width, count), least(from + 2 * width, count), order);
        struct fm_java_chain *swap = in;
        in = out;
        out = swap;
    }
    if (in != chains) memcpy(chains, in, count * sizeof *chains);
}

/* The first of each run of equal ones stays. */
static size_t drop_repeats(struct fm_java_chain *chains, size_t count, struct fm_java_order order)
{
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (compare_frames(chains[kept - 1].frames, chains[i].frames, order) != 0) chains[kept++] = chains[i];
    return kept;
}

framemap_status fm_java_sort(struct fm_java_chain *chains, size_t *count, struct fm_java_order order, struct fm_arena *arena,
                             framemap_error *error)
{
    if (*count < 2) return FRAMEMAP_OK;
    struct fm_java_chain *spare = fm_arena_alloc(arena, *count * sizeof *spare);
    if (spare == NULL) return fm_fault_memory(error);
    const struct fm_java_order same = {order.signature, order.line, false};
    sort(chains, spare, *count, same);
    *count = drop_repeats(chains, *count, same);
    if (order.as_told) sort(chains, spare, *count, order);
    /* Those that are left differ in names or lines, and between names and lines R8 looks at types. */
    if (order.line && !order.signature) sort(chains, spare, *count, (struct fm_java_order){true, true, false});
    return FRAMEMAP_OK;
}
