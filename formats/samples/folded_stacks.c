/* Folded stacks, from which flame graphs are made: one stack per line, outermost frame first, with its count.
 *
 *     java;start_thread;[libjvm.so];Main.run_[j] 60
 *     java;start_thread;[libjvm.so];Main.run_[j];sys_read_[k] 12.5 8
 *
 * Lines of tables and ordinary text may have this form. So a single line is a stack only if it has a word that such
 * files contain ("_[k]", "_[j]", "[unknown]"). Otherwise, the first lines of the text must contain adjacent lines with
 * the same outermost frame: two of different depth, or three of the same depth. The lines below these are stacks, until
 * two lines in succession are not. */
#include "core/limits.h"
#include "formats/other/other_row.h"
#include "formats/parsers.h"

static const char name[] = "folded";
/* number of adjacent lines with the same outermost frame that show that the text is folded */
#define SURE 3
#define STRANGE 2 /* a run of stacks ends after this many adjacent lines that are not stacks */

struct folded_state {
    bool inside;      /* the text is known to be folded, so its lines are stacks */
    bool varies;      /* the adjacent lines counted in `run` have different depths */
    unsigned strange; /* number of lines that follow the last stack; none of these lines is a stack */
    /* number of adjacent lines with the same outermost frame; used until the text is known to be folded */
    unsigned run;
    uint64_t significant1; /* number of the last significant line; 0: there was no such line */
    uint64_t number1;      /* number of the last line counted in `run`, or of the last stack */
    size_t depth;          /* depth of the stack in the last significant line */
    framemap_str root;     /* outermost frame of the last significant line */
};

struct folded_row {
    framemap_str stack, count;
    framemap_str root;
    size_t depth;
};

/* Whether the text is a count, such as "60" or "12.5". */
static bool is_count(framemap_str word)
{
    size_t dots = 0;
    for (size_t i = 0; i < word.size; i++) {
        if (word.data[i] == '.')
            dots++;
        else if (!fm_is_digit(word.data[i]))
            return false;
    }
    return word.size != 0 && dots <= 1 && fm_is_digit(word.data[0]);
}

/* Cuts a count off the end of *text, and stores it in *count. */
static bool cut_count(framemap_str *text, framemap_str *count)
{
    const size_t blank = fm_str_find_last_byte(*text, ' ');
    if (blank == FM_NOT_FOUND || blank == 0 || !is_count(fm_str_from(*text, blank + 1))) return false;
    *count = fm_str_from(*text, blank + 1);
    text->size = blank;
    return true;
}

/* Cuts the outermost frame, the text before the first ';', off *text and returns it. */
static framemap_str cut_frame(framemap_str *text)
{
    const size_t end = fm_str_find_byte(*text, ';');
    const framemap_str frame = fm_str_slice(*text, 0, end);
    *text = end == FM_NOT_FOUND ? fm_str_from(*text, text->size) : fm_str_from(*text, end + 1);
    return frame;
}

/* Whether the text can be a frame. An empty text cannot be one, nor can a number alone (as in tables), nor a text with
 * blanks around it (as in ordinary text). */
static bool is_frame(framemap_str text)
{
    return text.size != 0 && fm_str_trim(text).size == text.size && !is_count(text);
}

static bool folded_parse(framemap_str text, struct folded_row *row)
{
    text = fm_str_trim(text);
    if (!cut_count(&text, &row->count)) return false;
    (void)cut_count(&text, &row->count);
    row->stack = text;
    row->depth = 0;
    if (text.size == 0 || text.data[text.size - 1] == ';') return false;
    while (text.size) {
        const framemap_str frame = cut_frame(&text);
        if (!is_frame(frame)) return false;
        if (row->depth++ == 0) row->root = frame;
    }
    return row->depth > 1;
}

/* Whether a frame of the text ends with `word`. */
static bool has_word(framemap_str text, framemap_str word)
{
    const size_t at = fm_str_find(text, word);
    const size_t end = at + word.size;
    return at != FM_NOT_FOUND && at > 0 && (end == text.size || text.data[end] == ';');
}

static bool is_sure(const struct folded_row *row)
{
    return has_word(row->stack, FM_STR("_[k]")) || has_word(row->stack, FM_STR("_[j]")) ||
           has_word(row->stack, FM_STR(";[unknown]"));
}

static bool folded_is_significant(const struct fm_line *line)
{
    struct folded_row row;
    return folded_parse(line->body, &row) && (line->text_number1 <= FM_FIRST_LINES || is_sure(&row));
}

