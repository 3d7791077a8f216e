/* Calls framemap_resolve for a class, for its members, and for the first, the last and a middle line of each of its
 * line ranges. If only one range covers a line, and R8's only rule for it is the arithmetic of lines, the whole answer
 * is compared. Otherwise the answer has several alternatives, one of which must have the innermost frame of the range;
 * for such ranges proof_class_records.c compares the records. */
#include "api/proof/proof_classes.h"

#include "core/error.h"

static bool is_proguard(const struct fm_proof_classes *c)
{
    return fm_view_identity(fm_proof_view(c->proof))->kind_row->code == FRAMEMAP_INDEX_PROGUARD;
}

/* --- making the expected frames --- */

static char *add(char *at, framemap_str part)
{
    if (part.size > 0) memcpy(at, part.data, part.size);
    return at + part.size;
}

/* Spells a method as "int run(char)", a field as "int count". Returns a string without data when out of memory. */
static framemap_str spell(struct fm_proof_classes *c, const struct fm_member *member)
{
    const framemap_str type = fm_proof_text(c->proof, member->type), name = fm_proof_text(c->proof, member->name),
                       arguments = fm_proof_text(c->proof, member->arguments);
    char *text = fm_arena_alloc(&c->arena, type.size + name.size + arguments.size + 4);
    if (text == NULL) return (framemap_str){NULL, 0};
    char *at = add(text, type);
    if (type.size > 0) *at++ = ' ';
    at = add(at, name);
    if (member->arguments != FM_NONE) {
        *at++ = '(';
        at = add(at, arguments);
        *at++ = ')';
    }
    return fm_str(text, (size_t)(at - text));
}

static framemap_frame frame_of(struct fm_proof_classes *c, uint32_t number)
{
    const struct fm_member *member = &c->members[number];
    return (framemap_frame){.class_name = fm_proof_name(c, member->holder),
                            .function = fm_proof_text(c->proof, member->name),
                            .symbol = spell(c, member)};
}

/* Returns the original line by R8's rule; a line of -1 means that the line of the stack is kept. */
static int64_t line_by_r8(const struct fm_span *span, int32_t line)
{
    if ((span->flags & FM_SPAN_ORIGINAL) == 0) return line;
    if ((span->flags & FM_SPAN_PAIR) == 0 || span->original_from == span->original_to) return span->original_from;
    return (int32_t)((uint32_t)span->original_from + (uint32_t)line - (uint32_t)span->residual_from);
}

static int64_t line_by_proguard(const struct fm_span *span, int32_t line)
{
    const int32_t original = span->flags & FM_SPAN_ORIGINAL ? span->original_from : span->residual_from;
    if (original == span->residual_from) return line;
    const bool range = (span->flags & FM_SPAN_PAIR) != 0 && span->original_to != 0 && span->original_to != original;
    if (!range || span->residual_from == 0 || line == 0) return original;
    return (int32_t)((uint32_t)original - (uint32_t)span->residual_from + (uint32_t)line);
}

static uint32_t line_of(const struct fm_proof_classes *c, const struct fm_span *span, int32_t line)
{
    const bool proguard = is_proguard(c);
    const int64_t original = proguard ? line_by_proguard(span, line) : line_by_r8(span, line);
    if (original == -1 && !proguard) return (uint32_t)line;
    return original > 0 ? (uint32_t)original : 0;
}

/* Makes the frames that a run of spans (one inline chain) has at a line. The source file is set if the mapping states
 * it. Returns false if out of memory. */
static bool make_frames(struct fm_proof_classes *c, const struct fm_proof_method *method,
                        const struct fm_proof_run *run, int32_t line, framemap_frame_list *out)
{
    const struct fm_span *spans = c->spans + method->first_span + run->first_span;
    if (!FM_GROW(c->proof->heap, c->frames, c->frame_capacity, run->span_count)) return false;
    for (size_t i = 0; i < run->span_count; i++) {
        framemap_frame *frame = &c->frames[i];
        *frame = frame_of(c, spans[i].member);
        if (frame->symbol.data == NULL) return false;
        frame->line = line_of(c, &spans[i], line);
        frame->inlined = i + 1 < run->span_count;
        if (!is_proguard(c)) frame->file = fm_proof_text(c->proof, c->sources[c->members[spans[i].member].holder]);
    }
    *out = (framemap_frame_list){c->frames, run->span_count};
    return true;
}

/* --- comparing answers --- */

/* If the mapping states no source file, copies it from the found frames: there it was inferred from the class by a
 * rule, which is not compared here. */
static void ignore_inferred_files(framemap_frame *said, size_t count, framemap_frame_list found)
{
    for (size_t i = 0; i < count && i < found.count; i++)
        if (said[i].file.data == NULL) said[i].file = found.frames[i].file;
}

static bool has_frame(framemap_frame_list chain, const framemap_frame *frame)
{
    for (size_t i = 0; i < chain.count; i++) {
        const framemap_frame *found = &chain.frames[i];
        if (found->line == frame->line && fm_str_equal(found->function, frame->function) &&
            fm_str_equal(found->symbol, frame->symbol) && fm_str_equal(found->class_name, frame->class_name) &&
            (frame->file.data == NULL || fm_str_equal(found->file, frame->file)))
            return true;
    }
    return false;
}

