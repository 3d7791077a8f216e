/* Stores events as words, reads them, and prints them. See dw_event_stream.h. */
#include "tests/mappers/native/dw_event_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct dw_event_row dw_event_table[DW_EVENT_KINDS] = {
    [DW_EVENT_CLAIM] = {"claim",
                        {{"offset", DW_SHAPE_HEX},
                         {"end", DW_SHAPE_HEX},
                         {"weak", DW_SHAPE_NUMBER},
                         {"listed", DW_SHAPE_NUMBER},
                         {"ranges", DW_SHAPE_RANGES}}},
    [DW_EVENT_UNIT] = {"unit",
                       {{"offset", DW_SHAPE_HEX},
                        {"version", DW_SHAPE_NUMBER},
                        {"language", DW_SHAPE_NUMBER},
                        {"name", DW_SHAPE_TEXT},
                        {"folder", DW_SHAPE_TEXT},
                        {"producer", DW_SHAPE_TEXT}}},
    [DW_EVENT_FILE] = {"file", {{"number", DW_SHAPE_NUMBER}, {"path", DW_SHAPE_TEXT}}},
    [DW_EVENT_ROW] = {"row",
                      {{"address", DW_SHAPE_HEX},
                       {"file", DW_SHAPE_FILE_NUMBER},
                       {"line", DW_SHAPE_NUMBER},
                       {"column", DW_SHAPE_NUMBER},
                       {"is_stmt", DW_SHAPE_NUMBER},
                       {"end_sequence", DW_SHAPE_NUMBER}}},
    [DW_EVENT_ENTER] = {"enter",
                        {{"offset", DW_SHAPE_HEX},
                         {"origin", DW_SHAPE_HEX},
                         {"linkage_name", DW_SHAPE_TEXT},
                         {"name", DW_SHAPE_TEXT},
                         {"decl_file", DW_SHAPE_FILE_NUMBER},
                         {"decl_line", DW_SHAPE_NUMBER},
                         {"artificial", DW_SHAPE_NUMBER},
                         {"call_file", DW_SHAPE_FILE_NUMBER},
                         {"call_line", DW_SHAPE_NUMBER},
                         {"call_column", DW_SHAPE_NUMBER},
                         {"depth", DW_SHAPE_NUMBER},
                         {"ranges", DW_SHAPE_RANGES}}},
    [DW_EVENT_LEAVE] = {"leave", {{NULL, DW_SHAPE_END}}},
    [DW_EVENT_UNIT_END] = {"unit_end", {{NULL, DW_SHAPE_END}}},
    [DW_EVENT_FAULT] =
        {"fault",
         {{"code", DW_SHAPE_NUMBER}, {"offset", DW_SHAPE_HEX}, {"where", DW_SHAPE_TEXT}, {"message", DW_SHAPE_TEXT}}},
    [DW_EVENT_DONE] =
        {"done",
         {{"status", DW_SHAPE_NUMBER}, {"offset", DW_SHAPE_HEX}, {"where", DW_SHAPE_TEXT}, {"message", DW_SHAPE_TEXT}}},
};

void *dw_events_grow(void *data, size_t *capacity, size_t want, size_t width)
{
    if (want <= *capacity) return data;
    *capacity = want + want / 2 + 256;
    void *moved = realloc(data, *capacity * width);
    if (moved == NULL) {
        fputs("dw_events: the test itself is out of memory\n", stderr);
        abort();
    }
    return moved;
}

void dw_stream_put(struct dw_stream *stream, uint64_t word)
{
    stream->words = dw_events_grow(stream->words, &stream->capacity, stream->count + 1, sizeof *stream->words);
    stream->words[stream->count++] = word;
}

void dw_stream_put_text(struct dw_stream *stream, framemap_str text)
{
    stream->texts = dw_events_grow(stream->texts, &stream->text_capacity, stream->text_size + text.size, 1);
    if (text.size > 0) memcpy(stream->texts + stream->text_size, text.data, text.size);
    dw_stream_put(stream, stream->text_size);
    dw_stream_put(stream, text.size);
    stream->text_size += text.size;
}

void dw_stream_put_ranges(struct dw_stream *stream, const struct fm_dw_range *ranges, size_t count)
{
    dw_stream_put(stream, count);
    for (size_t i = 0; i < count; i++) {
        dw_stream_put(stream, ranges[i].low);
        dw_stream_put(stream, ranges[i].high);
    }
}

size_t dw_field_words(const struct dw_stream *stream, size_t at, enum dw_shape shape)
{
    switch (shape) {
    case DW_SHAPE_END: return 0;
    case DW_SHAPE_TEXT: return 2;
    case DW_SHAPE_RANGES: return 1 + 2 * (size_t)stream->words[at];
    default: return 1;
    }
}

size_t dw_event_words(const struct dw_stream *stream, size_t at)
{
    size_t next = at + 1;
    for (const struct dw_field *field = dw_event_table[stream->words[at]].fields; field->shape != DW_SHAPE_END;
         field++) {
        next += dw_field_words(stream, next, field->shape);
    }
    return next - at;
}

framemap_str dw_stream_text(const struct dw_stream *stream, size_t at)
{
    return (framemap_str){stream->texts == NULL ? "" : stream->texts + stream->words[at],
                          (size_t)stream->words[at + 1]};
}

void dw_stream_free(struct dw_stream *stream)
{
    free(stream->words);
    free(stream->texts);
    *stream = (struct dw_stream){.count = 0};
}

void dw_print_field(const struct dw_stream *stream, size_t at, enum dw_shape shape, FILE *to)
{
    uint64_t word = stream->words[at];
    framemap_str text;

    switch (shape) {
    case DW_SHAPE_END: break;
    case DW_SHAPE_NUMBER: fprintf(to, "%" PRId64, (int64_t)word); break;
    case DW_SHAPE_HEX: fprintf(to, "0x%" PRIx64, word); break;
    case DW_SHAPE_FILE_NUMBER:
        if (word == FM_NONE)
            fputs("none", to);
        else
            fprintf(to, "%" PRIu64, word);
        break;
    case DW_SHAPE_TEXT:
        text = dw_stream_text(stream, at);
        fprintf(to, "\"%.*s\"", (int)(text.size > 300 ? 300 : text.size), text.data);
        break;
    case DW_SHAPE_RANGES:
        fprintf(to, "%" PRIu64 ":", word);
        for (uint64_t i = 0; i < word && i < 8; i++) {
            fprintf(to, " [0x%" PRIx64 ", 0x%" PRIx64 ")", stream->words[at + 1 + 2 * i],
                    stream->words[at + 2 + 2 * i]);
        }
        if (word > 8) fputs(" ...", to);
        break;
    }
}

void dw_print_event(const struct dw_stream *stream, size_t at, const char *name, FILE *to)
{
    const uint64_t kind = stream->words[at++];

    fprintf(to, "  %s: %s", name, dw_event_table[kind].name);
    for (const struct dw_field *field = dw_event_table[kind].fields; field->shape != DW_SHAPE_END; field++) {
        fprintf(to, " %s=", field->name);
        dw_print_field(stream, at, field->shape, to);
        at += dw_field_words(stream, at, field->shape);
    }
    fputc('\n', to);
}
