/* Implements top_writer.h: checks the name of the output format, passes the buffered output on to the caller's
 * function, and writes aligned numbers and the head of the JSON output. */
#include "api/group/top_writer.h"
#include "core/error.h"
#include "formats/output/json_members.h"

#include <string.h>

framemap_status fm_top_writer_open(struct fm_top_writer *writer, struct fm_heap *heap, const char *format, bool *json,
                                   framemap_error *error)
{
    *json = strcmp(format, "json") == 0;
    if (!*json && strcmp(format, "text") != 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the format is 'text' or 'json'");
    fm_buf_init(&writer->out, heap);
    writer->out.shows = !*json;
    return FRAMEMAP_OK;
}

void fm_top_hand_on(struct fm_top_writer *writer)
{
    if (!writer->refused && !writer->out.failed && writer->out.size)
        writer->refused = !writer->write(writer->context, writer->out.data, writer->out.size);
    writer->out.size = 0;
}

framemap_status fm_top_writer_close(struct fm_top_writer *writer, framemap_error *error)
{
    const bool failed = writer->out.failed;
    fm_buf_free(&writer->out);
    if (writer->refused) return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    return failed ? fm_error_memory(error) : FRAMEMAP_OK;
}

void fm_top_put_head(struct fm_buf *out)
{
    struct fm_members m = fm_members_open_line(out, FM_STR("head"));
    fm_member_text(&m, FM_MEMBER("schema"), FM_STR("framemap-top/1"));
    fm_member_text(&m, FM_MEMBER("framemap"), FM_STR(FRAMEMAP_VERSION_STRING));
    fm_members_close_line(&m);
}

void fm_put_blanks(struct fm_buf *out, size_t count)
{
    while (count-- > 0) fm_buf_byte(out, ' ');
}

size_t fm_digits_of(uint64_t number)
{
    size_t digits = 1;
    for (; number >= 10; number /= 10) digits++;
    return digits;
}

void fm_put_right(struct fm_buf *out, uint64_t number, size_t width)
{
    const size_t digits = fm_digits_of(number);
    fm_put_blanks(out, width > digits ? width - digits : 0);
    fm_buf_dec(out, number);
}
