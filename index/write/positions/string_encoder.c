/* Encodes sorted strings: names, files and all others except those of scopes and attributes. A shared prefix of
 * neighbours is stored once, and the rest is compressed with FSST. */
#include "core/error.h"
#include "core/limits.h"
#include "core/thread_team.h"
#include "index/format/bits.h"
#include "index/format/fsst.h"
#include "index/write/model/builder_model.h"

#define SAMPLE_BYTES 24576 /* size of the training sample */
#define WHOLE_LEAST 256    /* least total bytes for which a symbol table is trained */
#define FEW 12             /* greatest size of a run that is sorted by insertion */

/* --- collecting and sorting strings (MSD radix sort with seven bytes at a time) --- */

static void mark(uint32_t *codes, uint32_t string)
{
    if (string != FM_NONE) codes[string] = 1;
}

static void mark_all(const struct fm_plan *plan, uint32_t *codes)
{
    const struct fm_builder *b = plan->builder;
    for (size_t i = 0; i < plan->functions.count; i++) mark(codes, b->functions[plan->functions.to_old[i]].name);
    for (size_t i = 0; i < plan->files.count; i++) {
        mark(codes, b->files[plan->files.to_old[i]].folder);
        mark(codes, b->files[plan->files.to_old[i]].name);
    }
    for (size_t i = 0; i < plan->texts.count; i++) mark(codes, plan->texts.to_old[i]);
    for (size_t i = 0; i < plan->extra_count; i++) mark(codes, plan->extras[i].text);
}

/* Loads seven bytes as a number, so that comparing two numbers compares the bytes. Eight bytes must be readable. */
static uint64_t load_rising(const unsigned char *p)
{
    return (uint64_t)p[0] << 48 | (uint64_t)p[1] << 40 | (uint64_t)p[2] << 32 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 16 | (uint64_t)p[5] << 8 | (uint64_t)p[6];
}

/* Returns a number made of the next seven bytes and of how many bytes there are (8 if there are more than seven).
 * Comparing two such numbers compares the strings; a shorter string sorts first. */
static uint64_t key_at(framemap_str text, size_t depth)
{
    const size_t left = text.size - depth;
    const unsigned char *from = (const unsigned char *)text.data + depth;
    uint64_t key = 0;
    if (left >= 8) return load_rising(from) << 8 | 8;
    for (size_t i = 0; i < 7; i++) key = key << 8 | (i < left ? from[i] : 0u);
    return key << 8 | (left < 8 ? left : 8u);
}

static int compare_from(const struct fm_string_pool *pool, uint32_t a, uint32_t b, size_t depth)
{
    const framemap_str x = fm_string_pool_text(pool, a), y = fm_string_pool_text(pool, b);
    return fm_str_compare(fm_str(x.data + depth, x.size - depth), fm_str(y.data + depth, y.size - depth));
}

/* Strings that share their first `depth` bytes. */
struct run {
    size_t begin, end, depth;
};
struct string_sorter {
    struct fm_heap *heap;
    const struct fm_string_pool *pool;
    struct fm_sort_item *items;
    struct run *runs; /* runs (strings with a common start) that are still to be sorted */
    size_t run_count, run_capacity;
};

static void sort_few(const struct string_sorter *s, const struct run *run)
{
    for (size_t i = run->begin + 1; i < run->end; i++) {
        const struct fm_sort_item moved = s->items[i];
        size_t at = i;
        for (; at > run->begin && compare_from(s->pool, moved.id, s->items[at - 1].id, run->depth) < 0; at--)
            s->items[at] = s->items[at - 1];
        s->items[at] = moved;
    }
}

/* Sorts a run by the next seven bytes; strings that share these become runs of their own. */
static bool sort_run(struct string_sorter *s, const struct run *run)
{
    for (size_t i = run->begin; i < run->end; i++)
        s->items[i] =
            (struct fm_sort_item){key_at(fm_string_pool_text(s->pool, s->items[i].id), run->depth), 0, s->items[i].id};
    if (!fm_sort(s->heap, s->items + run->begin, run->end - run->begin, NULL, NULL)) return false;
    for (size_t i = run->begin, next; i < run->end; i = next) {
        for (next = i + 1; next < run->end && s->items[next].key == s->items[i].key;) next++;
        if (next - i < 2 || (s->items[i].key & UINT8_MAX) < 8) continue;
        if (!FM_GROW(s->heap, s->runs, s->run_capacity, s->run_count + 1)) return false;
        s->runs[s->run_count++] = (struct run){i, next, run->depth + 7};
    }
    return true;
}

