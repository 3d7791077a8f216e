/* Prints restored frames of crash reports that are JSON, as objects in the style of the report. Called by
 * output/text_rows.c through `print_frame` of the format. */
#include "formats/native/apple/apple_ips_print.h"
#include "formats/native/apple/apple.h"
#include "formats/object_edit.h"
#include "formats/row_parts.h"

/* Prints the object with the members of one function. Returns the text that separates members of the object. */
static framemap_str put_object(struct fm_buf *out, framemap_str raw, const framemap_frame *source, bool inlined)
{
    const bool has_offset = source->has_function_offset, has_file = source->file.size != 0;
    const struct fm_edit edits[] = {{.name = FM_STR("symbol"), .kind = FM_EDIT_TEXT, .text = fm_row_name(source)},
                                    {.name = FM_STR("symbolLocation"),
                                     .kind = has_offset || inlined ? FM_EDIT_NUMBER : FM_EDIT_NONE,
                                     .number = has_offset ? source->function_offset : 0},
                                    {.name = FM_STR("sourceFile"),
                                     .kind = has_file ? FM_EDIT_TEXT : FM_EDIT_NONE,
                                     .text = fm_apple_file_name(source->file)},
                                    {.name = FM_STR("sourceLine"),
                                     .kind = has_file && source->line ? FM_EDIT_NUMBER : FM_EDIT_NONE,
                                     .number = source->line},
                                    {.name = FM_STR("inline"), .kind = inlined ? FM_EDIT_TRUE : FM_EDIT_NONE}};
    return fm_object_edit(out, raw, edits, sizeof edits / sizeof *edits);
}

void fm_apple_ips_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    (void)prefix;
    (void)eol;
    for (size_t i = 0; i < frame->restored.count; i++) {
        const bool inlined = i + 1 < frame->restored.count;
        const framemap_str comma = put_object(out, frame->raw, &frame->restored.frames[i], inlined);
        if (!inlined) break;
        /* `comma` contains a line end if the object has one member per line; ", " is written between two objects. */
        fm_buf_str(out, fm_str_find_byte(comma, '\n') == FM_NOT_FOUND ? comma : FM_STR(", "));
    }
}
