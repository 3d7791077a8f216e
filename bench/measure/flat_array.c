/* A flat sorted array of locations, laid out like symcache; called by bench_lookups.c for comparison. */
#include "chains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct location {
    uint32_t file, line, function, inlined_into; /* inlined_into: number of a record in `parents`, the call site */
};

struct function {
    uint32_t name, file, begin, language;
};

struct file {
    uint32_t folder, name;
};

/* A list of records without duplicates: an open-addressing hash table finds the number of a record. */
struct rows {
    void *rows;
    size_t row_size, count, room;
    uint32_t *slots;
    size_t slot_count;
};

struct flat_array {
    uint64_t base;
    uint32_t *begins;
    struct location *places; /* one for each start address in `begins` */
    size_t count, room;
    struct rows parents, functions, files, texts; /* in `texts`, a record is an offset in `bytes` */
    char *bytes;
    size_t byte_count, byte_room;
};

static void *grow(void *block, size_t size)
{
    void *bigger = realloc(block, size);
    if (bigger == NULL) die("flat array", "out of memory");
    return bigger;
}

static uint64_t hash_bytes(const void *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u ^ size;
    for (size_t i = 0; i < size; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

/* --- making the array --- */

static size_t text_at(const struct flat_array *flat, uint32_t offset, const char **text)
{
    const unsigned char *at = (const unsigned char *)flat->bytes + offset;
    size_t size = 0;
    for (unsigned shift = 0;; shift += 7) {
        size |= (size_t)(*at & 0x7f) << shift;
        if (*at++ < 0x80) break;
    }
    *text = (const char *)at;
    return size;
}

static uint64_t hash_row(const struct flat_array *flat, const struct rows *rows, size_t row)
{
    const char *at = (const char *)rows->rows + row * rows->row_size;
    size_t size = rows->row_size;
    if (rows == &flat->texts) {
        uint32_t offset;
        memcpy(&offset, at, sizeof offset);
        size = text_at(flat, offset, &at);
    }
    return hash_bytes(at, size);
}

static void rehash(const struct flat_array *flat, struct rows *rows)
{
    rows->slot_count = rows->slot_count ? rows->slot_count * 2 : 1024;
    rows->slots = grow(rows->slots, rows->slot_count * sizeof *rows->slots);
    memset(rows->slots, 0xff, rows->slot_count * sizeof *rows->slots);
    for (size_t row = 0; row < rows->count; row++) {
        size_t slot = hash_row(flat, rows, row) % rows->slot_count;
        while (rows->slots[slot] != NONE) slot = (slot + 1) % rows->slot_count;
        rows->slots[slot] = (uint32_t)row;
    }
}

static uint32_t append_row(struct rows *rows, size_t slot, const void *row)
{
    if (rows->count == rows->room) {
        rows->room = rows->room ? rows->room * 2 : 1024;
        rows->rows = grow(rows->rows, rows->room * rows->row_size);
    }
    memcpy((char *)rows->rows + rows->count * rows->row_size, row, rows->row_size);
    rows->slots[slot] = (uint32_t)rows->count;
    return (uint32_t)rows->count++;
}

static uint32_t add_row(const struct flat_array *flat, struct rows *rows, const void *row)
{
    if (rows->count * 2 >= rows->slot_count) rehash(flat, rows);
    size_t slot = hash_bytes(row, rows->row_size) % rows->slot_count;
    for (; rows->slots[slot] != NONE; slot = (slot + 1) % rows->slot_count)
        if (memcmp((char *)rows->rows + (size_t)rows->slots[slot] * rows->row_size, row, rows->row_size) == 0)
            return rows->slots[slot];
    return append_row(rows, slot, row);
}

static uint32_t write_text(struct flat_array *flat, framemap_str text)
{
    if (flat->byte_room - flat->byte_count < text.size + 10) {
        flat->byte_room = flat->byte_room * 2 + text.size + 65536;
        flat->bytes = grow(flat->bytes, flat->byte_room);
    }
    const size_t offset = flat->byte_count;
    size_t left = text.size;
    do {
        flat->bytes[flat->byte_count++] = (char)((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
        left >>= 7;
    } while (left);
    if (text.size) memcpy(flat->bytes + flat->byte_count, text.data, text.size);
    flat->byte_count += text.size;
    return (uint32_t)offset;
}

static uint32_t add_text(struct flat_array *flat, framemap_str text)
{
    struct rows *rows = &flat->texts;
    if (rows->count * 2 >= rows->slot_count) rehash(flat, rows);
    size_t slot = hash_bytes(text.data, text.size) % rows->slot_count;
    for (; rows->slots[slot] != NONE; slot = (slot + 1) % rows->slot_count) {
        const uint32_t offset = ((const uint32_t *)rows->rows)[rows->slots[slot]];
        const char *other;
        if (text_at(flat, offset, &other) == text.size && (text.size == 0 || memcmp(other, text.data, text.size) == 0))
            return offset;
    }
    const uint32_t offset = write_text(flat, text);
    append_row(rows, slot, &offset);
    return offset;
}

static struct location location_of(struct flat_array *flat, const framemap_frame *frame, uint32_t inlined_into)
{
    struct location location = {.file = NONE, .line = frame->line, .inlined_into = inlined_into};
    if (frame->file.size) {
        size_t folder = frame->file.size;
        while (folder && frame->file.data[folder - 1] != '/') folder--;
        const struct file file = {add_text(flat, (framemap_str){frame->file.data, folder}),
                                  add_text(flat, (framemap_str){frame->file.data + folder, frame->file.size - folder})};
        location.file = add_row(flat, &flat->files, &file);
    }
    const framemap_str name = frame->symbol.size ? frame->symbol : frame->function;
    const struct function function = {.name = add_text(flat, name), .file = NONE};
    location.function = add_row(flat, &flat->functions, &function);
    return location;
}

static void add_place(struct flat_array *flat, uint64_t address, framemap_frame_list chain)
{
    if (flat->count == flat->room) {
        flat->room = flat->room ? flat->room * 2 : 1024;
        flat->begins = grow(flat->begins, flat->room * sizeof *flat->begins);
        flat->places = grow(flat->places, flat->room * sizeof *flat->places);
    }
    if (flat->count == 0) flat->base = address;
    if (address - flat->base > UINT32_MAX) die("flat array", "addresses are too far apart");
    struct location place = {NONE, 0, NONE, NONE};
    for (size_t i = chain.count; i--;) {
        const uint32_t outer = i + 1 < chain.count ? add_row(flat, &flat->parents, &place) : NONE;
        place = location_of(flat, &chain.frames[i], outer);
    }
    if (flat->count && memcmp(&flat->places[flat->count - 1], &place, sizeof place) == 0)
        /* nothing is added, because the new location differs only in its column, which this layout does not store */
        return;
    flat->begins[flat->count] = (uint32_t)(address - flat->base);
    flat->places[flat->count++] = place;
}

/* State while the JSON lines of the index's dump are read for starts and ends of ranges. */
struct walk {
    struct flat_array *flat;
    const framemap_index *index;
    framemap_scratch *scratch;
    char line[160];
    size_t size; /* bytes of the current line so far; bytes that exceed the buffer are dropped */
    uint64_t end;
};

static void ask_place(struct walk *walk, uint64_t address)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    query.position = address;
    check(framemap_resolve(walk->index, &query, walk->scratch, &frame, &error), "flat array", &error);
    add_place(walk->flat, address, frame.restored);
}

static void take_line(struct walk *walk)
{
    walk->line[walk->size < sizeof walk->line ? walk->size : sizeof walk->line - 1] = 0;
    walk->size = 0;
    const char *begin = strstr(walk->line, "\"start\":\"0x"), *end = strstr(walk->line, "\"end\":\"0x");
    if (strncmp(walk->line, "{\"scope\":\"\",", 12) != 0 || begin == NULL) return;
    const uint64_t address = strtoull(begin + 9, NULL, 16);
    if (walk->flat->count && address > walk->end) add_place(walk->flat, walk->end, (framemap_frame_list){NULL, 0});
    ask_place(walk, address);
    walk->end = end ? strtoull(end + 7, NULL, 16) : UINT64_MAX;
}

static bool take_text(void *context, const char *data, size_t size)
{
    struct walk *walk = context;
    while (size) {
        const char *end = memchr(data, '\n', size);
        const size_t piece = end ? (size_t)(end - data) : size, room = sizeof walk->line - 1 - walk->size;
        const size_t kept = piece < room ? piece : room;
        memcpy(walk->line + walk->size, data, kept);
        walk->size += kept;
        if (end) take_line(walk);
        data += piece + (end ? 1 : 0);
        size -= piece + (end ? 1 : 0);
    }
    return true;
}

struct flat_array *flat_array_make(const framemap_index *index)
{
    struct flat_array *flat = calloc(1, sizeof *flat);
    struct walk walk = {.flat = flat, .index = index};
    framemap_error error;
    if (flat == NULL) die("flat array", "out of memory");
    flat->parents.row_size = sizeof(struct location);
    flat->functions.row_size = sizeof(struct function);
    flat->files.row_size = sizeof(struct file);
    flat->texts.row_size = sizeof(uint32_t);
    check(framemap_scratch_create(NULL, &walk.scratch, &error), "flat array", &error);
    check(framemap_index_dump(index, "jsonl", take_text, &walk, &error), "flat array", &error);
    if (flat->count && walk.end != UINT64_MAX) add_place(flat, walk.end, (framemap_frame_list){NULL, 0});
    framemap_scratch_free(walk.scratch);
    return flat;
}

static void free_rows(struct rows *rows)
{
    free(rows->rows);
    free(rows->slots);
}

void flat_array_free(struct flat_array *flat)
{
    free_rows(&flat->parents);
    free_rows(&flat->functions);
    free_rows(&flat->files);
    free_rows(&flat->texts);
    free(flat->begins);
    free(flat->places);
    free(flat->bytes);
    free(flat);
}

size_t flat_array_bytes(const struct flat_array *flat)
{
    return flat->count * (sizeof *flat->begins + sizeof *flat->places) + flat->parents.count * sizeof(struct location) +
           flat->functions.count * sizeof(struct function) + flat->files.count * sizeof(struct file) + flat->byte_count;
}

/* --- looking up an address --- */

static void fill_frame(const struct flat_array *flat, const struct location *location, struct chain_frame *frame)
{
    const struct function *function = (const struct function *)flat->functions.rows + location->function;
    frame->line = location->line;
    frame->name_size = (uint32_t)text_at(flat, function->name, &frame->name);
    frame->folder = frame->file = NULL;
    frame->folder_size = frame->file_size = 0;
    if (location->file == NONE) return;
    const struct file *file = (const struct file *)flat->files.rows + location->file;
    frame->folder_size = (uint32_t)text_at(flat, file->folder, &frame->folder);
    frame->file_size = (uint32_t)text_at(flat, file->name, &frame->file);
}

size_t flat_array_lookup(const struct flat_array *flat, uint64_t address, struct chain_frame *frames)
{
    if (flat->count == 0 || address < flat->base || address - flat->base > UINT32_MAX) return 0;
    const uint32_t wanted = (uint32_t)(address - flat->base);
    size_t low = 0;
    for (size_t left = flat->count; left > 1;) { /* this loop is a binary search without branches */
        const size_t half = left / 2;
        low = flat->begins[low + half] <= wanted ? low + half : low;
        left -= half;
    }
    size_t count = 0;
    const struct location *location = &flat->places[low];
    if (location->function == NONE) return 0;
    for (;;) {
        fill_frame(flat, location, &frames[count++]);
        if (location->inlined_into == NONE || count == CHAIN_MOST) return count;
        location = (const struct location *)flat->parents.rows + location->inlined_into;
    }
}
