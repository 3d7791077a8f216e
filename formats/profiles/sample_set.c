/* Implements the sample set (sample_set.h): strings, frames, nodes, threads and labels, each stored once, and rows
 * of weights. */
#include "formats/profiles/sample_set.h"

#include "core/error.h"

#include <inttypes.h>
#include <stdio.h>

#define FIRST_ID_MOST (UINT32_MAX - 1)

void fm_samples_fault(framemap_sample_set *set, framemap_status status)
{
    if (set->fault == FRAMEMAP_OK) set->fault = status;
}

framemap_status fm_samples_status(framemap_sample_set *set, framemap_error *error)
{
    if (set->fault == FRAMEMAP_OK) return FRAMEMAP_OK;
    if (set->fault == FRAMEMAP_E_MEMORY) {
        fm_error_memory(error);
        return fm_heap_fault(&set->heap, set->fault, error);
    }
    return fm_error_set(error, set->fault,
                        "the profile has more stacks, or more kinds of weights, than a set can hold");
}

void fm_samples_init(framemap_sample_set *set, const framemap_allocator *allocator, uint64_t max_memory,
                     unsigned without)
{
    fm_heap_init(&set->heap, allocator, max_memory);
    fm_arena_init(&set->arena, &set->heap);
    set->key = fm_hash_key(set);
    set->without = without;
    struct fm_interned *const all[] = {&set->string, &set->frame, &set->node, &set->thread, &set->label_set, &set->row};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) fm_table_init(&all[i]->table, &set->heap);
    fm_samples_string(set, fm_str("", 0));
}

void fm_samples_free(framemap_sample_set *set)
{
    struct fm_heap *heap = &set->heap;
    struct fm_interned *const all[] = {&set->string, &set->frame, &set->node, &set->thread, &set->label_set, &set->row};
    fm_heap_free(heap, set->strings, set->string.capacity * sizeof *set->strings);
    fm_heap_free(heap, set->frames, set->frame.capacity * sizeof *set->frames);
    fm_heap_free(heap, set->nodes, set->node.capacity * sizeof *set->nodes);
    fm_heap_free(heap, set->threads, set->thread.capacity * sizeof *set->threads);
    fm_heap_free(heap, set->label_sets, set->label_set.capacity * sizeof *set->label_sets);
    fm_heap_free(heap, set->labels, set->label_capacity * sizeof *set->labels);
    fm_heap_free(heap, set->rows, set->row.capacity * sizeof *set->rows);
    fm_heap_free(heap, set->values, set->value_capacity * sizeof *set->values);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) fm_table_free(&all[i]->table);
    fm_arena_free(&set->arena);
}

/* --- adding or finding --- */

/* Makes room for one more element in an array, and in the hash table that finds its elements. */
#define ROOM_FOR(set, part, array)                                                        \
    (((set)->part.count < FIRST_ID_MOST &&                                                \
      FM_GROW(&(set)->heap, (set)->array, (set)->part.capacity, (set)->part.count + 1) && \
      fm_table_reserve(&(set)->part.table, 1)) ||                                         \
     (fm_samples_fault((set), (set)->part.count < FIRST_ID_MOST ? FRAMEMAP_E_MEMORY : FRAMEMAP_E_LIMIT), false))

static bool string_equal(const void *context, uint32_t id, const void *key)
{
    const framemap_sample_set *set = context;
    return fm_str_same(set->strings[id], *(const framemap_str *)key);
}

uint32_t fm_samples_string(framemap_sample_set *set, framemap_str text)
{
    const uint64_t hash = fm_hash_text(text, set->key);
    const uint32_t found = fm_table_find(&set->string.table, hash, string_equal, set, &text);
    framemap_str kept;
    if (found != FM_NO_ID) return found;
    if (set->fault || !ROOM_FOR(set, string, strings)) return FM_NO_ID;
    if (!fm_arena_str(&set->arena, text, &kept)) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return FM_NO_ID;
    }
    const uint32_t id = (uint32_t)set->string.count++;
    set->strings[id] = kept;
    fm_table_add(&set->string.table, hash, id);
    return id;
}

static bool frame_equal(const void *context, uint32_t id, const void *key)
{
    const framemap_sample_set *set = context;
    return memcmp(&set->frames[id], key, sizeof *set->frames) == 0;
}

uint32_t fm_samples_frame(framemap_sample_set *set, const struct fm_sample_frame *given)
{
    struct fm_sample_frame frame = *given;
    if (set->without & FRAMEMAP_PART_ADDRESSES) {
        frame.address = frame.load_address = frame.address_kind = 0;
        frame.flags &= FM_FRAME_INLINED | FM_FRAME_JAVA;
    }
    const uint64_t hash = fm_hash_text(fm_str(&frame, sizeof frame), set->key);
    const uint32_t found = fm_table_find(&set->frame.table, hash, frame_equal, set, &frame);
    if (found != FM_NO_ID) return found;
    if (set->fault || !ROOM_FOR(set, frame, frames)) return FM_NO_ID;
    const uint32_t id = (uint32_t)set->frame.count++;
    set->frames[id] = frame;
    fm_table_add(&set->frame.table, hash, id);
    return id;
}

