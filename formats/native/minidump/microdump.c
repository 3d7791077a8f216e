/* Microdumps, which Breakpad writes to Android's log where a minidump cannot be stored:
 *
 *     -----BEGIN BREAKPAD MICRODUMP-----
 *     O A arm64 08 aarch64 3.18.31 google/angler/angler:7.1.1/N4F26T/3687331:user/release-keys
 *     R 0000000B SIGSEGV 0000000000000010
 *     S 0 0000007FDBB3F000 0000007FDBB3E000 00002000
 *     C 0300100000000000...
 *     M 0000007A12345000 0000000000000000 0000000000123000 9E2DD5D9F31A5E1C0D8A6C5A0B1E2F3C0 libchrome.so
 *     -----END BREAKPAD MICRODUMP-----
 *
 * Line C has the registers as they are in memory (MDRawContext* of minidump_cpu_*.h). The program counter is the
 * only frame, because further frames could only be found with unwind information; the restored frame is printed
 * below line C. Lines M list the images. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "microdump";
static const framemap_str begin_mark = FM_STR_INIT("-----BEGIN BREAKPAD MICRODUMP-----"),
                          end_mark = FM_STR_INIT("-----END BREAKPAD MICRODUMP-----");

struct microdump_state {
    bool inside;
    uint64_t number1; /* number of the report's last line */
    framemap_str os, os_version, arch, reason, crash_address;
    bool has_signal;
    int32_t signal;
};

/* Where line C has the registers of an architecture, as byte offsets. */
struct context {
    framemap_str arch, printed; /* arch: name of the CPU in framemap; printed: its name in line O */
    unsigned size, pc, sp;
    const char *pc_name, *sp_name;
};
static const struct context contexts[] = {
    {FM_STR_INIT("arm64"), FM_STR_INIT("arm64"), 8, 264, 256, "pc", "sp"},
    {FM_STR_INIT("arm"), FM_STR_INIT("arm"), 4, 64, 56, "pc", "sp"},
    {FM_STR_INIT("i386"), FM_STR_INIT("x86"), 4, 184, 196, "eip", "esp"},
    {FM_STR_INIT("x86_64"), FM_STR_INIT("x86_64"), 8, 248, 152, "rip", "rsp"},
};

/* Reads a little-endian number from hexadecimal text. at: byte offset; size: number of bytes. */
static bool read_register(framemap_str hex, unsigned at, unsigned size, uint64_t *out)
{
    *out = 0;
    if (hex.size < (size_t)(at + size) * 2) return false;
    for (unsigned i = size; i-- > 0;) {
        uint64_t byte;
        struct fm_scan s = fm_scan_of(fm_str(hex.data + (size_t)(at + i) * 2, 2));
        if (fm_row_hex(&s, &byte) != FM_DIGITS_FIT || !fm_scan_done(&s)) return false;
        *out = *out << 8 | byte;
    }
    return true;
}

/* Cuts the first word off a text and returns it. */
static framemap_str cut_word(framemap_str *text)
{
    struct fm_scan s = fm_scan_of(*text);
    framemap_str word = {NULL, 0};
    fm_scan_blanks(&s);
    (void)fm_scan_word(&s, &word);
    fm_scan_blanks(&s);
    *text = fm_scan_rest(&s);
    return word;
}

static bool hex_of(framemap_str word, uint64_t *out)
{
    struct fm_scan s = fm_scan_of(word);
    return fm_row_hex(&s, out) == FM_DIGITS_FIT && fm_scan_done(&s);
}

static const struct context *context_of(framemap_str printed)
{
    for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
        if (fm_str_equal(contexts[i].printed, printed)) return &contexts[i];
    return NULL;
}

/* Parses "O A arm64 08 aarch64 VERSION". The letter A means Android, L for another Linux. */
static void read_system(struct microdump_state *state, framemap_str rest)
{
    state->os = fm_str_equal(cut_word(&rest), FM_STR("A")) ? FM_STR("Android") : FM_STR("Linux");
    state->arch = cut_word(&rest);
    (void)cut_word(&rest);
    state->os_version = rest;
}

/* Parses the reason of the crash: "R 0000000B SIGSEGV 0000000000000010". */
static void read_reason(struct microdump_state *state, framemap_str rest)
{
    uint64_t number;
    state->has_signal = hex_of(cut_word(&rest), &number) && number <= INT32_MAX;
    if (state->has_signal) state->signal = (int32_t)number;
    state->reason = cut_word(&rest);
    state->crash_address = rest;
}

static void put_crash(const struct microdump_state *state, framemap_trace *trace)
{
    trace->crashed = true;
    trace->os = state->os;
    trace->os_version = state->os_version;
    trace->exception = trace->exception_type = state->reason;
    if (fm_str_starts(state->reason, FM_STR("SIG"))) trace->signal.name = state->reason;
    trace->signal.has_number = state->has_signal;
    trace->signal.number = state->signal;
    trace->signal.has_address = hex_of(state->crash_address, &trace->signal.address);
}

