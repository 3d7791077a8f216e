/* Reads a text as a profile, writes it in each format, and reads the result. Bits of the first byte choose the
 * format, whether it is named, and whether a session restores the set. The bits are independent, so that every
 * combination is possible however many formats there are. Properties: what is written can be read; writing and
 * reading it once more keeps the sum of the weights; neither a session without symbols nor reading in pieces changes
 * the samples. */
#include "core/text/buffer.h"
#include <framemap/framemap.h>
#include <stdlib.h>
#include <string.h>

/* Meaning of the first byte's bits. Changing them would change what the seeds in corpus/ test. */
enum { FORMAT_BITS = 0x3F, RESTORES = 0x40, GUESSES_FORMAT = 0x80 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) abort();
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static framemap_sample_set *open_set(void)
{
    const framemap_sample_options options = {.size = sizeof options, .max_memory = (uint64_t)256 << 20};
    framemap_sample_set *set = NULL;
    must(framemap_sample_set_open(&options, &set, NULL) == FRAMEMAP_OK);
    return set;
}

static int64_t total_of(const framemap_sample_set *set)
{
    framemap_sample sample;
    uint64_t total = 0;
    for (uint32_t i = 0; framemap_sample_set_sample(set, i, &sample); i++) total += (uint64_t)sample.values[0];
    return (int64_t)total;
}

/* Reads every field of a set, so that a sanitizer detects bad pointers. */
static void visit(const framemap_sample_set *set)
{
    framemap_sample_counts counts;
    framemap_sample sample;
    framemap_sample_frame frame;
    framemap_sample_type type;
    framemap_sample_label label;
    framemap_sample_set_counts(set, &counts);
    for (uint32_t i = 0; i < counts.types; i++) must(framemap_sample_set_type(set, i, &type));
    for (uint32_t i = 0; i < counts.frames; i++) must(framemap_sample_set_frame(set, i, &frame));
    for (uint32_t i = 0; i < counts.nodes; i++) {
        uint32_t parent, number;
        must(framemap_sample_set_node(set, i, &parent, &number));
        must((parent == FRAMEMAP_NO_NODE || parent < i) && number < counts.frames);
    }
    for (uint32_t i = 0; i < counts.samples; i++) {
        must(framemap_sample_set_sample(set, i, &sample) && sample.value_count == counts.types);
        must(sample.node == FRAMEMAP_NO_NODE || sample.node < counts.nodes);
        for (uint32_t l = 0; l < sample.label_count; l++) must(framemap_sample_set_label(set, i, l, &label));
    }
    for (uint32_t bit = 1; bit; bit <<= 1) must(framemap_sample_part_name(bit) != NULL);
}

static void write_and_read(framemap_sample_set *set, const framemap_sample_format *format, struct fm_heap *heap)
{
    struct fm_buf first, second;
    uint32_t lost;
    fm_buf_init(&first, heap);
    fm_buf_init(&second, heap);
    framemap_status status = framemap_sample_set_write(set, format->name, gather, &first, &lost, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    if (status == FRAMEMAP_OK && format->reads) {
        framemap_sample_set *again = open_set(), *third = open_set();
        must(framemap_sample_set_read(again, fm_buf_view(&first), format->name, NULL) == FRAMEMAP_OK);
        must(framemap_sample_set_write(again, format->name, gather, &second, NULL, NULL) == FRAMEMAP_OK);
        must(framemap_sample_set_read(third, fm_buf_view(&second), format->name, NULL) == FRAMEMAP_OK);
        must(total_of(again) == total_of(third));
        framemap_sample_set_close(again);
        framemap_sample_set_close(third);
    }
    fm_buf_free(&first);
    fm_buf_free(&second);
}

/* Checks that a session without symbols keeps the sum of the weights. This must hold if the session restores a complete
 * set, and if it restores stacks while the text is read. */
static void restore(const framemap_sample_set *set, framemap_str text, const char *format)
{
    framemap_session *session = NULL;
    framemap_sample_set *restored = NULL, *read = NULL;
    const framemap_session_options options = {.size = sizeof options, .cache_path = ""};
    must(framemap_session_open(&options, &session, NULL) == FRAMEMAP_OK);
    must(framemap_session_restore_samples(session, set, NULL, &restored, NULL) == FRAMEMAP_OK);
    must(total_of(restored) == total_of(set));
    framemap_sample_set_close(restored);
    must(framemap_session_sample_set_open(session, NULL, NULL, &read, NULL) == FRAMEMAP_OK);
    if (framemap_sample_set_read(read, text, format, NULL) == FRAMEMAP_OK) must(total_of(read) == total_of(set));
    framemap_sample_set_close(read);
    framemap_session_close(session);
}

/* Checks that a set which is read in pieces has as many nodes and samples as the set that was read from the whole
 * text. */
static void feed(framemap_str text, const char *format, const framemap_sample_set *whole)
{
    framemap_sample_set *set = open_set();
    framemap_sample_counts one, two;
    framemap_status status = FRAMEMAP_OK;
    for (size_t at = 0; at < text.size && !status; at += 7)
        status = framemap_sample_set_feed(set, (framemap_str){text.data + at, text.size - at < 7 ? text.size - at : 7},
                                          format, NULL);
    if (!status) status = framemap_sample_set_finish(set, format, NULL);
    framemap_sample_set_counts(set, &one);
    framemap_sample_set_counts(whole, &two);
    must(status == FRAMEMAP_OK && one.nodes == two.nodes && one.samples == two.samples);
    framemap_sample_set_close(set);
}

static void add_by_hand(framemap_sample_set *set, framemap_str text)
{
    const framemap_sample_frame frame = {.function = text, .line = 1};
    const framemap_sample_type type = {{"samples", 7}, {"count", 5}};
    const int64_t value = 1;
    const framemap_sample_label label = {.key = text, .text = text};
    const framemap_sample sample = {
        .frames = &frame, .frame_count = 1, .values = &value, .value_count = 1, .labels = &label, .label_count = 1};
    const framemap_status status = framemap_sample_set_add(set, &type, &sample, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_LIMIT || status == FRAMEMAP_E_MEMORY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count;
    struct fm_heap heap;
    const framemap_sample_format *const *formats = framemap_sample_format_list(&count);
    if (size == 0) return 0;
    const framemap_sample_format *chosen = formats[(data[0] & FORMAT_BITS) % count];
    const char *format = !(data[0] & GUESSES_FORMAT) && chosen->reads ? chosen->name : NULL;
    const framemap_str text = {(const char *)data + 1, size - 1};
    framemap_sample_set *set = open_set();
    fm_heap_init(&heap, NULL, 0);
    if (framemap_sample_set_read(set, text, format, NULL) == FRAMEMAP_OK) {
        visit(set);
        if (size < 2000) feed(text, format, set);
        for (size_t i = 0; i < count; i++)
            if (formats[i]->writes) write_and_read(set, formats[i], &heap);
        if (data[0] & RESTORES) restore(set, text, format);
        add_by_hand(set, (framemap_str){text.data, text.size < 40 ? text.size : 40});
        visit(set);
    }
    framemap_sample_set_close(set);
    return 0;
}
