/* Shared by the parsers of stacks in which each row can be recognised by itself, as debuggers and stack-trace libraries
 * print them. A parser recognises its rows and splits them; the functions here add frames and determine where a stack
 * starts. Called by gdb.c, lldb.c and the other parsers of this folder. */
#ifndef FM_FORMATS_NATIVE_LINUX_STACK_ROWS_H
#define FM_FORMATS_NATIVE_LINUX_STACK_ROWS_H

#include "formats/native/native_parts.h"

struct fm_stack_row {
    int64_t index; /* number of the row; -1: not printed */
    framemap_str path, function, file;
    uint64_t address, module_offset, function_offset;
    uint32_t line, column;
    bool has_address, has_module_offset, has_function_offset;
    /* module_offset counts from the first byte of the image, and the file is linked at an address other than 0 */
    bool from_begin;
    bool exact; /* the address is not a return address, whatever its position in the stack */
    bool inlined;
    /* only this format has a row of this form; other rows are accepted only below such a row, or within a stack that
     * has one */
    bool sure;
    bool too_long; /* the address is printed with too many digits */
};

/* Parser state: zeroed at the start of a text. */
struct fm_stack_rows {
    const char *name; /* name of the format */
    framemap_str thread_id, thread_name, thread_queue, exception, type, process;
    framemap_signal signal;
    uint64_t number1, pid;
    int64_t index;
    bool fresh; /* a title was read since the last frame */
    bool has_pid, open;
};
#define FM_STACK_ROWS_GAP 3 /* up to this many lines of other text may be within one stack */

/* Whether a stack or its title is at most FM_STACK_ROWS_GAP lines above. */
bool fm_stack_rows_near(const struct fm_stack_rows *state, const struct fm_line *line);
/* Called after a title was read: the next frame starts a stack. */
void fm_stack_rows_title(struct fm_stack_rows *state, const struct fm_line *line);
/* Gives a trace what was read from its title: exception, signal, process and thread. */
void fm_stack_rows_entitle(struct fm_stack_rows *state, framemap_trace *trace);
/* Sets the function, its offset and the position from `parts`, the result of fm_row_function_at. */
void fm_stack_row_take(struct fm_stack_row *row, const framemap_frame *parts);
/* Adds a frame to the open stack, or to a new one if the line starts a stack. all_return: the first frame's address is
 * a return address too. */
enum fm_line_role fm_stack_rows_add(struct fm_stack_rows *state, struct fm_document *doc, const struct fm_line *line,
                                    const struct fm_stack_row *row, bool all_return);

#endif