bool fm_sort_strings(struct fm_heap *heap, const struct fm_string_pool *pool, struct fm_sort_item *items, size_t count)
{
    struct string_sorter s = {.heap = heap, .pool = pool, .items = items};
    const struct run all = {0, count, 0};
    bool ok = sort_run(&s, &all);
    while (ok && s.run_count > 0) {
        const struct run run = s.runs[--s.run_count];
        if (run.end - run.begin <= FEW)
            sort_few(&s, &run);
        else
            ok = sort_run(&s, &run);
    }
    fm_heap_free(heap, s.runs, s.run_capacity * sizeof *s.runs);
    return ok;
}

/* --- encoding strings --- */

struct string_writer {
    struct fm_plan *plan;
    /* the strings in sorted order; id: number in the pool, group: length of the prefix that the string shares with the
     * previous one */
    const struct fm_sort_item *items;
    size_t count;
    uint64_t suffix_bytes;
    struct fm_fsst_symbols symbols;
    struct fm_fsst_encoder *finder;
    uint64_t *offsets; /* offsets of the groups */
    struct string_stretch *stretches;
};

/* A stretch is adjacent groups that one thread encodes. Its offsets are relative to its start until it is placed after
 * the previous stretches. */
#define STRETCH_GROUPS 256u
struct string_stretch {
    struct fm_bit_buffer out;
    unsigned char *codes; /* buffer for the codes of one group */
    size_t code_capacity;
    framemap_status status;
    framemap_error error;
};

static framemap_str item_string(const struct string_writer *w, size_t i)
{
    return fm_string_pool_text(&w->plan->builder->strings, w->items[i].id);
}

static framemap_str suffix_at(const struct string_writer *w, size_t i)
{
    const framemap_str text = item_string(w, i);
    return fm_str(text.data + w->items[i].group, text.size - w->items[i].group);
}

/* Returns the length of the common prefix, at most `most`. */
static size_t common_bytes(const char *a, const char *b, size_t most)
{
    size_t at = 0;
    for (; most - at >= 8; at += 8) {
        const uint64_t differ = fm_load64((const unsigned char *)a + at) ^ fm_load64((const unsigned char *)b + at);
        if (differ != 0) return at + fm_lowest_bit(differ) / 8;
    }
    while (at < most && a[at] == b[at]) at++;
    return at;
}

static void find_common(const struct fm_plan *plan, struct fm_sort_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        items[i].group = 0;
        if (i % FM_SORTED_GROUP == 0) continue;
        const framemap_str a = fm_string_pool_text(&plan->builder->strings, items[i - 1].id),
                           b = fm_string_pool_text(&plan->builder->strings, items[i].id);
        const size_t most = a.size < b.size ? a.size : b.size;
        items[i].group =
            (uint32_t)common_bytes(a.data, b.data, most < FM_SORTED_COMMON_MOST ? most : FM_SORTED_COMMON_MOST);
    }
}

/* Returns the size in bytes of the symbol table with its directory entry. */
static uint64_t symbols_cost(const struct fm_fsst_symbols *symbols)
{
    uint64_t cost = FMX_ENTRY + FM_FSST_SYMBOL_SIZE;
    for (unsigned i = 0; i < symbols->count; i++) cost += symbols->sizes[i];
    return cost;
}

/* Drops the symbol table if, judged by the samples, it would not make the index smaller. */
static bool weigh_symbols(struct string_writer *w, const framemap_str *samples, size_t count, uint64_t bytes)
{
    unsigned char *spare = fm_heap_resize(w->plan->heap, NULL, 0, (size_t)bytes * 2 + 1);
    uint64_t coded = 0;
    w->finder = fm_heap_zalloc(w->plan->heap, 1, sizeof *w->finder);
    if (spare == NULL || w->finder == NULL) {
        fm_heap_free(w->plan->heap, spare, (size_t)bytes * 2 + 1);
        return false;
    }
    fm_fsst_encoder_init(&w->symbols, w->finder);
    for (size_t i = 0; i < count; i++) coded += fm_fsst_encode(w->finder, samples[i], spare);
    fm_heap_free(w->plan->heap, spare, (size_t)bytes * 2 + 1);
    if (coded >= bytes || (bytes - coded) * (w->suffix_bytes / bytes) < symbols_cost(&w->symbols)) w->symbols.count = 0;
    return true;
}