static bool node_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_sample_node *a = &((const framemap_sample_set *)context)->nodes[id], *b = key;
    return a->parent == b->parent && a->frame == b->frame;
}

uint32_t fm_samples_node(framemap_sample_set *set, uint32_t parent, uint32_t frame)
{
    const struct fm_sample_node node = {parent, frame};
    const uint64_t hash = fm_hash_word((uint64_t)parent << 32 | frame, set->key);
    const uint32_t found = fm_table_find(&set->node.table, hash, node_equal, set, &node);
    if (found != FM_NO_ID) return found;
    if (set->fault || frame >= set->frame.count || !ROOM_FOR(set, node, nodes)) return FM_NO_ID;
    const uint32_t id = (uint32_t)set->node.count++;
    set->nodes[id] = node;
    fm_table_add(&set->node.table, hash, id);
    return id;
}

static bool thread_equal(const void *context, uint32_t id, const void *key)
{
    return memcmp(&((const framemap_sample_set *)context)->threads[id], key, sizeof(struct fm_sample_thread)) == 0;
}

uint32_t fm_samples_thread(framemap_sample_set *set, const struct fm_sample_thread *thread)
{
    static const struct fm_sample_thread none;
    if (memcmp(thread, &none, sizeof none) == 0) return FM_NO_ID;
    const uint64_t hash = fm_hash_text(fm_str(thread, sizeof *thread), set->key);
    const uint32_t found = fm_table_find(&set->thread.table, hash, thread_equal, set, thread);
    if (found != FM_NO_ID) return found;
    if (set->fault || !ROOM_FOR(set, thread, threads)) return FM_NO_ID;
    const uint32_t id = (uint32_t)set->thread.count++;
    set->threads[id] = *thread;
    fm_table_add(&set->thread.table, hash, id);
    return id;
}

struct label_key {
    const struct fm_sample_label *labels;
    size_t count;
};

static bool labels_equal(const void *context, uint32_t id, const void *key)
{
    const framemap_sample_set *set = context;
    const struct label_key *want = key;
    const struct fm_sample_labels *known = &set->label_sets[id];
    return known->count == want->count &&
           memcmp(set->labels + known->at, want->labels, want->count * sizeof *want->labels) == 0;
}

uint32_t fm_samples_labels(framemap_sample_set *set, const struct fm_sample_label *labels, size_t count)
{
    const struct label_key key = {labels, count};
    if (count == 0 || count > UINT16_MAX || (set->without & FRAMEMAP_PART_LABELS)) return FM_NO_ID;
    const uint64_t hash = fm_hash_text(fm_str(labels, count * sizeof *labels), set->key);
    const uint32_t found = fm_table_find(&set->label_set.table, hash, labels_equal, set, &key);
    if (found != FM_NO_ID) return found;
    if (set->fault || !ROOM_FOR(set, label_set, label_sets)) return FM_NO_ID;
    if (!FM_GROW(&set->heap, set->labels, set->label_capacity, set->label_count + count)) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return FM_NO_ID;
    }
    const uint32_t id = (uint32_t)set->label_set.count++;
    set->label_sets[id] = (struct fm_sample_labels){set->label_count, (uint32_t)count};
    memcpy(set->labels + set->label_count, labels, count * sizeof *labels);
    set->label_count += count;
    fm_table_add(&set->label_set.table, hash, id);
    return id;
}

/* --- weights --- */

/* Adds a column of zeros. Values are stored row by row, so the values of all rows are moved. */
static bool add_column(framemap_sample_set *set)
{
    const size_t old = set->column_count, rows = set->row.count;
    if (!FM_GROW(&set->heap, set->values, set->value_capacity, rows * (old + 1))) return false;
    for (size_t row = rows; row-- > 0;) {
        for (size_t column = old; column-- > 0;)
            set->values[row * (old + 1) + column] = set->values[row * old + column];
        set->values[row * (old + 1) + old] = 0;
    }
    return true;
}

uint32_t fm_samples_known_column(const framemap_sample_set *set, framemap_str type, framemap_str unit)
{
    for (uint32_t i = 0; i < set->column_count; i++)
        if (fm_str_equal(fm_samples_text(set, set->columns[i].type), type) &&
            fm_str_equal(fm_samples_text(set, set->columns[i].unit), unit))
            return i;
    return FM_NO_ID;
}

uint32_t fm_samples_column(framemap_sample_set *set, framemap_str type, framemap_str unit)
{
    const uint32_t known = fm_samples_known_column(set, type, unit);
    if (known != FM_NO_ID) return known;
    const struct fm_sample_column column = {fm_samples_string(set, type), fm_samples_string(set, unit)};
    if (set->fault) return FM_NO_ID;
    if (set->column_count == FM_SAMPLE_COLUMNS || !add_column(set)) {
        fm_samples_fault(set, set->column_count == FM_SAMPLE_COLUMNS ? FRAMEMAP_E_LIMIT : FRAMEMAP_E_MEMORY);
        return FM_NO_ID;
    }
    set->columns[set->column_count] = column;
    return set->column_count++;
}

