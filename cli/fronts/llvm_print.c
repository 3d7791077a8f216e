/* Prints answers in the two text styles of llvm-symbolizer: LLVM and GNU. */
#include "cli/cli.h"
#include "cli/fronts/llvm.h"

#include <stdlib.h>
#include <string.h>

static void put_header(struct fm_llvm *llvm, const struct fm_llvm_request *request)
{
    if (!llvm->addresses || !request->has_address) return;
    fm_put_text(&llvm->out, "0x");
    fm_put_hex(&llvm->out, request->address, 1);
    fm_put_text(&llvm->out, llvm->pretty ? ": " : "\n");
}

static void put_footer(struct fm_llvm *llvm)
{
    if (llvm->style == FM_LLVM_PLAIN) fm_put_char(&llvm->out, '\n');
}

static void put_or_unknown(struct fm_out *out, framemap_str text)
{
    if (text.size)
        fm_put_str(out, text);
    else
        fm_put_text(out, "??");
}

/* Prints a source line; like LLVM, it keeps the CR of a line end. */
static void put_source_line(struct fm_out *out, framemap_str line)
{
    const bool with_return = line.size && line.data[line.size - 1] == '\r';
    fm_put_source(out, (framemap_str){line.data, line.size - with_return});
    fm_put_text(out, with_return ? "\r\n" : "\n");
}

/* Prints the source lines around a location, with a mark at its own line. */
static void put_context(struct fm_llvm *llvm, framemap_str path, uint64_t line)
{
    if (llvm->context_lines == 0 || path.size == 0) return;
    char *name = fm_cli_copy(path.data, path.size);
    struct fm_file file;
    /* The name comes from a symbol file, so only a regular file is opened. */
    framemap_status status = fm_file_open_beside(name, &file, NULL);
    free(name);
    if (status) return;

    uint64_t half = llvm->context_lines / 2, first = line > half + 1 ? line - half : 1,
             last = first + llvm->context_lines - 1, number = 1;
    unsigned width = 0;
    for (uint64_t power = 1; power < last; power *= 10)
        width++; /* LLVM computes the width of line numbers in this way: the logarithm of the last line, rounded up */
    const char *at = file.bytes.data, *end = file.bytes.data + file.bytes.size;
    for (; at && at < end && number <= last; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (number >= first) {
            unsigned digits = 1;
            for (uint64_t rest = number; rest >= 10; rest /= 10) digits++;
            fm_put_fill(&llvm->out, ' ', width > digits ? width - digits : 0);
            fm_put_dec(&llvm->out, number);
            fm_put_text(&llvm->out, number == line ? " >: " : "  : ");
            put_source_line(&llvm->out, (framemap_str){at, (size_t)((stop ? stop : end) - at)});
        }
        at = stop ? stop + 1 : end;
    }
    fm_file_close(&file);
}

static void put_verbose(struct fm_llvm *llvm, const framemap_frame *answer, size_t i, const framemap_frame *place)
{
    struct fm_out *out = &llvm->out;
    fm_put_text(out, "  Filename: ");
    put_or_unknown(out, fm_llvm_file(llvm, place->file));
    if (answer && answer->restored.frames[i].declared_line) {
        fm_put_text(out, "\n  Function start filename: ");
        put_or_unknown(out, fm_llvm_file(llvm, answer->restored.frames[i].declared_file));
        fm_put_text(out, "\n  Function start line: ");
        fm_put_dec(out, answer->restored.frames[i].declared_line);
    }
    if (answer && i + 1 == answer->restored.count && answer->has_function_offset) {
        fm_put_text(out, "\n  Function start address: 0x");
        fm_put_hex(out, fm_llvm_start(answer), 1);
    }
    fm_put_text(out, "\n  Line: ");
    fm_put_dec(out, place->line);
    fm_put_text(out, "\n  Column: ");
    fm_put_dec(out, place->column);
    fm_put_char(out, '\n');
}

