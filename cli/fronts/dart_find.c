/* Implements dart_find.h: parses addresses as Dart's own tool does: absolute, relative to a section, or "SYMBOL+0x12".
 * Prints the functions, files and lines at each. Nothing is printed if one of the addresses is invalid. */
#include "cli/fronts/dart_find.h"

#include "cli/cli.h"
#include "cli/fronts/dart_usage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dart_finder {
    struct fm_dart_files *files;
    const framemap_index *index;
    const struct fm_dart_args *args;
    framemap_dart_texts texts;
    bool verbose, hex;
    uint64_t vm, isolate; /* addresses of the two instruction sections in memory; by default the linked ones */
    struct fm_out *out;
};

/* --- parsing numbers as Dart does --- */

static int digit_of(char byte)
{
    if (byte >= '0' && byte <= '9') return byte - '0';
    const char lower = (char)(byte | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

/* Parses digits to the end of the text. most: the largest value, without sign. */
static bool parse_digits(const char *text, size_t size, unsigned base, uint64_t most, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) {
        const int digit = digit_of(text[i]);
        if (digit >= (int)base || value > (most - (unsigned)digit) / base) return false;
        value = value * base + (unsigned)digit;
    }
    *out = value;
    return size != 0;
}

/* Parses as int.tryParse does: blanks around the number, a sign, 64 bits. base 0: decimal, or hexadecimal with 0x; a
 * hexadecimal number without a sign may use all 64 bits. */
static bool parse_int(const char *text, unsigned base, uint64_t *out)
{
    static const char blanks[] = " \t\n\v\f\r";
    text += strspn(text, blanks);
    size_t size = strlen(text);
    while (size && strchr(blanks, text[size - 1])) size--;
    const bool negative = size && text[0] == '-', sign = negative || (size && text[0] == '+');
    uint64_t most = negative ? (uint64_t)1 << 63 : INT64_MAX;
    text += sign, size -= sign;
    if (base == 0 && size > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
        base = 16, text += 2, size -= 2;
        if (!negative) most = UINT64_MAX;
    }
    if (!parse_digits(text, size, base ? base : 10, most, out)) return false;
    if (negative) *out = 0 - *out;
    return true;
}

static bool parse_dart_address(const struct dart_finder *finder, const char *text, uint64_t *out)
{
    const bool prefixed = strncmp(text, "0x", 2) == 0;
    if (!finder->hex && !prefixed && parse_int(text, 0, out)) return true;
    return parse_int(prefixed ? text + 2 : text, 16, out);
}

/* --- parsing addresses --- */

/* Returns the linked address of an offset from the start of an instruction section. */
static uint64_t from_text(const struct dart_finder *finder, bool vm, uint64_t offset)
{
    return (vm ? finder->texts.vm_text : finder->texts.text) + offset;
}

/* Parses the first "SYMBOL+0x12" in the text; anything after its digits is ignored. */
static bool parse_symbol(const struct dart_finder *finder, const char *text, uint64_t *out)
{
    static const char *const names[] = {"_kDartVmSnapshotInstructions+", "_kDartIsolateSnapshotInstructions+",
                                        "_kDartSnapshotText+"};
    for (; (text = strstr(text, "_kDart")); text++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const size_t size = strlen(names[i]);
            uint64_t offset;
            if (strncmp(text, names[i], size) != 0) continue;
            const char *digits = text + size;
            const bool prefixed = strncmp(digits, "0x", 2) == 0 && strspn(digits + 2, "0123456789abcdef") != 0;
            char *number =
                fm_cli_copy(digits, (prefixed ? 2 : 0) + strspn(digits + (prefixed ? 2 : 0), "0123456789abcdef"));
            const bool good = *number && parse_dart_address(finder, number, &offset);
            free(number);
            if (!good) continue;
            *out = from_text(finder, i == 0, offset);
            return true;
        }
    }
    return false;
}

/* Parses a location. A plain number is an address in an instruction section: the section with the nearest start at or
 * below it or, if there is none, the section that follows. */
static bool parse_dart_location(const struct dart_finder *finder, const char *text, uint64_t *out)
{
    uint64_t address;
    if (parse_symbol(finder, text, out)) return true;
    if (!parse_dart_address(finder, text, &address)) return false;
    const int64_t isolate = (int64_t)(address - finder->isolate), vm = (int64_t)(address - finder->vm);
    const bool below = vm >= 0, nearer = isolate < 0 ? below || vm > isolate : below && vm < isolate;
    const bool in_vm = finder->texts.has_vm_text && nearer;
    *out = from_text(finder, in_vm, (uint64_t)(in_vm ? vm : isolate));
    return true;
}

/* --- printing answers --- */

static void put_dart_frame(struct fm_out *out, const framemap_frame *frame)
{
    fm_put_text(out, "  ");
    fm_put_str(out, frame->function);
    if (frame->file.size == 0) {
        fm_put_text(out, "+0x");
        fm_put_hex(out, frame->function_offset, 1);
    } else {
        fm_put_text(out, " (");
        fm_put_str(out, frame->file);
        if (frame->line) fm_put_char(out, ':'), fm_put_dec(out, frame->line);
        if (frame->line && frame->column) fm_put_char(out, ':'), fm_put_dec(out, frame->column);
        fm_put_char(out, ')');
    }
    fm_put_char(out, '\n');
}

static void put_dart_address(struct fm_out *out, uint64_t address)
{
    fm_put_text(out, "For virtual address ");
    if (address == 0)
        fm_put_char(out, '0');
    else if (address <= INT64_MAX)
        fm_put_text(out, "0x"), fm_put_hex(out, address, 1);
    else
        fm_put_char(out, '-'), fm_put_dec(out, 0 - address);
    fm_put_text(out, ":\n");
}

