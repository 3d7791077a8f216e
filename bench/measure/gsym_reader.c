/* GSYM reader, by the description in LLVM's header files; called by bench_lookups.c. Files are trusted: only the magic
 * is checked, so that the reader is as fast as possible. */
#include "chains.h"

#include <string.h>

enum { HEADER = 48, INFO_END = 0, INFO_LINES = 1, INFO_INLINE = 2 };
enum { LINE_END = 0, LINE_FILE = 1, LINE_ADDRESS = 2, LINE_LINE = 3, LINE_SPECIAL = 4 };

static uint32_t load32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t load(const unsigned char *at, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, at, size);
    return value;
}

static uint64_t uleb(const unsigned char **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const unsigned char byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << (shift & 63);
        if (byte < 0x80) return value;
    }
}

static int64_t sleb(const unsigned char **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
        const unsigned char byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << (shift & 63);
        shift += 7;
        if (byte < 0x80) return (int64_t)(byte & 0x40 && shift < 64 ? value | ~UINT64_C(0) << shift : value);
    }
}

bool gsym_open(framemap_str bytes, struct gsym *out)
{
    const unsigned char *data = (const unsigned char *)bytes.data;
    if (bytes.size < HEADER || load32(data) != 0x4753594d || load(data + 4, 2) != 1) return false;
    *out = (struct gsym){.bytes = bytes, .begin_size = data[6], .base = load(data + 8, 8), .count = load32(data + 16)};
    const size_t align = out->begin_size;
    size_t at = (HEADER + align - 1) / align * align;
    out->begins = data + at;
    at += out->count * align;
    at = (at + 3) & ~(size_t)3;
    out->infos = data + at;
    at += (size_t)out->count * 4;
    out->file_count = load32(data + at);
    out->files = data + at + 4;
    out->texts = bytes.data + load32(data + 20);
    return true;
}

static uint64_t begin_of(const struct gsym *gsym, uint32_t row)
{
    return load(gsym->begins + (size_t)row * gsym->begin_size, gsym->begin_size);
}

static void name_file(const struct gsym *gsym, uint32_t file, struct chain_frame *frame)
{
    const unsigned char *row = gsym->files + (size_t)(file < gsym->file_count ? file : 0) * 8;
    frame->folder = gsym->texts + load32(row);
    frame->file = gsym->texts + load32(row + 4);
}

/* Finds the last row of a line table at or before an address. */
static bool find_line(const unsigned char *at, uint64_t begin, uint64_t address, uint32_t *file, uint32_t *line)
{
    const int64_t least = sleb(&at), range = sleb(&at) - least + 1;
    uint64_t row_address = begin, row_file = 1;
    int64_t row_line = (int64_t)uleb(&at);
    for (bool found = false;;) {
        const unsigned char code = *at++;
        if (code == LINE_END) return found;
        if (code == LINE_FILE) row_file = uleb(&at);
        if (code == LINE_LINE) row_line += sleb(&at);
        if (code == LINE_FILE || code == LINE_LINE) continue;
        if (code == LINE_ADDRESS) {
            row_address += uleb(&at);
        } else {
            row_line += least + (code - LINE_SPECIAL) % range;
            row_address += (uint64_t)((code - LINE_SPECIAL) / range);
        }
        if (row_address > address) return found;
        found = true;
        *file = (uint32_t)row_file;
        *line = (uint32_t)row_line;
        if (row_address == address) return true;
    }
}

/* Reads the ranges of an inlined function. Returns their number; *first: the start of the first one, *holds: whether
 * one of them contains the address. */
static uint64_t read_ranges(const unsigned char **at, uint64_t base, uint64_t address, uint64_t *first, bool *holds)
{
    const uint64_t count = uleb(at);
    *holds = false;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t begin = base + uleb(at), size = uleb(at);
        if (i == 0) *first = begin;
        *holds = *holds || address - begin < size;
    }
    return count;
}

static bool skip_inline(const unsigned char **at, bool ranges_read)
{
    if (!ranges_read) {
        const uint64_t count = uleb(at);
        if (count == 0) return false;
        for (uint64_t i = 0; i < 2 * count; i++) uleb(at);
    }
    const bool children = *(*at)++ != 0;
    *at += 4;
    uleb(at);
    uleb(at);
    while (children && skip_inline(at, false)) continue;
    return true;
}

struct chain {
    const struct gsym *gsym;
    struct chain_frame *frames;
    size_t count;
    uint64_t address;
};

/* Adds the callers of the functions that were inlined at the address. Returns true if siblings need not be searched. */
static bool find_inline(struct chain *chain, const unsigned char **at, uint64_t base)
{
    uint64_t first = 0;
    bool holds;
    if (read_ranges(at, base, chain->address, &first, &holds) == 0) return true;
    if (!holds) {
        skip_inline(at, true);
        return false;
    }
    const bool children = *(*at)++ != 0;
    const char *name = chain->gsym->texts + load32(*at);
    *at += 4;
    const uint64_t file = uleb(at), line = uleb(at);
    while (children && !find_inline(chain, at, first)) continue;
    if (file == 0 || chain->count == CHAIN_MOST) return true;
    struct chain_frame *last = &chain->frames[chain->count - 1], *caller = &chain->frames[chain->count++];
    *caller = (struct chain_frame){.name = last->name, .line = (uint32_t)line};
    name_file(chain->gsym, (uint32_t)file, caller);
    last->name = name;
    return true;
}

static uint32_t last_at_or_before(const struct gsym *gsym, uint64_t offset)
{
    uint32_t low = 0, high = gsym->count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (begin_of(gsym, middle) <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t gsym_lookup(const struct gsym *gsym, uint64_t address, struct chain_frame *frames)
{
    if (gsym->count == 0 || address < gsym->base) return 0;
    const uint32_t row = last_at_or_before(gsym, address - gsym->base);
    const uint64_t begin = gsym->base + begin_of(gsym, row);
    const unsigned char *at = (const unsigned char *)gsym->bytes.data + load32(gsym->infos + (size_t)row * 4),
                        *inlines = NULL;
    if (address - begin >= load32(at) && load32(at) != 0) return 0;
    frames[0] = (struct chain_frame){.name = gsym->texts + load32(at + 4), .folder = "", .file = ""};
    uint32_t file, line;
    bool found = false;
    for (at += 8; load32(at) != INFO_END; at += 8 + load32(at + 4)) {
        if (load32(at) == INFO_LINES) found = find_line(at + 8, begin, address, &file, &line);
        if (load32(at) == INFO_INLINE) inlines = at + 8;
    }
    if (!found) return 1;
    frames[0].line = line;
    name_file(gsym, file, &frames[0]);
    struct chain chain = {.gsym = gsym, .frames = frames, .count = 1, .address = address};
    if (inlines) find_inline(&chain, &inlines, begin);
    return chain.count;
}