/* Prints one frame with the name of frame `named` and the location of frame `at`. answer NULL: nothing is known
 * about the address. */
static void put_text_frame(struct fm_llvm *llvm, const framemap_frame *answer, size_t named, size_t at)
{
    static const framemap_frame nowhere;
    struct fm_out *out = &llvm->out;
    const framemap_frame *place = answer ? &answer->restored.frames[at] : &nowhere;

    if (llvm->functions != FM_LLVM_NO_FUNCTIONS) {
        if (llvm->pretty && at > 0) fm_put_text(out, " (inlined by) ");
        put_or_unknown(out, answer ? fm_llvm_name(llvm, answer, named) : (framemap_str){0});
        fm_put_text(out, llvm->pretty ? " at " : "\n");
    }
    if (llvm->verbose) {
        put_verbose(llvm, answer, named, place);
        return;
    }
    framemap_str file = fm_llvm_file(llvm, place->file);
    put_or_unknown(out, file);
    fm_put_char(out, ':');
    fm_put_dec(out, place->line);
    if (llvm->style == FM_LLVM_PLAIN) {
        fm_put_char(out, ':');
        fm_put_dec(out, place->column);
    }
    fm_put_char(out, '\n');
    put_context(llvm, file, place->line);
}

/* Prints only the innermost location of an answer (without --inlines). In LLVM's style, the printed name is the name of
 * the function that contains the code. */
static void put_one(struct fm_llvm *llvm, const framemap_frame *answer)
{
    size_t named = llvm->style == FM_LLVM_PLAIN && llvm->functions == FM_LLVM_LINKAGE ? answer->restored.count - 1 : 0;
    put_text_frame(llvm, answer, named, 0);
}

/* Whether only the symbol table knows the function. Debug info may know a function without its lines. */
static bool is_of_table(const framemap_frame *answer)
{
    const framemap_frame *root = &answer->restored.frames[answer->restored.count - 1];
    return answer->status == FRAMEMAP_FRAME_SYMBOL && root->declared_file.size == 0 && root->declared_line == 0;
}

void fm_llvm_put_code(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer)
{
    if (answer && llvm->functions != FM_LLVM_LINKAGE && is_of_table(answer))
        answer = NULL; /* the options forbid names from the symbol table */
    if (llvm->style == FM_LLVM_JSON) {
        fm_llvm_json_code(llvm, request, answer);
        return;
    }
    put_header(llvm, request);
    if (!answer)
        put_text_frame(llvm, NULL, 0, 0);
    else if (!llvm->inlines)
        put_one(llvm, answer);
    else
        for (size_t i = 0; i < answer->restored.count; i++) put_text_frame(llvm, answer, i, i);
    put_footer(llvm);
}

/* --- printing answers of which only locations are needed --- */

bool fm_llvm_needs_locations_only(const struct fm_llvm *llvm)
{
    return llvm->style != FM_LLVM_JSON && llvm->functions == FM_LLVM_LINKAGE && !llvm->verbose &&
           llvm->context_lines == 0;
}

static char *write_text(char *at, framemap_str text)
{
    if (text.size == 0) text = (framemap_str){"??", 2};
    memcpy(at, text.data, text.size);
    return at + text.size;
}

static char *write_dec(char *at, uint32_t value)
{
    char digits[10];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    memcpy(at, digits + first, sizeof digits - first);
    return at + sizeof digits - first;
}

/* Returns the name of a function in a brief answer: from the symbol table if it is the outermost function, from the
 * debug info, without scopes, if it is inlined. Names of Swift stay mangled, as llvm-symbolizer prints them. */
static framemap_str brief_name(struct fm_llvm *llvm, const framemap_location *frame)
{
    const bool other = frame->symbol.size > 0 &&
                       ((frame->flags & FRAMEMAP_LOCATION_SAME_NAME) == 0 || fm_front_is_swift(frame->symbol));
    return other ? fm_front_name_shown(&llvm->names, frame->symbol) : frame->function;
}

