/* Joins header, directory, sections and tail to the bytes of an index. */
#include "core/hash/hash.h"
#include "core/thread_team.h"
#include "index/write/table_writer.h"

static uint32_t section_count(const struct fm_output_section *outputs)
{
    uint32_t count = 0;
    for (unsigned id = 1; id < FMX_SECTION_END; id++) count += outputs[id].count > 0;
    return count;
}

static void write_section(const struct fm_output_section *output, unsigned char *to)
{
    if (output->fill)
        output->fill(output->context, output, to);
    else
        memcpy(to, output->bits.borrowed ? output->bits.borrowed : output->bits.data,
               (size_t)fm_bit_buffer_bytes(&output->bits));
}

/* Writes the directory entry of a section. bytes: the section's bytes in the file. */
static void write_entry(unsigned char *entry, unsigned id, const struct fm_output_section *output,
                        const unsigned char *bytes, uint64_t offset)
{
    const uint64_t size = fm_bit_buffer_bytes(&output->bits);
    entry[FMX_ENTRY_ID] = (unsigned char)id;
    memcpy(entry + FMX_ENTRY_WIDTHS, output->widths, FMX_FIELDS);
    fm_store64(entry + FMX_ENTRY_COUNT, output->count);
    fm_store64(entry + FMX_ENTRY_OFFSET, offset);
    fm_store64(entry + FMX_ENTRY_SIZE, size);
    fm_store64(entry + FMX_ENTRY_HASH, fm_hash64(bytes, (size_t)size, 0));
}

static void write_header(unsigned char *data, const struct fm_header *header, uint32_t sections, uint64_t size)
{
    const uint32_t head_size = FMX_HEADER + FMX_ENTRY * sections;
    memcpy(data, FMX_MAGIC, 4);
    fm_store32(data + FMX_AT_VERSION,
               header->flags & (FMX_FLAG_CLASSES | FMX_FLAG_SEGMENTS) ? FMX_VERSION_PLAIN : FMX_VERSION);
    fm_store32(data + FMX_AT_HEADER_SIZE, head_size);
    fm_store32(data + FMX_AT_SECTIONS, sections);
    fm_store64(data + FMX_AT_FILE_SIZE, size);
    fm_store64(data + FMX_AT_BASE, header->base);
    fm_store64(data + FMX_AT_POSITIONS, header->positions);
    data[FMX_AT_SHIFT] = header->shift;
    data[FMX_AT_ADDRESS_BITS] = header->address_bits;
    data[FMX_AT_FLAGS] = header->flags;
    fm_store64(data + FMX_AT_CHECK, fm_header_check(data, head_size));
}

/* The job of joining: every section's offset is computed before the threads write the sections. */
struct join {
    const struct fm_output_section *outputs;
    unsigned char *bytes;
    unsigned ids[FMX_SECTION_END]; /* ids of the sections that are not empty */
    uint64_t offsets[FMX_SECTION_END];
    size_t order[FMX_SECTION_END]; /* the sections in the order in which they are processed */
};

/* Orders the sections by size, the largest first, so that the threads finish at about the same time. */
static void order_by_size(struct join *join, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const size_t item = join->order[i];
        const uint64_t bits = join->outputs[join->ids[item]].bits.bits;
        size_t at = i;
        for (; at > 0 && join->outputs[join->ids[join->order[at - 1]]].bits.bits < bits; at--)
            join->order[at] = join->order[at - 1];
        join->order[at] = item;
    }
}

static bool join_section(void *context, unsigned worker, size_t number)
{
    const struct join *join = context;
    const size_t item = join->order[number];
    const struct fm_output_section *output = &join->outputs[join->ids[item]];
    unsigned char *to = join->bytes + join->offsets[item];
    (void)worker;
    write_section(output, to);
    if (output->done) output->done(output->context);
    write_entry(join->bytes + FMX_HEADER + item * FMX_ENTRY, join->ids[item], output, to, join->offsets[item]);
    return true;
}

bool fm_output_sections_join(struct fm_heap *heap, const struct fm_output_section outputs[FMX_SECTION_END],
                             const struct fm_header *header, unsigned threads, unsigned char **data, size_t *size)
{
    struct join join = {.outputs = outputs};
    const uint32_t sections = section_count(outputs), head_size = FMX_HEADER + FMX_ENTRY * sections;
    uint64_t total = head_size;
    size_t count = 0;
    for (unsigned id = 1; id < FMX_SECTION_END; id++) {
        if (outputs[id].count == 0) continue;
        join.order[count] = count;
        join.ids[count] = id;
        join.offsets[count++] = total;
        total += fm_bit_buffer_bytes(&outputs[id].bits);
    }
    total += FMX_TAIL;
    unsigned char *bytes = join.bytes = total > SIZE_MAX ? NULL : fm_heap_resize(heap, NULL, 0, (size_t)total);
    if (bytes == NULL) return false;
    memset(bytes, 0, head_size);
    memset(bytes + total - FMX_TAIL, 0, FMX_TAIL);
    if (threads > 1) order_by_size(&join, count);
    fm_thread_team_run(threads, count, join_section, &join);
    write_header(bytes, header, sections, total);
    *data = bytes;
    *size = (size_t)total;
    return true;
}