static void folded_add_frame(struct fm_document *doc, const struct fm_line *line, framemap_str text)
{
    struct fm_line part = *line;
    part.body = text;
    framemap_frame *frame = fm_other_frame(doc, &part);
    if (frame == NULL) return;
    frame->function = text;
    frame->inlined = fm_str_ends(text, FM_STR("_[i]"));
}

static void add_count(struct fm_document *doc, framemap_str count)
{
    struct fm_scan s = fm_scan_of(count);
    uint64_t number = 0;
    framemap_trace *trace = fm_document_open(doc, name);
    framemap_frame *last = trace ? fm_other_last(trace) : NULL;
    if (last == NULL || !fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s)) return;
    framemap_frame_extra *extra = fm_document_extra(doc, last);
    if (extra == NULL) return;
    extra->has_count = true;
    extra->count = number;
}

static void add_stack(struct fm_document *doc, const struct fm_line *line, const struct folded_row *row)
{
    framemap_str rest = row->stack;
    /* a frame may have as few as two bytes of text, so the number of frames is limited */
    if (fm_document_frames(doc) >= FM_LIMIT_SAMPLE_FRAMES) return;
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return;
    trace->outermost_first = true;
    while (rest.size) folded_add_frame(doc, line, cut_frame(&rest));
    add_count(doc, row->count);
}

/* Adds the stacks on the lines directly above this line. */
static void add_above(struct fm_document *doc, const struct fm_line *line)
{
    struct fm_line *above[FM_LOOK_BACK_MOST];
    size_t count = 0;
    struct folded_row row;
    struct fm_look_back back = fm_look_back_from(doc, line, fm_document_last_end(doc), FM_LOOK_BACK_MOST);
    for (struct fm_line *before; count < FM_LOOK_BACK_MOST && (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before) || !folded_parse(before->body, &row)) break;
        above[count++] = before;
    }
    while (count-- > 0)
        if (folded_parse(above[count]->body, &row)) add_stack(doc, above[count], &row);
}

/* Handles a line while it is not known whether the text is folded. Returns whether this line shows that it is. */
static bool begins(struct folded_state *state, struct fm_document *doc, const struct fm_line *line,
                   const struct folded_row *row)
{
    if (folded_is_significant(line)) state->significant1 = line->number1;
    if (state->significant1 == 0 || line->number1 - state->significant1 > FM_LINES_AFTER) return false;
    const bool goes_on = line->number1 - state->number1 == 1 && fm_str_equal(row->root, state->root);
    state->varies = goes_on && (state->varies || row->depth != state->depth);
    state->run = goes_on ? state->run + 1 : 1;
    state->root = row->root;
    state->depth = row->depth;
    state->number1 = line->number1;
    if (is_sure(row) || state->run >= (state->varies ? SURE - 1 : SURE)) return true;
    fm_document_may_begin(doc, line, FM_LINES_AFTER);
    return false;
}

static bool is_comment(const struct fm_line *line)
{
    return line->first == '#' || fm_str_starts(fm_str_trim(line->body), FM_STR("//"));
}

static enum fm_line_role folded_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct folded_state *state = memory;
    struct folded_row row;
    if (is_comment(line)) return FM_ROLE_NONE;
    if (line->begins || line->number1 - state->number1 > FM_LINES_AFTER) state->inside = false;
    if (!folded_parse(line->body, &row)) {
        if (++state->strange >= STRANGE) state->inside = false;
        return FM_ROLE_NONE;
    }
    if (!state->inside) {
        if (!begins(state, doc, line, &row)) return FM_ROLE_NONE;
        add_above(doc, line);
    }
    state->inside = true;
    state->strange = 0;
    state->number1 = line->number1;
    add_stack(doc, line, &row);
    return FM_ROLE_FRAME;
}

static const struct fm_needle folded_needles[] = {FM_NEEDLE(";[unknown]", 0, 1), FM_NEEDLE("_[k]", 0, 1),
                                                  FM_NEEDLE("_[j]", 0, 1)};

const struct fm_format fm_folded = {
    .info = {name, "folded stacks, as flame graphs are made of (a;b;c 12)", true, false},
    FM_NEEDLES(folded_needles),
    .state_size = sizeof(struct folded_state),
    .lasts = "0123456789",
    .offer = folded_offer,
    .is_significant = folded_is_significant,
    .keeps_state = true};