static bool answers_with(const framemap_frame *answer, const framemap_frame *frame)
{
    if (answer->over_limit || has_frame(answer->restored, frame)) return true;
    for (size_t i = 0; i < answer->alternative_count; i++)
        if (has_frame(answer->alternatives[i], frame)) return true;
    return false;
}

static framemap_status differs(struct fm_proof_classes *c, const char *what, const char *field,
                               framemap_frame_list said, const framemap_frame *answer)
{
    fm_proof_put_chain(&c->proof->said, said);
    fm_proof_put_chain(&c->proof->found, answer->restored);
    if (answer->alternative_count > 0)
        fm_buf_printf(&c->proof->found, " and %zu alternatives", answer->alternative_count);
    return fm_proof_differs(c->proof, what, field);
}

/* Whether a query can name the member. The last dot of a scope separates class and member, so the member's name must
 * have no dot. */
static bool is_askable(const struct fm_proof_classes *c, const struct fm_proof_class *owner, uint32_t member)
{
    return fm_proof_text(c->proof, owner->residual).size > 0 &&
           fm_str_find_byte(fm_proof_text(c->proof, member), '.') == FM_NOT_FOUND;
}

/* Sets the scope of the query to "a.b.c" (a class, a dot, a member), in the arena. false: out of memory. */
static bool set_scope(struct fm_proof_classes *c, const struct fm_proof_class *owner, uint32_t member,
                      framemap_query *query)
{
    const framemap_str name = fm_proof_text(c->proof, owner->residual), own = fm_proof_text(c->proof, member);
    char *text = fm_arena_alloc(&c->arena, name.size + own.size + 1);
    if (text == NULL) return false;
    if (name.size > 0) memcpy(text, name.data, name.size);
    text[name.size] = '.';
    if (own.size > 0) memcpy(text + name.size + 1, own.data, own.size);
    query->scope = fm_str(text, name.size + 1 + own.size);
    return true;
}

/* --- querying lines --- */

struct member {
    const struct fm_proof_class *owner;
    const struct fm_proof_method *method;
};

static framemap_status compare_line(struct fm_proof_classes *c, const struct member *of, const struct fm_proof_run *run,
                                    int32_t line, const framemap_frame *answer)
{
    framemap_frame_list said;
    const char *field = NULL;
    if (!make_frames(c, of->method, run, line, &said)) return fm_error_memory(c->proof->error);
    if (answer->status == FRAMEMAP_FRAME_MALFORMED) {
        field = "answer";
    } else if (run->alone && !is_proguard(c)) {
        ignore_inferred_files(c->frames, said.count, answer->restored);
        if (answer->over_limit && answer->restored.count < said.count) said.count = answer->restored.count;
        field = answer->alternative_count > 0 ? "alternatives" : fm_proof_chain_difference(said, answer->restored);
    } else {
        /* R8 omits an alternative if an earlier alternative has the same innermost frame, so only the innermost frame
         * has to be found */
        const size_t shown = is_proguard(c) ? said.count : 1;
        for (size_t i = 0; i < shown && field == NULL; i++)
            if (!answers_with(answer, &said.frames[i])) field = "answer";
    }
    if (field == NULL) return FRAMEMAP_OK;
    fm_proof_put_member(c, of->owner, of->method->residual, line);
    return differs(c, "line", field, said, answer);
}

/* Whether an earlier run of the same part covers the line: R8 takes the first run that does. */
static bool is_hidden_by_earlier(const struct fm_proof_classes *c, const struct fm_proof_run *run, int64_t line)
{
    if (run->alone || is_proguard(c)) return false;
    for (const struct fm_proof_run *at = run; at > c->runs && at[-1].part == run->part; at--)
        if (at[-1].from <= line && line <= at[-1].to) return true;
    return false;
}

static framemap_status ask_line(struct fm_proof_classes *c, const struct member *of, const struct fm_proof_run *run,
                                int64_t line)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame answer;
    if (line <= 0 || !is_askable(c, of->owner, of->method->residual) || is_hidden_by_earlier(c, run, line))
        return FRAMEMAP_OK; /* R8 has no rule for line 0, so it is not queried */
    fm_arena_reset(&c->arena);
    if (!set_scope(c, of->owner, of->method->residual, &query)) return fm_error_memory(c->proof->error);
    query.position = (uint64_t)line;
    const framemap_status status = fm_proof_ask(c->proof, &query, &answer);
    return status == FRAMEMAP_OK ? compare_line(c, of, run, (int32_t)line, &answer) : status;
}

/* Some runs share lines with other runs of their method. Only this many of them are queried for one method, because
 * answers for such lines have many alternatives, which take long. */
#define SHARED_MOST 64u

