/* Sorts and compares alternative chains. Strings are compared as Java compares them, and frames as R8 does. Called by
 * java_frames.c and java_names.c. */
#include "core/error.h"
#include "core/text/bits64.h"
#include "core/text/text.h"
#include "resolve/java/java_rules.h"

/* Compares two bytes of UTF-8 as UTF-16 would sort them: the characters above U+FFFF before those from U+E000 on, not
 * after them as in UTF-8. */
static int compare_bytes(unsigned char a, unsigned char b)
{
    if (a >= 0xee && b >= 0xee && (a >= 0xf0) != (b >= 0xf0)) return a >= 0xf0 ? -1 : 1;
    return a < b ? -1 : 1;
}

/* Returns how many of the first `size` bytes of two strings are equal before the first difference. Class names of one
 * package share most bytes. */
static size_t agreeing(const unsigned char *a, const unsigned char *b, size_t size)
{
    size_t at = 0;
    for (; size - at >= 8; at += 8) {
        const uint64_t differing = fm_load64(a + at) ^ fm_load64(b + at);
        if (differing) return at + fm_lowest_bit(differing) / 8;
    }
    while (at < size && a[at] == b[at]) at++;
    return at;
}

/* Compares strings by UTF-16 code units, as Java does. */
static int compare_java_strings(framemap_str a, framemap_str b)
{
    const unsigned char *in_a = (const unsigned char *)a.data, *in_b = (const unsigned char *)b.data;
    const size_t common = a.size < b.size ? a.size : b.size;
    const size_t at = in_a == in_b ? common : agreeing(in_a, in_b, common);
    if (at < common) return compare_bytes(in_a[at], in_b[at]);
    return a.size < b.size ? -1 : a.size > b.size;
}

/* Adds the eight bytes of a number. */
static size_t sum_of_bytes(uint64_t bytes)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    return (size_t)(((bytes & even) + (bytes >> 8 & even)) * UINT64_C(0x0001000100010001) >> 48);
}

/* Counts commas. Lists of arguments can be long, so eight bytes are compared at a time, and each of the eight has a
 * counter of one byte. The counters are added up before one of them can overflow. */
static size_t commas(framemap_str list)
{
    enum { WORD = 8, WORDS_MOST = 255 };
    const unsigned char *bytes = (const unsigned char *)list.data;
    const uint64_t every = UINT64_C(0x0101010101010101) * ',';
    size_t count = 0, at = 0;
    for (size_t words = list.size / WORD; words > 0;) {
        const size_t now = words < WORDS_MOST ? words : WORDS_MOST;
        uint64_t counters = 0;
        for (size_t i = 0; i < now; i++, at += WORD) counters += fm_zero_bytes(fm_load64(bytes + at) ^ every) >> 7;
        count += sum_of_bytes(counters);
        words -= now;
    }
    for (; at < list.size; at++) count += bytes[at] == ',';
    return count;
}

static framemap_str take_argument(framemap_str *list)
{
    size_t comma = fm_str_find_byte(*list, ',');
    framemap_str first = fm_str_slice(*list, 0, comma);
    *list = fm_str_from(*list, comma == FM_NOT_FOUND ? list->size : comma + 1);
    return first;
}

/* Returns the number of arguments, which is counted once: sorting compares overloads several times. */
static uint32_t argument_count(struct fm_java_chain *text)
{
    if (text->text_rank == 0) text->text_rank = (uint32_t)commas(text->frames->arguments) + 1;
    return text->text_rank;
}

/* Compares lists of arguments; fewer arguments sort first. */
static int compare_arguments(struct fm_java_chain *text_a, struct fm_java_chain *text_b)
{
    framemap_str a = text_a->frames->arguments, b = text_b->frames->arguments;
    if (a.size == b.size && (a.data == b.data || fm_str_equal(a, b))) return 0;
    if (a.size == 0 || b.size == 0) return a.size ? 1 : -1;
    const uint32_t count_a = argument_count(text_a), count_b = argument_count(text_b);
    if (count_a != count_b) return count_a < count_b ? -1 : 1;
    int order = 0;
    while (order == 0 && (a.size || b.size)) order = compare_java_strings(take_argument(&a), take_argument(&b));
    return order;
}

/* What chains are compared by: their strings, the ranks of these strings, or the positions of their frames in the array
 * of frames. Since strings may be long and shared by many chains, each string is compared once to get its rank; later
 * comparisons use only the ranks. */
enum way { WAY_TEXTS, WAY_RANKS, WAY_PLACES };
struct comparison {
    enum way way;
    bool signature, line;
};

static int compare_names(const struct fm_java_frame *a, const struct fm_java_frame *b)
{
    int order = compare_java_strings(a->class_name, b->class_name);
    return order ? order : compare_java_strings(a->method, b->method);
}

/* Compares signatures by return type, then by arguments. */
static int compare_signatures(struct fm_java_chain *a, struct fm_java_chain *b)
{
    const int order = compare_java_strings(a->frames->type, b->frames->type);
    return order ? order : compare_arguments(a, b);
}

static int compare_texts(struct fm_java_chain *a, struct fm_java_chain *b)
{
    const int order = compare_names(a->frames, b->frames);
    return order ? order : compare_signatures(a, b);
}

/* Compares frames by class, then by their positions in the array of frames. */
static int compare_places(const struct fm_java_frame *a, const struct fm_java_frame *b)
{
    int order = compare_java_strings(a->class_name, b->class_name);
    return order || a == b ? order : a < b ? -1 : 1;
}

/* Compares lines; a frame without a line (-1) sorts first. */
static int compare_lines(int32_t a, int32_t b)
{
    if (a == b) return 0;
    if (a == -1 || b == -1) return a == -1 ? -1 : 1;
    return a < b ? -1 : 1;
}