/* Chooses the symbols from a sample of the strings, taken at equal distances in their sorted order. */
static bool learn_symbols(struct string_writer *w)
{
    struct fm_heap *heap = w->plan->heap;
    w->suffix_bytes = 0;
    for (size_t i = 0; i < w->count; i++) w->suffix_bytes += suffix_at(w, i).size;
    if (w->suffix_bytes < WHOLE_LEAST) return true;
    const size_t step = (size_t)(w->suffix_bytes / SAMPLE_BYTES) + 1, most = w->count / step + 1;
    framemap_str *samples = fm_heap_zalloc(heap, most, sizeof *samples);
    if (samples == NULL) return false;
    size_t count = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < w->count && bytes < 2 * SAMPLE_BYTES; i += step) {
        const framemap_str suffix = suffix_at(w, i);
        samples[count] = fm_str(suffix.data, suffix.size < SAMPLE_BYTES ? suffix.size : SAMPLE_BYTES);
        bytes += samples[count++].size;
    }
    bool ok = true;
    if (bytes > 0)
        ok = fm_fsst_train(heap, samples, count, w->suffix_bytes / bytes, &w->symbols) &&
             weigh_symbols(w, samples, count, bytes);
    fm_heap_free(heap, samples, most * sizeof *samples);
    return ok;
}

/* Encodes the strings [first, end) of a group, without shared prefixes, to `codes`; sizes: encoded size of each
 * string. */
static bool code_group(const struct string_writer *w, struct string_stretch *stretch, size_t first, size_t end,
                       uint64_t *sizes, size_t *size)
{
    *size = 0;
    for (size_t i = first; i < end; i++) {
        const framemap_str suffix = suffix_at(w, i);
        if (!FM_GROW(w->plan->heap, stretch->codes, stretch->code_capacity, *size + 2 * suffix.size + 1)) return false;
        if (w->symbols.count > 0) {
            sizes[i - first] = fm_fsst_encode(w->finder, suffix, stretch->codes + *size);
        } else {
            if (suffix.size > 0) memcpy(stretch->codes + *size, suffix.data, suffix.size);
            sizes[i - first] = suffix.size;
        }
        *size += (size_t)sizes[i - first];
    }
    return true;
}

static framemap_status write_group(const struct string_writer *w, struct string_stretch *stretch, size_t first,
                                   size_t end)
{
    struct fm_bit_buffer *out = &stretch->out;
    uint64_t sizes[FM_SORTED_GROUP], common = 0, greatest = 0, whole = 0;
    size_t size;
    for (size_t i = first; i < end; i++) whole += item_string(w, i).size;
    if (whole > FM_LIMIT_SORTED_STRINGS)
        return fm_error_set(&stretch->error, FRAMEMAP_E_LIMIT, "a group of sorted names has more than %zu bytes",
                            FM_LIMIT_SORTED_STRINGS);
    if (!code_group(w, stretch, first, end, sizes, &size)) return fm_error_memory(&stretch->error);
    for (size_t i = first; i < end; i++) {
        common |= w->items[i].group;
        greatest |= sizes[i - first];
    }
    const unsigned common_width = fm_bits_for(common), size_width = fm_bits_for(greatest);
    fm_bit_buffer_put(out, end - first - 1, FM_SORTED_COUNT_WIDTH);
    fm_bit_buffer_put(out, common_width, FM_SORTED_COMMON_WIDTH);
    fm_bit_buffer_put(out, size_width, FM_SORTED_SIZE_WIDTH);
    for (size_t i = first; i < end; i++) {
        if (i > first) fm_bit_buffer_put(out, w->items[i].group, common_width);
        fm_bit_buffer_put(out, sizes[i - first], size_width);
    }
    fm_bit_buffer_align(out);
    fm_bit_buffer_put_bytes(out, stretch->codes, size);
    return out->failed ? fm_error_memory(&stretch->error) : FRAMEMAP_OK;
}

static void string_group_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    const uint64_t *offsets = context;
    fields[SORTED_AT] = offsets[row];
}
FM_OUTPUT_ROWS(string_group)

/* Writes the number of symbols of each size, then their bytes. */
static bool write_symbols(const struct string_writer *w)
{
    struct fm_output_section *output = &w->plan->outputs[FMX_SYMBOLS];
    unsigned char counts[FM_FSST_SYMBOL_SIZE] = {0};
    if (w->symbols.count == 0) return true;
    for (unsigned i = 0; i < w->symbols.count; i++) counts[w->symbols.sizes[i] - 1]++;
    fm_bit_buffer_put_bytes(&output->bits, counts, sizeof counts);
    for (unsigned i = 0; i < w->symbols.count; i++)
        fm_bit_buffer_put(&output->bits, w->symbols.words[i], 8u * w->symbols.sizes[i]);
    output->count = fm_bit_buffer_bytes(&output->bits);
    return !output->bits.failed;
}

static size_t group_count(const struct string_writer *w) { return (w->count + FM_SORTED_GROUP - 1) / FM_SORTED_GROUP; }