static void read_context(struct microdump_state *state, struct fm_document *doc, const struct fm_line *line,
                         framemap_str hex)
{
    const struct context *context = context_of(state->arch);
    framemap_frame frame = FM_FRAME_INIT;
    uint64_t sp;
    if (context == NULL || !read_register(hex, context->pc, context->size, &frame.address)) return;
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return;
    put_crash(state, trace);
    trace->arch = context->arch;
    (void)fm_document_register(doc, trace, framemap_str_of(context->pc_name), frame.address);
    if (read_register(hex, context->sp, context->size, &sp))
        (void)fm_document_register(doc, trace, framemap_str_of(context->sp_name), sp);
    frame.index = 0;
    frame.has_address = true;
    frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    fm_document_frame(doc, line, &frame);
}

/* Reads a row that framemap printed below the registers when it restored the report: "0  libchrome.so!f(int)
 * [src/a.cc : 7]". The first such row is the frame's function. */
static bool microdump_read_row(struct fm_document *doc, framemap_str text)
{
    const size_t bang = fm_str_find_byte(text, '!');
    if (!fm_str_starts(text, FM_STR("0  ")) || bang == FM_NOT_FOUND) return false;
    framemap_frame *frame = fm_native_last(fm_document_open(doc, name));
    if (frame == NULL || frame->function.size) return true;
    frame->function = fm_str_from(text, bang + 1);
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    const size_t open = fm_str_find_last(frame->function, FM_STR(" [")), colon = fm_str_find_last(text, FM_STR(" : "));
    if (open == FM_NOT_FOUND || colon == FM_NOT_FOUND || text.data[text.size - 1] != ']') return true;
    struct fm_scan s = fm_scan_of(fm_str_from(text, colon + 3));
    (void)fm_scan_dec32(&s, &frame->line);
    frame->file = fm_str_slice(text, (size_t)(frame->function.data - text.data) + open + 2, colon);
    frame->function.size = open;
    return true;
}

/* Parses "M START OFFSET SIZE DEBUGID NAME". */
static void read_module(struct fm_document *doc, const struct fm_line *line, framemap_str rest)
{
    uint64_t start, offset, size;
    if (!hex_of(cut_word(&rest), &start) || !hex_of(cut_word(&rest), &offset) || !hex_of(cut_word(&rest), &size))
        return;
    framemap_image *image = fm_document_image(doc, line);
    if (image == NULL) return;
    image->load_address = start;
    image->size = size;
    fm_row_id(cut_word(&rest), doc, &image->id);
    image->name = fm_str_basename(rest);
    if (image->name.size != rest.size) image->path = rest;
}

static bool microdump_is_significant(const struct fm_line *line)
{
    return fm_str_starts(fm_str_trim(line->body), begin_mark);
}

static enum fm_line_role microdump_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct microdump_state *state = memory;
    framemap_str text = fm_str_trim(line->body);
    if (microdump_is_significant(line)) {
        fm_document_report_end(doc);
        fm_document_expect_images(doc);
        *state = (struct microdump_state){.inside = true, .number1 = line->number1};
        return FM_ROLE_CONTEXT;
    }
    if (!state->inside || line->number1 - state->number1 > FM_LINES_AFTER) return state->inside = false, FM_ROLE_NONE;
    state->inside = !fm_str_starts(text, end_mark);
    if (line->first == '0' && microdump_read_row(doc, text)) return FM_ROLE_FRAME;
    if (state->inside && (text.size < 3 || text.data[1] != ' ')) return FM_ROLE_NONE;
    state->number1 = line->number1;
    const char kind = text.data[0];
    (void)cut_word(&text);
    switch (kind) {
    case 'O': read_system(state, text); break;
    case 'R': read_reason(state, text); break;
    case 'C': read_context(state, doc, line, text); return FM_ROLE_FRAME;
    case 'M': read_module(doc, line, text); break;
    default: break;
    }
    return FM_ROLE_CONTEXT;
}

/* Prints line C unchanged, and below it the restored frame: "0  libchrome.so!f(int) [src/a.cc : 7]". */
static void microdump_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                  framemap_str eol)
{
    fm_buf_str(out, frame->raw);
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, FM_STR(" 0  "));
        fm_buf_str(out, frame->module);
        fm_buf_byte(out, '!');
        fm_buf_str(out, fm_row_name(source));
        if (source->file.size == 0) continue;
        fm_buf_str(out, FM_STR(" ["));
        fm_buf_str(out, source->file);
        fm_buf_str(out, FM_STR(" : "));
        fm_buf_dec(out, source->line);
        fm_buf_byte(out, ']');
    }
}

static const struct fm_needle microdump_needles[] = {FM_NEEDLE("BREAKPAD MICRODUMP", 1, 0)};

const struct fm_format fm_microdump = {.info = {name, "microdumps of Breakpad in Android's log", true, false},
                                       .id_form = FM_ID_BREAKPAD,
                                       FM_NEEDLES(microdump_needles),
                                       .marks = FM_MARK_WORD,
                                       .state_size = sizeof(struct microdump_state),
                                       .firsts = "-",
                                       .keeps_state = true,
                                       .offer = microdump_offer,
                                       .is_significant = microdump_is_significant,
                                       .print_frame = microdump_print_frame};
