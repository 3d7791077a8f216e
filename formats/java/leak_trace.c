/* Leak traces of LeakCanary and Shark: the objects from a root of the garbage collector to the one that leaks.
 *
 *     ┬───
 *     │ GC Root: Input or output parameters in native code
 *     │
 *     ├─ a.b.c instance
 *     │    Leaking: UNKNOWN
 *     │    ↓ c.d
 *     │        ~
 *     ╰→ com.example.MainActivity instance
 *           Leaking: YES (...)
 *
 * Each object becomes a frame with a class and no method. When it is restored, only the class in its row is
 * replaced. Lists of dependencies and folders are drawn with the same lines, but have no word such as "instance"
 * after the name. */
#include "core/text/scan.h"
#include "formats/java/java_name.h"
#include "formats/parsers.h"

static const char name[] = "leak-trace";
/* maximum number of lines from one object to the next: each object may have several lines of details */
#define LEAK_GAP 32

struct leak_state {
    bool fresh;       /* the next object begins a trace */
    uint64_t number1; /* line number of the last row */
};

static const framemap_str top = FM_STR_INIT("\xE2\x94\xAC\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80"),
                          branch = FM_STR_INIT("\xE2\x94\x9C\xE2\x94\x80 "),
                          last = FM_STR_INIT("\xE2\x95\xB0\xE2\x86\x92 ");

/* Parses "a.b.c[] array" after the lines that a row begins with. *class_name: "a.b.c". */
static bool leak_read_row(framemap_str text, framemap_str *class_name)
{
    static const framemap_str kinds[] = {FM_STR_INIT(" instance"), FM_STR_INIT(" class"), FM_STR_INIT(" array")};
    text = fm_str_trim(text);
    if (!fm_str_starts(text, branch) && !fm_str_starts(text, last)) return false;
    framemap_str rest = fm_str_trim(fm_str_from(text, branch.size));
    const size_t blank = fm_str_find_byte(rest, ' ');
    if (blank == FM_NOT_FOUND || blank == 0) return false;
    *class_name = fm_str(rest.data, blank);
    rest = fm_str_from(rest, blank);
    while (fm_str_ends(*class_name, FM_STR("[]"))) class_name->size -= 2;
    if (class_name->size == 0 || fm_java_name(*class_name) != class_name->size) return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fm_str_starts(rest, kinds[i])) return true;
    return false;
}

static bool leak_is_significant(const struct fm_line *line)
{
    framemap_str class_name;
    return leak_read_row(line->body, &class_name);
}

/* Whether a name looks renamed by a shrinker: it has one to three letters. */
static bool looks_renamed(framemap_str class_name)
{
    const size_t dot = fm_str_find_last_byte(class_name, '.');
    return dot != FM_NOT_FOUND && class_name.size - dot <= 4;
}

static enum fm_line_role leak_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct leak_state *state = memory;
    struct fm_line part = *line;
    if (fm_str_starts(fm_str_trim(line->body), top)) {
        state->fresh = true;
        return FM_ROLE_NONE;
    }
    if (!leak_read_row(line->body, &part.body)) return FM_ROLE_NONE;
    const bool begins = state->fresh || line->begins || line->number1 - state->number1 > LEAK_GAP;
    if ((begins || fm_document_open(doc, name) == NULL) && fm_document_trace(doc, name, line) == NULL)
        return FM_ROLE_FRAME;
    framemap_frame *frame = fm_document_new_frame(doc, &part);
    if (frame) {
        frame->kind = FRAMEMAP_KIND_JAVA;
        frame->class_name = part.body;
        frame->status = looks_renamed(part.body) ? FRAMEMAP_FRAME_RAW : FRAMEMAP_FRAME_NOT_NEEDED;
    }
    state->number1 = line->number1;
    state->fresh = fm_str_starts(fm_str_trim(line->body), last);
    fm_document_offer_until(doc, line->number1 + LEAK_GAP);
    return FM_ROLE_FRAME;
}

static void leak_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    (void)prefix;
    (void)eol;
    const framemap_frame *source = &frame->restored.frames[frame->restored.count - 1];
    fm_buf_str(out, source->class_name.size ? source->class_name : frame->raw);
    if (source->function.size == 0 || fm_str_equal(source->function, FM_STR("??"))) return;
    /* framemap restores only the class of these frames. They have a function only if the caller of the library set one,
     * and only then is it printed. */
    fm_buf_byte(out, '.');
    fm_buf_str(out, source->function);
}

static const struct fm_needle leak_needles[] = {FM_NEEDLE("\xE2\x94\x9C\xE2\x94\x80 ", 1, 4),
                                                FM_NEEDLE("\xE2\x95\xB0\xE2\x86\x92 ", 0, 0)};

const struct fm_format fm_leak_trace = {.info = {name, "leak traces of LeakCanary", true, false},
                                        .keeps = FM_KEEPS_ESCAPES,
                                        FM_NEEDLES(leak_needles),
                                        .marks = FM_MARK_WORD,
                                        .state_size = sizeof(struct leak_state),
                                        .firsts = "\xE2",
                                        .keeps_state = true,
                                        .gap = LEAK_GAP,
                                        .offer = leak_offer,
                                        .is_significant = leak_is_significant,
                                        .print_frame = leak_print_frame};