static framemap_status ask_runs(struct fm_proof_classes *c, const struct member *of)
{
    size_t shared = 0;
    framemap_status status = fm_proof_list_runs(c, of->method);
    for (size_t i = 0; i < c->run_count && status == FRAMEMAP_OK; i++) {
        const struct fm_proof_run *run = &c->runs[i];
        if (!run->plain || (!run->alone && shared++ >= SHARED_MOST)) continue;
        status = ask_line(c, of, run, run->from);
        if (status == FRAMEMAP_OK && run->to > run->from) status = ask_line(c, of, run, run->to);
        const int64_t middle = run->from + ((int64_t)run->to - run->from) / 2;
        if (status == FRAMEMAP_OK && middle > run->from) status = ask_line(c, of, run, middle);
    }
    return status;
}

/* --- querying members by name --- */

static framemap_status ask_member(struct fm_proof_classes *c, const struct fm_proof_class *owner, uint32_t residual,
                                  uint32_t member, const char *what)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame answer;
    if (!is_askable(c, owner, residual)) return FRAMEMAP_OK;
    fm_arena_reset(&c->arena);
    const framemap_frame said = frame_of(c, member);
    query.no_position = true;
    if (said.symbol.data == NULL || !set_scope(c, owner, residual, &query)) return fm_error_memory(c->proof->error);
    const framemap_status status = fm_proof_ask(c->proof, &query, &answer);
    if (status != FRAMEMAP_OK || answers_with(&answer, &said)) return status;
    fm_proof_put_member(c, owner, residual, 0);
    return differs(c, what, "member", (framemap_frame_list){&said, 1}, &answer);
}

/* Queries a method by its residual name, without a line. Each part of the method can be another original method. With
 * one part, the expected answer is the entry of the first span. With several, the query must find each part; its
 * expected answer is the member of its last span, which is the outermost frame of its last chain. */
static framemap_status ask_parts(struct fm_proof_classes *c, const struct member *of)
{
    const struct fm_span *spans = c->spans + of->method->first_span;
    const size_t count = of->method->span_count;
    framemap_status status = FRAMEMAP_OK;
    size_t parts = 1, asked = 0;
    for (size_t i = 1; i < count; i++) parts += (spans[i].flags & FM_SPAN_PART) != 0;
    if (parts == 1) return ask_member(c, of->owner, of->method->residual, spans[0].entry, "method");
    for (size_t i = 0; i < count && asked < SHARED_MOST && status == FRAMEMAP_OK; i++) {
        if (i + 1 < count && (spans[i + 1].flags & FM_SPAN_PART) == 0) continue;
        status = ask_member(c, of->owner, of->method->residual, spans[i].member, "method");
        asked++;
    }
    return status;
}

/* Whether a query whose scope is a residual name finds the class of that name. Not if the name looks like an array, a
 * path or a primitive type, since such a name is converted first; and not if the text before its last dot is a class
 * too, since the rest can then be a member. */
static bool is_plain_name(const struct fm_proof_classes *c, framemap_str name)
{
    static const framemap_str primitives[] = {FM_STR_INIT("void"),  FM_STR_INIT("boolean"), FM_STR_INIT("byte"),
                                              FM_STR_INIT("short"), FM_STR_INIT("char"),    FM_STR_INIT("int"),
                                              FM_STR_INIT("long"),  FM_STR_INIT("float"),   FM_STR_INIT("double")};
    struct fm_view_class outer;
    const size_t dot = fm_str_find_last_byte(name, '.');
    if (name.size == 0 || fm_str_find_byte(name, '/') != FM_NOT_FOUND || fm_str_find_byte(name, '[') != FM_NOT_FOUND)
        return false;
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (fm_str_equal(name, primitives[i])) return false;
    return dot == FM_NOT_FOUND || !fm_view_class(fm_proof_view(c->proof), fm_str_slice(name, 0, dot), &outer);
}

static framemap_status ask_class_name(struct fm_proof_classes *c, const struct fm_proof_class *owner)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame answer;
    query.scope = fm_proof_text(c->proof, owner->residual);
    query.no_position = true;
    if (!is_plain_name(c, query.scope)) return FRAMEMAP_OK;
    const framemap_frame said = {.class_name = fm_proof_name(c, owner->original),
                                 .file = fm_proof_text(c->proof, c->sources[owner->original])};
    const framemap_status status = fm_proof_ask(c->proof, &query, &answer);
    const framemap_frame_list list = {&said, 1};
    if (status != FRAMEMAP_OK || fm_proof_chain_difference(list, answer.restored) == NULL) return status;
    fm_proof_put_member(c, owner, FM_NONE, 0);
    return differs(c, "class", "answer", list, &answer);
}

framemap_status fm_proof_class_lines(struct fm_proof_classes *c, const struct fm_proof_class *owner)
{
    framemap_status status = ask_class_name(c, owner);
    for (size_t i = 0; i < owner->method_count && status == FRAMEMAP_OK; i++) {
        const struct member of = {owner, &c->methods[owner->first_method + i]};
        status = ask_parts(c, &of);
        if (status == FRAMEMAP_OK) status = ask_runs(c, &of);
    }
    for (size_t i = 0; i < owner->field_count && status == FRAMEMAP_OK; i++) {
        const struct fm_proof_field *field = &c->fields[owner->first_field + i];
        status = ask_member(c, owner, field->residual, field->member, "field");
    }
    return status;
}