/* Gives a name to an address in the padding between functions and stubs. As in Dart's decoder, it is the symbol that
 * covers the whole instruction section. */
static bool name_whole_text(const framemap_dart_texts *texts, uint64_t address, framemap_frame *out)
{
    const bool in_text = address >= texts->text && address < texts->text_end;
    const bool in_vm = !in_text && texts->has_vm_text && address >= texts->vm_text && address < texts->text;
    if (!in_text && !in_vm) return false;
    *out = (framemap_frame){.function = in_vm ? framemap_str_of("_kDartVmSnapshotInstructions") : texts->symbol,
                            .function_offset = address - (in_vm ? texts->vm_text : texts->text)};
    return true;
}

/* Whether a frame of the answer is not shown: it has no file, or the compiler generated it. An address at the first
 * byte of a function cannot follow a call, so it marks an awaited function, and its frame is shown. */
static bool is_hidden(const framemap_frame *answer, const framemap_frame *frame)
{
    const bool listener = answer->restored.count == 1 && frame->has_function_offset && frame->function_offset == 0;
    return frame->file.size == 0 || (frame->artificial && !listener);
}

static framemap_status print_dart_location(const struct dart_finder *finder, uint64_t address, framemap_error *error)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame answer = {.restored = {NULL, 0}}, whole;
    struct fm_out *out = finder->out;
    bool any = false;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    query.position = address;
    query.demangle = FRAMEMAP_DEMANGLE_NONE;
    framemap_status status = framemap_resolve(finder->index, &query, finder->files->symbols.scratch, &answer, error);
    if (fm_cli_symbols_changed(&finder->files->symbols, finder->index)) {
        /* no error message is wanted, because the reason was printed already */
        *error = (framemap_error){.code = FRAMEMAP_OK};
        return FRAMEMAP_E_IO;
    }
    if (status != FRAMEMAP_OK) return status;
    if (answer.restored.count == 0 && name_whole_text(&finder->texts, address, &whole))
        answer.restored = (framemap_frame_list){&whole, 1};
    put_dart_address(out, address);
    for (size_t i = 0; i < answer.restored.count; i++) {
        const framemap_frame *frame = &answer.restored.frames[i];
        if (!finder->verbose && is_hidden(&answer, frame)) continue;
        put_dart_frame(out, frame);
        any = true;
    }
    if (answer.over_limit) fm_message("%s", answer.reason);
    if (answer.restored.count == 0)
        fm_put_text(out, "  Invalid virtual address.\n");
    else if (!any)
        fm_put_text(out, "  Not a call from user or library code.\n");
    return FRAMEMAP_OK;
}

static const char *location_at(const struct fm_dart_args *args, size_t number)
{
    return number < args->several_count ? args->several[number] : args->rest[number - args->several_count];
}

/* Looks up the addresses of -l, then the operands. Nothing is printed if one of them is not an address. */
static int find_dart_locations(struct dart_finder *finder)
{
    framemap_error error;
    const struct fm_dart_args *args = finder->args;
    const size_t count = args->several_count + args->rest_count;
    uint64_t address;
    for (size_t i = 0; i < count; i++)
        if (!parse_dart_location(finder, location_at(args, i), &address))
            return fm_decode_fail("find", "could not parse PC address %s", location_at(args, i));
    if (count == 0) return fm_decode_fail("find", "no PC addresses to find");
    for (size_t i = 0; i < count; i++)
        if (parse_dart_location(finder, location_at(args, i), &address) &&
            print_dart_location(finder, address, &error) != FRAMEMAP_OK)
            return error.code ? fm_message_error(finder->files->program, &error) : FM_EXIT_FAILED;
    return FM_EXIT_DONE;
}

static int read_starts(struct dart_finder *finder)
{
    const char *vm = finder->args->values[FM_DECODE_VM_START], *isolate = finder->args->values[FM_DECODE_ISOLATE_START];
    if ((vm == NULL) != (isolate == NULL)) return fm_decode_fail("find", "need both VM start and isolate start");
    if (finder->index == NULL)
        return fm_decode_fail("find", "file \"%s\" is for several architectures: choose one with -a/--architecture",
                              finder->files->program);
    if (!framemap_dart_texts_of(finder->index, &finder->texts))
        return fm_decode_fail("find",
                              "no isolate start address found in file \"%s\": it does not belong to a Dart program "
                              "compiled ahead of time",
                              finder->files->program);
    finder->vm = finder->texts.vm_text;
    finder->isolate = finder->texts.text;
    if (vm && !parse_dart_address(finder, vm, &finder->vm))
        return fm_decode_fail("find", "could not parse VM start address %s", vm);
    if (isolate && !parse_dart_address(finder, isolate, &finder->isolate))
        return fm_decode_fail("find", "could not parse isolate start address %s", isolate);
    return -1;
}

int fm_decode_find(struct fm_dart_files *files, const framemap_index *index, const struct fm_dart_args *args)
{
    struct dart_finder finder = {.files = files,
                                 .index = index,
                                 .args = args,
                                 .verbose = args->given[FM_DECODE_VERBOSE],
                                 .hex = args->given[FM_DECODE_HEX],
                                 .out = fm_cli_resize(NULL, sizeof *finder.out)};
    fm_out_init(finder.out, STDOUT_FILENO);
    int code = read_starts(&finder);
    if (code < 0) code = find_dart_locations(&finder);
    if (!fm_out_flush(finder.out)) code = FM_EXIT_FAILED;
    free(finder.out);
    return code;
}
