/* Implements java_above.h: walks back over the lines before the first frame, nearest first, ranks each as a possible
 * exception line and takes the best one; the other lines are searched for thread, process and map id. */
#include "formats/java/java_above.h"
#include "formats/java/java_name.h"
#include "formats/java/java_part.h"

/* The best rank of a line above a stack, as a candidate for the line of the stack's exception. A name with dots
 * after "Caused by" has this rank, and so has a name that ends in "Exception", "Error" or a similar word. Of lines
 * with equal ranks, the one nearest to the stack is chosen. A single word without dots is accepted only directly
 * above the stack. */
enum { BEST = 3 };

static int rank(const struct fm_java_head *head, bool last)
{
    if (head->kind == FM_JAVA_HEAD_CAUSE && fm_java_is_dotted(head->name)) return BEST;
    if (head->kind == FM_JAVA_HEAD_TITLE || head->kind == FM_JAVA_HEAD_CAUSE) return head->is_named_fault ? BEST : 2;
    return head->kind == FM_JAVA_HEAD_WORD && last;
}

/* Whether a line may state something other than an exception: a thread, a class, an id. All lines that java_heading.c
 * recognizes as such begin with one of the bytes listed here. */
static bool may_say_more(const struct fm_line *line)
{
    switch (line->first) {
    case '"':
    case '\\':
    case '#':
    case '3':
    case '-':
    case 'E':
    case 'F':
    case 'P':
    case 'j':
    case 'p': return true;
    default: return false;
    }
}

/* The label "Stacktrace:" directly above a stack, and the lines above it. Minecraft prints in each section of a report
 *
 *     Details:
 *             Analyzed class: a.b.c
 *     Stacktrace:
 *             at …
 *
 * A name in these details is a class, even if it looks like an exception. */
struct java_label {
    bool found;
    bool in_details; /* all lines between the label and the current one are indented more than the label */
    uint32_t indent;
    bool is_detail[FM_JAVA_ABOVE]; /* for each of the lines above the stack: whether it is one of the details */
};

/* Whether a line is the label of a stack. */
static bool read_label(struct java_label *label, const struct fm_line *before, const struct fm_line *line)
{
    if (before->first != 'S' || line->number1 - before->number1 != 1) return false;
    if (!fm_str_equal(fm_str_trim(before->body), FM_STR("Stacktrace:"))) return false;
    label->found = label->in_details = true;
    label->indent = fm_java_indent(before->body);
    return true;
}

/* Whether a line above the label is one of the details. One that has lost its indentation is recognized by "class: "
 * before the name; the class of an exception may be printed so, too. */
static bool is_detail(struct java_label *label, const struct fm_line *before, const struct fm_java_head *head)
{
    if (!label->found) return false;
    if (fm_java_indent(before->body) <= label->indent) label->in_details = false;
    if (label->in_details) return true;
    const char *start = before->body.data;
    return head->kind == FM_JAVA_HEAD_TITLE && !head->is_named_fault &&
           fm_str_ends(fm_str(start, (size_t)(head->text.data - start)), FM_STR("class: "));
}

/* Without an exception above the details, the names in them are classes; else they belong to its message. */
static void set_classes(const struct java_label *label, struct fm_java_lines_above *above)
{
    if (above->best != SIZE_MAX) return;
    for (size_t i = 0; i < above->count; i++)
        if (label->is_detail[i] && above->heads[i].kind == FM_JAVA_HEAD_TITLE)
            above->heads[i].kind = FM_JAVA_HEAD_CLASS;
}

/* Reads the lines above a stack, nearest first. Once a line with the best rank was found, no further line is examined
 * for an exception. */
