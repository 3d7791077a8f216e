/* Buffers, escapes and limits the output of the Dart dump. See dart_dump_out.h. */
#include "mappers/dart/dump/dart_dump_out.h"

#include "core/error.h"
#include "core/limits.h"
#include <inttypes.h>
#include <stdio.h>

enum { FLUSH_AT = 1 << 16 };

bool fm_dart_dump_fault(struct fm_dart_dump *dump, framemap_status status, const char *what)
{
    if (dump->status == FRAMEMAP_OK) dump->status = fm_error_set(dump->error, status, "%s", what);
    return false;
}

bool fm_dart_dump_spend(struct fm_dart_dump *dump, uint64_t bytes)
{
    if (dump->status != FRAMEMAP_OK) return false;
    dump->spent += bytes;
    if (dump->spent > dump->most)
        return fm_dart_dump_fault(dump, FRAMEMAP_E_LIMIT,
                                  "the dump would have more than " FM_LIMIT_DUMP_RATIO_TEXT
                                  " bytes for each byte of the file");
    return true;
}

bool fm_dart_dump_flush(struct fm_dart_dump *dump)
{
    const struct fm_buf *out = &dump->out;
    if (dump->write && out->size && !dump->write(dump->context, out->data, out->size))
        return fm_dart_dump_fault(dump, FRAMEMAP_E_IO, "the output could not be written");
    fm_buf_clear(&dump->out);
    dump->counted = 0;
    return true;
}

bool fm_dart_dump_more(struct fm_dart_dump *dump)
{
    if (dump->out.failed) return fm_dart_dump_fault(dump, FRAMEMAP_E_MEMORY, "out of memory");
    if (!fm_dart_dump_spend(dump, dump->out.size - dump->counted)) return false;
    dump->counted = dump->out.size;
    return dump->out.size < FLUSH_AT || fm_dart_dump_flush(dump);
}

void fm_dart_dump_latin(struct fm_dart_dump *dump, framemap_str text)
{
    const size_t begin = dump->out.size;
    size_t plain = 0;
    while (plain < text.size && (unsigned char)text.data[plain] < 0x80) plain++;
    fm_buf_add(&dump->out, text.data, plain);
    for (size_t i = plain; i < text.size; i++) {
        const unsigned byte = (unsigned char)text.data[i];
        if (byte >= 0x80) fm_buf_byte(&dump->out, (char)(0xc0 | byte >> 6));
        fm_buf_byte(&dump->out, (char)(byte < 0x80 ? byte : 0x80 | (byte & 0x3f)));
    }
    fm_buf_escape_from(&dump->out, begin);
}

void fm_dart_dump_hex(struct fm_dart_dump *dump, uint64_t value, unsigned digits)
{
    char text[24];
    const bool negative = value > INT64_MAX;
    const int size = snprintf(text, sizeof text, "%s%" PRIx64, negative ? "-" : "", negative ? 0 - value : value);
    for (int i = size; i < (int)digits; i++) fm_buf_byte(&dump->out, '0');
    fm_buf_add(&dump->out, text, (size_t)size);
}

void fm_dart_dump_hex_line(struct fm_dart_dump *dump, const char *label, uint64_t value, unsigned digits)
{
    fm_buf_str(&dump->out, framemap_str_of(label));
    fm_dart_dump_hex(dump, value, digits);
    fm_buf_byte(&dump->out, '\n');
}

void fm_dart_dump_dec_line(struct fm_dart_dump *dump, const char *label, uint64_t value)
{
    fm_buf_printf(&dump->out, "%s%" PRId64 "\n", label, (int64_t)value);
}

framemap_str fm_dart_dump_until_nul(framemap_str bytes)
{
    const size_t end = fm_str_find_byte(bytes, '\0');
    return end == FM_NOT_FOUND ? bytes : fm_str_slice(bytes, 0, end);
}