static bool write_stretch(void *context, unsigned worker, size_t item)
{
    struct string_writer *w = context;
    struct string_stretch *stretch = &w->stretches[item];
    const size_t begin = item * STRETCH_GROUPS, left = group_count(w) - begin,
                 end = begin + (left < STRETCH_GROUPS ? left : STRETCH_GROUPS);
    (void)worker;
    for (size_t i = begin; i < end && stretch->status == FRAMEMAP_OK; i++) {
        const size_t first = i * FM_SORTED_GROUP, texts = w->count - first;
        w->offsets[i] = fm_bit_buffer_bytes(&stretch->out);
        stretch->status = write_group(w, stretch, first, first + (texts < FM_SORTED_GROUP ? texts : FM_SORTED_GROUP));
    }
    fm_heap_free(w->plan->heap, stretch->codes, stretch->code_capacity);
    return stretch->status == FRAMEMAP_OK;
}

/* Appends the stretches, the groups that each thread has encoded, to STRINGS. If several stretches failed, the error of
 * the first is returned. */
static framemap_status lay_stretches(struct string_writer *w, size_t count, framemap_error *error)
{
    struct fm_bit_buffer *out = &w->plan->strings;
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < count; i++) {
        struct string_stretch *stretch = &w->stretches[i];
        const uint64_t at = fm_bit_buffer_bytes(out);
        const size_t begin = i * STRETCH_GROUPS;
        if (status == FRAMEMAP_OK && stretch->status != FRAMEMAP_OK) {
            status = stretch->status;
            if (error) *error = stretch->error;
        }
        if (status == FRAMEMAP_OK)
            fm_bit_buffer_put_bytes(out, stretch->out.data, (size_t)fm_bit_buffer_bytes(&stretch->out));
        for (size_t j = begin; j < group_count(w) && j - begin < STRETCH_GROUPS; j++) w->offsets[j] += at;
        fm_bit_buffer_free(&stretch->out);
    }
    return status == FRAMEMAP_OK && out->failed ? fm_error_memory(error) : status;
}

static framemap_status write_string_groups(struct string_writer *w, framemap_error *error)
{
    struct fm_heap *heap = w->plan->heap;
    const size_t groups = group_count(w), count = (groups + STRETCH_GROUPS - 1) / STRETCH_GROUPS;
    w->offsets = fm_heap_zalloc(heap, groups, sizeof *w->offsets);
    w->stretches = fm_heap_zalloc(heap, count, sizeof *w->stretches);
    framemap_status status = w->offsets && w->stretches ? FRAMEMAP_OK : fm_error_memory(error);
    if (status == FRAMEMAP_OK) {
        for (size_t i = 0; i < count; i++) w->stretches[i].out.heap = heap;
        fm_thread_team_run(w->plan->builder->threads, count, write_stretch, w);
        status = lay_stretches(w, count, error);
    }
    if (status == FRAMEMAP_OK &&
        !fm_output_section_write(&w->plan->outputs[FMX_SORTED_TEXTS], groups, string_group_rows, w->offsets))
        status = fm_error_memory(error);
    fm_heap_free(heap, w->stretches, count * sizeof *w->stretches);
    fm_heap_free(heap, w->offsets, groups * sizeof *w->offsets);
    return status;
}

static framemap_status write_sorted_strings(struct string_writer *w, framemap_error *error)
{
    return learn_symbols(w) && write_symbols(w) ? write_string_groups(w, error) : fm_error_memory(error);
}

framemap_status fm_encode_strings(struct fm_plan *plan, framemap_error *error)
{
    const struct fm_string_pool *pool = &plan->builder->strings;
    size_t count = 0, at = 0;
    plan->string_codes = fm_heap_zalloc(plan->heap, pool->count, sizeof *plan->string_codes);
    if (plan->string_codes == NULL) return fm_error_memory(error);
    mark_all(plan, plan->string_codes);
    for (size_t i = 0; i < pool->count; i++) count += plan->string_codes[i];
    if (count == 0) return FRAMEMAP_OK;
    struct fm_sort_item *items = fm_heap_zalloc(plan->heap, count, sizeof *items);
    if (items == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < pool->count; i++)
        if (plan->string_codes[i] != 0) items[at++].id = (uint32_t)i;
    framemap_status status = FRAMEMAP_OK;
    if (!fm_sort_strings(plan->heap, pool, items, count)) status = fm_error_memory(error);
    for (size_t i = 0; i < count; i++) plan->string_codes[items[i].id] = (uint32_t)i + 1;
    find_common(plan, items, count);
    struct string_writer writer = {.plan = plan, .items = items, .count = count};
    if (status == FRAMEMAP_OK) status = write_sorted_strings(&writer, error);
    fm_heap_free(plan->heap, writer.finder, sizeof *writer.finder);
    fm_heap_free(plan->heap, items, count * sizeof *items);
    return status;
}