static void read_above(struct fm_document *doc, const struct fm_line *line, uint64_t stop,
                       struct fm_java_lines_above *above)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, stop, FM_JAVA_ABOVE);
    struct java_label label = {.found = false};
    bool nearest = true;
    int best = 0;
    above->count = 0;
    above->best = SIZE_MAX;
    for (struct fm_line *before; (before = fm_look_back_next(&walk)) != NULL;) {
        struct fm_java_head *head = &above->heads[above->count];
        if (fm_line_cut(before) && fm_java_announces_nested(before) && above->best != SIZE_MAX &&
            above->lines[above->best]->number1 == before->number1 + 1) {
            /* the exception found so far is below this line, and belongs to the message of the exception on this
             * line */
            best = 0;
            above->best = SIZE_MAX;
            continue;
        }
        if (!fm_line_cut(before) || (best == BEST && !may_say_more(before))) continue;
        if (nearest && read_label(&label, before, line)) {
            nearest = false;
            continue;
        }
        fm_java_head_parse(before->body, head);
        const bool detail = is_detail(&label, before, head);
        const int own = detail ? 0 : rank(head, nearest && line->number1 - before->number1 <= 1);
        nearest = false;
        if (head->kind == FM_JAVA_HEAD_NONE) continue;
        if (own > best) {
            best = own;
            above->best = above->count;
        }
        label.is_detail[above->count] = detail;
        above->lines[above->count++] = before;
    }
    set_classes(&label, above);
}

/* Chooses the exception of a crash of Android: the line after the crash's title "FATAL EXCEPTION: …", or after the line
 * "Process: …" that follows the title. The exception may be a single word without dots, and its message may have any
 * number of lines. */
static void find_fatal(struct fm_java_lines_above *above)
{
    for (size_t i = 1; i < above->count; i++) {
        if (above->heads[i].kind != FM_JAVA_HEAD_THREAD || !above->heads[i].crashed) continue;
        const size_t below = i > 1 && above->heads[i - 1].kind == FM_JAVA_HEAD_PROCESS ? i - 2 : i - 1;
        if (above->heads[below].kind != FM_JAVA_HEAD_WORD) continue;
        if (above->lines[below]->number1 - above->lines[i]->number1 <= 2) above->best = below;
        return;
    }
}

void fm_java_look_back(struct fm_document *doc, const struct fm_line *line, uint64_t stop,
                       struct fm_java_lines_above *above)
{
    read_above(doc, line, stop, above);
    find_fatal(above);
}

bool fm_java_has_message_only(const struct fm_java_lines_above *above)
{
    for (size_t i = 0; i < above->best; i++)
        if (above->heads[i].kind != FM_JAVA_HEAD_TITLE && above->heads[i].kind != FM_JAVA_HEAD_CAUSE &&
            above->heads[i].kind != FM_JAVA_HEAD_WORD && above->heads[i].kind != FM_JAVA_HEAD_MORE)
            return false;
    return true;
}

/* Returns the value of a JSON member on a line: "worker", if the line is  "name": "worker",  and `key` is "name". Empty
 * if the line has another member. */
static framemap_str member_of(const struct fm_line *line, framemap_str key)
{
    const framemap_str text = fm_str_trim(line->body);
    if (!fm_str_starts(text, key)) return fm_str(NULL, 0);
    const framemap_str rest = fm_str_trim(fm_str_from(text, key.size));
    if (rest.size < 2 || rest.data[0] != '"') return fm_str(NULL, 0);
    return fm_str_slice(rest, 1, 1 + fm_str_find_byte(fm_str_from(rest, 1), '"'));
}

void fm_java_name_member_thread(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    enum { MEMBERS = 8 };
    struct fm_look_back walk = fm_look_back_from(doc, line, 0, MEMBERS);
    for (struct fm_line *before; trace->thread_id.size == 0 && (before = fm_look_back_next(&walk)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        if (trace->thread_name.size == 0) trace->thread_name = member_of(before, FM_STR("\"name\":"));
        trace->thread_id = member_of(before, FM_STR("\"tid\":"));
    }
    trace->thread = trace->thread_name.size ? trace->thread_name : trace->thread_id;
}