int64_t fm_samples_sum(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b) return INT64_MAX;
    if (b < 0 && a < INT64_MIN - b) return INT64_MIN;
    return a + b;
}

static bool row_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_sample_entry *a = &((const framemap_sample_set *)context)->rows[id], *b = key;
    return a->node == b->node && a->thread == b->thread && a->labels == b->labels;
}

/* Returns the row for a sample, which is a new or an existing row; FM_NO_ID on failure. A sample with a time always
 * gets a row of its own. */
static uint32_t row_of(framemap_sample_set *set, struct fm_sample_entry *row)
{
    if (set->without & FRAMEMAP_PART_TIMES) row->time_ns = FM_NO_TIME;
    if ((set->without & FRAMEMAP_PART_THREADS) || row->thread >= set->thread.count) row->thread = FM_NO_ID;
    const bool timed = row->time_ns != FM_NO_TIME;
    const uint64_t hash = fm_hash_word((uint64_t)row->node << 32 | row->thread, set->key ^ row->labels);
    const uint32_t found = timed ? FM_NO_ID : fm_table_find(&set->row.table, hash, row_equal, set, row);
    if (found != FM_NO_ID) return found;
    if (set->fault || set->column_count == 0 || !ROOM_FOR(set, row, rows)) return FM_NO_ID;
    const size_t columns = set->column_count;
    if (!FM_GROW(&set->heap, set->values, set->value_capacity, (set->row.count + 1) * columns)) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return FM_NO_ID;
    }
    const uint32_t id = (uint32_t)set->row.count++;
    set->rows[id] = *row;
    memset(set->values + id * columns, 0, columns * sizeof *set->values);
    if (!timed) fm_table_add(&set->row.table, hash, id);
    return id;
}

void fm_samples_add(framemap_sample_set *set, const struct fm_sample_entry *given, const uint32_t *columns,
                    const int64_t *values, size_t count)
{
    struct fm_sample_entry row = *given;
    const uint32_t id = row_of(set, &row);
    if (id == FM_NO_ID) return;
    for (size_t i = 0; i < count; i++) {
        if (columns[i] >= set->column_count) continue;
        int64_t *value = &set->values[(size_t)id * set->column_count + columns[i]];
        *value = fm_samples_sum(*value, values[i]);
    }
}

void fm_samples_one(framemap_sample_set *set, const struct fm_sample_entry *row, uint32_t column, int64_t value)
{
    fm_samples_add(set, row, &column, &value, 1);
}

/* --- queries --- */

static unsigned frame_parts(const framemap_sample_set *set)
{
    unsigned parts = 0;
    for (size_t i = 0; i < set->frame.count; i++) {
        const struct fm_sample_frame *frame = &set->frames[i];
        if (frame->file) parts |= FRAMEMAP_PART_FILES;
        if (frame->line1) parts |= FRAMEMAP_PART_LINES;
        if (frame->column1) parts |= FRAMEMAP_PART_COLUMNS;
        if (frame->module && frame->function) parts |= FRAMEMAP_PART_MODULES;
        if (frame->flags & FM_FRAME_ADDRESS) parts |= FRAMEMAP_PART_ADDRESSES;
        if (frame->flags & FM_FRAME_INLINED) parts |= FRAMEMAP_PART_INLINED;
    }
    return parts;
}

unsigned fm_samples_parts(const framemap_sample_set *set)
{
    unsigned parts = frame_parts(set);
    if (set->column_count > 1) parts |= FRAMEMAP_PART_VALUES;
    if (set->label_set.count) parts |= FRAMEMAP_PART_LABELS;
    for (size_t i = 0; i < set->row.count; i++) {
        if (set->rows[i].time_ns != FM_NO_TIME) parts |= FRAMEMAP_PART_TIMES;
        if (set->rows[i].thread != FM_NO_ID) parts |= FRAMEMAP_PART_THREADS;
    }
    for (size_t i = 0; i < set->row.count * set->column_count; i++)
        if (set->values[i] < 0) parts |= FRAMEMAP_PART_NEGATIVE;
    return parts;
}

framemap_str fm_samples_label(const framemap_sample_set *set, uint32_t number, char room[FM_FRAME_LABEL])
{
    const struct fm_sample_frame *frame = &set->frames[number];
    const framemap_str function = fm_samples_text(set, frame->function),
                       module = fm_str_basename(fm_samples_text(set, frame->module));
    int size;
    if (function.size) return function;
    if (module.size && module.data[0] == '[') return module;
    if (module.size)
        size = snprintf(room, FM_FRAME_LABEL, "[%.*s]", (int)(module.size < 500 ? module.size : 500), module.data);
    else if (frame->flags & FM_FRAME_ADDRESS)
        size = snprintf(room, FM_FRAME_LABEL, "0x%" PRIx64, frame->address);
    else
        return FM_STR("[unknown]");
    return fm_str(room, (size_t)size);
}
