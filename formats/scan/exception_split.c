/* Implements exception_split.h: takes the longest run of letters, digits, dots and similar bytes at the start as the
 * type of the exception, if a colon or nothing follows it; otherwise the whole text is the message. */
#include "formats/scan/exception_split.h"
#include "core/text/text.h"

/* Whether a byte can be in the name of an exception; bytes from 0x80 on are letters of other scripts. */
static bool is_name_byte(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$' || c >= 0x80;
}

static size_t name_size(framemap_str text)
{
    size_t size = 0;
    while (size < text.size && is_name_byte((unsigned char)text.data[size])) size++;
    return size;
}

void fm_split_exception(framemap_trace *trace)
{
    const framemap_str text = trace->exception;
    if (text.size == 0 || trace->exception_type.size || trace->exception_message.size) return;
    const size_t size = name_size(text);
    const framemap_str rest = fm_str_from(text, size);
    if (size > 0 && rest.size == 0) {
        trace->exception_type = text;
    } else if (size > 0 && rest.data[0] == ':') {
        trace->exception_type = fm_str(text.data, size);
        trace->exception_message = fm_str_trim(fm_str_from(rest, 1));
    } else {
        trace->exception_message = text;
    }
}