/* Compares two chains by their innermost frames only. */
static int compare(struct fm_java_chain *a, struct fm_java_chain *b, struct comparison by)
{
    if (by.way == WAY_TEXTS) return compare_texts(a, b);
    if (by.way == WAY_PLACES) return compare_places(a->frames, b->frames);
    const uint32_t rank_a = by.signature ? a->text_rank : a->name_rank,
                   rank_b = by.signature ? b->text_rank : b->name_rank;
    if (rank_a != rank_b) return rank_a < rank_b ? -1 : 1;
    return by.line ? compare_lines(a->frames->line, b->frames->line) : 0;
}

/* Merges the neighbouring sorted runs [from, middle) and [middle, end) of `in` into `out`; if chains are equal, the
 * earlier one stays first. */
static void merge(struct fm_java_chain *in, struct fm_java_chain *out, size_t from, size_t middle, size_t end,
                  struct comparison by)
{
    if (middle == end || compare(&in[middle - 1], &in[middle], by) <= 0) {
        memcpy(out + from, in + from, (end - from) * sizeof *in);
        return;
    }
    size_t left = from, right = middle;
    for (size_t at = from; at < end; at++) {
        bool take_left = right == end || (left < middle && compare(&in[left], &in[right], by) <= 0);
        out[at] = take_left ? in[left++] : in[right++];
    }
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Sorts `chains` by a bottom-up merge sort, which is stable. spare: room for as many chains. */
static void sort(struct fm_java_chain *chains, struct fm_java_chain *spare, size_t count, struct comparison by)
{
    struct fm_java_chain *in = chains, *out = spare;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t from = 0; from < count; from += 2 * width)
            merge(in, out, from, least(from + width, count), least(from + 2 * width, count), by);
        struct fm_java_chain *swap = in;
        in = out;
        out = swap;
    }
    if (in != chains) memcpy(chains, in, count * sizeof *chains);
}

/* Keeps only the first chain of each run of equal chains. Returns how many are left. */
static size_t drop_repeats(struct fm_java_chain *chains, size_t count, struct comparison by)
{
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (compare(&chains[kept - 1], &chains[i], by) != 0) chains[kept++] = chains[i];
    return kept;
}

/* --- ranking the strings of chains --- */

static bool same_memory(framemap_str a, framemap_str b) { return a.data == b.data && a.size == b.size; }

/* Whether two frames have the same strings at the same addresses: chains of one member usually share their strings. */
static bool same_texts(const struct fm_java_frame *a, const struct fm_java_frame *b)
{
    return same_memory(a->class_name, b->class_name) && same_memory(a->method, b->method) &&
           same_memory(a->type, b->type) && same_memory(a->arguments, b->arguments);
}

/* Lists in `texts` one chain for each run of adjacent chains with the same strings. The `count` of that chain becomes
 * the number of the run, counted from 0. */
static size_t list_texts(const struct fm_java_chain *chains, size_t count, struct fm_java_chain *texts)
{
    size_t listed = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !same_texts(chains[i - 1].frames, chains[i].frames)) {
            texts[listed] = (struct fm_java_chain){.frames = chains[i].frames, .count = listed};
            listed++;
        }
    return listed;
}

struct ranks {
    uint32_t text, name;
};

/* Gives ascending ranks to the strings of the chains in `texts`, which are sorted. ranks[N]: the ranks of the strings
 * of run N. */
static void number_texts(struct fm_java_chain *texts, size_t count, struct ranks *ranks)
{
    struct ranks at = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const bool is_renamed = i && compare_names(texts[i - 1].frames, texts[i].frames) != 0;
        if (is_renamed) at.name++;
        if (is_renamed || (i && compare_signatures(&texts[i - 1], &texts[i]) != 0)) at.text++;
        ranks[texts[i].count] = at;
    }
}

static void give_ranks(struct fm_java_chain *chains, size_t count, const struct ranks *ranks)
{
    for (size_t i = 0; i < count; i++) {
        if (i && !same_texts(chains[i - 1].frames, chains[i].frames)) ranks++;
        chains[i].text_rank = ranks->text;
        chains[i].name_rank = ranks->name;
    }
}

framemap_status fm_java_sort(struct fm_java_chain *chains, size_t *count, struct fm_java_order order,
                             struct fm_arena *arena, framemap_error *error)
{
    if (*count < 2) return FRAMEMAP_OK;
    struct fm_java_chain *texts = fm_arena_alloc(arena, *count * sizeof *texts),
                         *spare = fm_arena_alloc(arena, *count * sizeof *spare);
    struct ranks *ranks = fm_arena_alloc(arena, *count * sizeof *ranks);
    if (texts == NULL || spare == NULL || ranks == NULL) return fm_error_memory(error);
    const size_t text_count = list_texts(chains, *count, texts);
    sort(texts, spare, text_count, (struct comparison){.way = WAY_TEXTS});
    number_texts(texts, text_count, ranks);
    give_ranks(chains, *count, ranks);
    if (order.repeats) {
        sort(chains, spare, *count, (struct comparison){WAY_RANKS, true, true});
        return FRAMEMAP_OK;
    }
    const struct comparison same = {WAY_RANKS, order.signature, order.line};
    sort(chains, spare, *count, same);
    *count = drop_repeats(chains, *count, same);
    if (order.keep_order) sort(chains, spare, *count, (struct comparison){.way = WAY_PLACES});
    /* The remaining chains differ in names or lines. R8 compares types after names and before lines, so the chains are
     * sorted again by names, types and lines. */
    if (order.line && !order.signature) sort(chains, spare, *count, (struct comparison){WAY_RANKS, true, true});
    return FRAMEMAP_OK;
}