static void put_brief_frame(struct fm_llvm *llvm, framemap_str name, const framemap_location *place, bool first)
{
    /* maximum number of bytes of a line besides its name and file: numbers, separators and fixed words */
    enum { REST = 64 };
    const framemap_str file = fm_llvm_file(llvm, place->file);
    const framemap_str join = framemap_str_of(llvm->pretty ? " at " : "\n");
    const bool plain = framemap_plain_size(name) == name.size && framemap_plain_size(file) == file.size;
    char *at = plain ? fm_put_room(&llvm->out, name.size + file.size + REST) : NULL;
    if (at == NULL) { /* the name is too long for the buffer, or a text has control characters */
        fm_put_text(&llvm->out, llvm->pretty && !first ? " (inlined by) " : "");
        put_or_unknown(&llvm->out, name);
        fm_put_raw(&llvm->out, join);
        put_or_unknown(&llvm->out, file);
        at = fm_put_room(&llvm->out, REST);
    } else {
        if (llvm->pretty && !first) at = write_text(at, framemap_str_of(" (inlined by) "));
        at = write_text(write_text(write_text(at, name), join), file);
    }
    *at++ = ':';
    at = write_dec(at, place->line);
    if (llvm->style == FM_LLVM_PLAIN) {
        *at++ = ':';
        at = write_dec(at, place->column);
    }
    *at++ = '\n';
    llvm->out.used = (size_t)(at - llvm->out.data);
}

void fm_llvm_put_locations(struct fm_llvm *llvm, uint64_t address, const framemap_location *frames, size_t count)
{
    const struct fm_llvm_request request = {.has_address = true, .address = address};
    put_header(llvm, &request);
    fm_front_names_begin(&llvm->names);
    if (!llvm->inlines) { /* prints one frame, as put_one does */
        const size_t named = llvm->style == FM_LLVM_PLAIN ? count - 1 : 0;
        put_brief_frame(llvm, brief_name(llvm, &frames[named]), &frames[0], true);
    } else {
        for (size_t i = 0; i < count; i++) put_brief_frame(llvm, brief_name(llvm, &frames[i]), &frames[i], i == 0);
    }
    fm_front_names_end(&llvm->names, (frames[count - 1].flags & FRAMEMAP_LOCATION_OVER_LIMIT) != 0);
    put_footer(llvm);
}

void fm_llvm_put_data(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer)
{
    if (llvm->style == FM_LLVM_JSON) {
        fm_llvm_json_data(llvm, request, answer);
        return;
    }
    struct fm_out *out = &llvm->out;
    const framemap_frame *object = answer ? &answer->restored.frames[answer->restored.count - 1] : NULL;
    put_header(llvm, request);
    put_or_unknown(out, object ? fm_llvm_name(llvm, answer, answer->restored.count - 1) : (framemap_str){0});
    fm_put_char(out, '\n');
    fm_put_dec(out, object ? fm_llvm_start(answer) : 0);
    fm_put_char(out, ' ');
    fm_put_dec(out, object ? answer->function_size : 0);
    fm_put_char(out, '\n');
    put_or_unknown(out, object && object->line ? object->file : (framemap_str){0});
    fm_put_char(out, ':');
    if (object && object->line)
        fm_put_dec(out, object->line);
    else
        fm_put_char(out, '?');
    fm_put_char(out, '\n');
    put_footer(llvm);
}

void fm_llvm_put_locals(struct fm_llvm *llvm, const struct fm_llvm_request *request)
{
    if (llvm->style == FM_LLVM_JSON) {
        fm_llvm_json_empty(llvm, request, "Frame");
        return;
    }
    put_header(llvm, request);
    fm_put_text(&llvm->out, "??\n");
    put_footer(llvm);
}

void fm_llvm_put_symbol(struct fm_llvm *llvm, const struct fm_llvm_request *request)
{
    if (llvm->style == FM_LLVM_JSON)
        fm_llvm_json_empty(llvm, request, "Loc");
    else
        fm_llvm_put_code(llvm, request, NULL);
}
