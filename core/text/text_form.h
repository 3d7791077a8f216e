/* The form of a text: UTF-8, UTF-16, or lines that end in CR alone. Reading brings it to UTF-8 with LF; writing brings
 * it back, byte for byte. Both take a text in pieces of any size. Called by session/restore. */
#ifndef FM_CORE_TEXT_TEXT_FORM_H
#define FM_CORE_TEXT_TEXT_FORM_H

#include "core/text/buffer.h"

enum fm_text_form {
    FM_FORM_PLAIN,   /* UTF-8, or any bytes: nothing is changed */
    FM_FORM_UTF16LE, /* UTF-16, little-endian; a byte order mark is converted like any other character */
    FM_FORM_UTF16BE,
    FM_FORM_CR /* lines end with CR; in the converted text CR and LF are exchanged */
};

/* Number of bytes at the start of a text by which its form is recognized. */
#define FM_FORM_HEAD ((size_t)4096)
/* Determines the form of a text by its first bytes. */
enum fm_text_form fm_text_form_of(framemap_str head);
/* Whether the form is final: no bytes that follow `head` can change it. */
bool fm_text_form_is_certain(framemap_str head);

struct fm_form_reader {
    enum fm_text_form form;
    uint16_t high; /* a high surrogate whose low one is awaited; 0: none */
    unsigned char odd;
    bool has_odd; /* one byte of a UTF-16 unit was read and is in `odd` */
};
/* Appends a piece in UTF-8. An unpaired surrogate becomes three bytes, as if it were a character. Lack of memory sets
 * out->failed. */
void fm_form_read(struct fm_form_reader *reader, framemap_str piece, struct fm_buf *out);
/* Ends the text. A last odd byte stays in the reader, for fm_form_write_end. */
void fm_form_read_end(struct fm_form_reader *reader, struct fm_buf *out);

struct fm_form_writer {
    enum fm_text_form form;
    unsigned char begun[4]; /* first bytes of a character that continues in the next piece */
    unsigned begun_size;
};
/* Appends a piece in the text's form. Bytes that are not UTF-8 become U+FFFD in UTF-16. */
void fm_form_write(struct fm_form_writer *writer, framemap_str piece, struct fm_buf *out);
/* Ends the text. reader: the reader of the same text; a byte that it kept because the character is incomplete is
 * written last. */
void fm_form_write_end(struct fm_form_writer *writer, const struct fm_form_reader *reader, struct fm_buf *out);

/* Returns how many bytes text from fm_form_read had in its original form. Linear time. */
uint64_t fm_form_size(enum fm_text_form form, framemap_str text);

#endif
