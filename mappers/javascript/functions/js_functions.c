/* The tokens in turn. */
#include "mappers/javascript/functions/js_parser.h"

#include "core/error.h"

static const struct fm_script_name no_name = {0, 0, FM_N_NONE};

/* --- statements and operands --- */

/* The statement, or what ends with it, is over though no semicolon says so. */
static void end_by_newline(struct fm_script_reader *r)
{
    r->now = 0;
    while (fm_script_top(r)->kind == FM_F_ARROW) fm_script_end_function(r, r->prev.end);
    switch (fm_script_top(r)->kind) {
    case FM_F_FIELD: fm_script_end_unbraced(r, r->prev.end); break;
    case FM_F_BLOCK: fm_script_end_statement(r); break;
    default:
        fm_script_end_expression(r);
        r->value = false;
        break;
    }
}

/* Kinds of tokens that may be no part of what a complete operand begins. */
static const unsigned char may_begin[FM_T_OPERATOR + 1] = {
    ['('] = 1,         ['['] = 1,         ['{'] = 1,           ['@'] = 1,        [FM_T_WORD] = 1, [FM_T_PRIVATE] = 1,
    [FM_T_NUMBER] = 1, [FM_T_STRING] = 1, [FM_T_TEMPLATE] = 1, [FM_T_REGEX] = 1, [FM_T_STEP] = 1, [FM_T_NOT] = 1};

/* Whether the token can't go on with a complete operand. */
static bool begins_anew(const struct fm_script_reader *r, const struct fm_script_token *t)
{
    const struct fm_script_frame *f = fm_script_top(r);
    switch (t->kind) {
    case FM_T_WORD:
        if (t->word == FM_W_IN || t->word == FM_W_INSTANCEOF) return false;
        if (t->word == FM_W_OF && f->kind == FM_F_PAREN && f->sub == FM_P_FOR_HEAD) return false;
        return !(r->now & FM_H_ASYNC && !t->newline);
    case FM_T_STRING:
    case FM_T_NUMBER:
    case FM_T_PRIVATE:
    case FM_T_NOT:
    case '{':
    case '@': return true;
    case FM_T_STEP: return t->newline;
    case FM_T_TEMPLATE:
    case FM_T_REGEX:
    case '(':
    case '[': return r->now & FM_H_AFTER_ARROW && t->newline;
    default: return false;
    }
}

static void take_name(struct fm_script_reader *r, const struct fm_script_token *t)
{
    const bool parameter = r->was & FM_H_ASYNC; /* async x => … */
    const uint32_t begin = parameter ? r->prev.begin : t->begin;
    if (!parameter) fm_script_operand(r);
    fm_script_name_push(r, FM_N_VARIABLE, t->begin, t->end);
    r->value = true;
    r->now |= FM_H_MAY_BE_ARROW;
    r->arrow_begin = begin;
}

static void take_async(struct fm_script_reader *r, const struct fm_script_token *t)
{
    take_name(r, t);
    r->now |= FM_H_ASYNC;
    if (r->was & (FM_H_START | FM_H_DECLARES)) r->now |= FM_H_ASYNC_START;
}

static void take_function(struct fm_script_reader *r, const struct fm_script_token *t)
{
    const bool async = r->was & FM_H_ASYNC;
    const bool declared = r->was & (async ? FM_H_ASYNC_START : FM_H_START | FM_H_DECLARES);
    if (async && r->names.count > fm_script_top(r)->names_base) r->names.count--; /* the word async */
    if (declared)
        fm_script_end_expression(r);
    else if (!async)
        fm_script_operand(r);
    fm_script_begin_function(r, async ? r->prev.begin : t->begin, declared ? FM_BODY_DECLARED : FM_BODY_EXPRESSION);
}

static void take_class(struct fm_script_reader *r, const struct fm_script_token *t)
{
    const bool declared = r->was & (FM_H_START | FM_H_DECLARES);
    if (declared)
        fm_script_end_expression(r);
    else
        fm_script_operand(r);
    fm_script_begin_class(r, t->begin, declared ? FM_BODY_DECLARED : FM_BODY_EXPRESSION);
}

static void take_word(struct fm_script_reader *r, struct fm_script_token *t)
{
    const struct fm_script_frame *f = fm_script_top(r);
    switch (t->word) {
    case FM_W_FUNCTION: take_function(r, t); return;
    case FM_W_CLASS: take_class(r, t); return;
    case FM_W_ASYNC: take_async(r, t); return;
    case FM_W_DO:
    case FM_W_ELSE:
    case FM_W_TRY:
    case FM_W_CATCH:
    case FM_W_FINALLY:
    case FM_W_EXPORT:
    case FM_W_BREAK:
    case FM_W_CONTINUE: fm_script_expect(r, true); return;
    case FM_W_IF:
    case FM_W_FOR:
    case FM_W_WHILE:
    case FM_W_WITH:
    case FM_W_SWITCH:
    case FM_W_RETURN:
    case FM_W_THROW:
    case FM_W_CASE:
    case FM_W_VAR:
    case FM_W_CONST: fm_script_expect(r, false); return;
    case FM_W_DEFAULT:
        if (r->prev.kind == FM_T_WORD && r->prev.word == FM_W_EXPORT) {
            fm_script_expect(r, false);
            r->now |= FM_H_DECLARES;
        } else
            fm_script_operand(r);
        return;
    case FM_W_LET:
        if (!(r->was & FM_H_START) && !(f->kind == FM_F_PAREN && f->sub == FM_P_FOR_HEAD && f->fresh)) break;
        fm_script_expect(r, false);
        return;
    case FM_W_OF:
        if (!r->value) break;
        fm_script_expect(r, false); /* begins_anew let it through in heads only */
        return;
    case FM_W_NEW:
        fm_script_postfix(r);
        fm_script_top(r)->fresh = false;
        fm_script_top(r)->is_new = true;
        return;
    case FM_W_EXTENDS:
    case FM_W_IN:
    case FM_W_INSTANCEOF:
    case FM_W_TYPEOF:
    case FM_W_VOID:
    case FM_W_DELETE: fm_script_operator(r); return;
    case FM_W_AWAIT:
        if (r->prev.kind == FM_T_WORD && r->prev.word == FM_W_FOR)
            t->word = FM_W_FOR;
        else
            fm_script_operator(r);
        return;
    case FM_W_YIELD:
        fm_script_operator(r);
        fm_script_top(r)->fresh = true;
        return;
    case FM_W_IMPORT: fm_script_postfix(r); return;
    case FM_W_VALUE: fm_script_operand(r); return;
    default: break;
    }
    take_name(r, t);
}

/* --- punctuation --- */

static void take_comma(struct fm_script_reader *r)
{
    fm_script_end_all_unbraced(r);
    struct fm_script_frame *f = fm_script_top(r);
    fm_script_end_expression(r);
    f->comma = true;
    r->value = false;
    if (f->kind == FM_F_OBJECT || f->kind == FM_F_CLASS) fm_script_member_done(f);
}

static void take_semicolon(struct fm_script_reader *r)
{
    fm_script_end_all_unbraced(r);
    struct fm_script_frame *f = fm_script_top(r);
    if (f->kind == FM_F_BLOCK) {
        fm_script_end_statement(r);
        return;
    }
    fm_script_end_expression(r);
    r->value = false;
    if (f->kind == FM_F_OBJECT || f->kind == FM_F_CLASS) fm_script_member_done(f);
}

static void take_colon(struct fm_script_reader *r)
{
    while (fm_script_top(r)->kind == FM_F_ARROW && fm_script_top(r)->ternaries == 0)
        fm_script_end_function(r, r->prev.end);
    if (fm_script_colon(r)) return;
    if (fm_script_top(r)->kind == FM_F_BLOCK)
        fm_script_end_statement(r); /* a label or a case */
    else
        fm_script_operator(r);
}

static void take_arrow(struct fm_script_reader *r)
{
    if (!(r->was & FM_H_MAY_BE_ARROW)) {
        fm_script_operator(r);
        return;
    }
    fm_script_begin_function(r, r->arrow_begin, FM_BODY_ARROW);
}

static void take_assign(struct fm_script_reader *r, const struct fm_script_token *t)
{
    const struct fm_script_frame *f = fm_script_top(r);
    const bool lone = f->lead && r->prev.kind == FM_T_WORD && r->prev.word != FM_W_VALUE;
    const struct fm_script_name direct = {r->prev.begin, r->prev.end - r->prev.begin, FM_N_VARIABLE};
    fm_script_assign(r, lone && t->kind != FM_T_OTHER_ASSIGN ? direct : no_name, t->kind != FM_T_OTHER_ASSIGN);
}

static void take_step(struct fm_script_reader *r)
{
    const bool postfix = r->value;
    fm_script_operator(r);
    r->value = postfix;
}

/* --- the loop --- */

static void take_token(struct fm_script_reader *r, struct fm_script_token *t)
{
    switch (t->kind) {
    case FM_T_WORD: take_word(r, t); break;
    case FM_T_PRIVATE:
    case FM_T_NUMBER:
    case FM_T_STRING:
    case FM_T_REGEX: fm_script_operand(r); break;
    case FM_T_TEMPLATE:
    case '(':
    case '[':
    case '{':
    case ')':
    case ']':
    case '}': fm_script_bracket_token(r, t); break;
    case ',': take_comma(r); break;
    case ';': take_semicolon(r); break;
    case ':': take_colon(r); break;
    case '?': fm_script_ternary(r); break;
    case '.':
        fm_script_postfix(r);
        r->value = false;
        r->now |= FM_H_DOT;
        break;
    case FM_T_OPTIONAL:
        fm_script_postfix(r);
        r->now |= FM_H_DOT;
        break;
    case FM_T_ARROW: take_arrow(r); break;
    case FM_T_ASSIGN:
    case FM_T_LOGICAL_ASSIGN:
    case FM_T_OTHER_ASSIGN: take_assign(r, t); break;
    case FM_T_STEP: take_step(r); break;
    case FM_T_SPREAD: r->value = false; break;
    default: fm_script_operator(r); break;
    }
}

static inline bool is_head_frame(const struct fm_script_frame *f)
{
    return f->kind == FM_F_FUNCTION_HEAD || f->kind == FM_F_CLASS_HEAD;
}

/* true: a head or member has taken it. */
static bool take_part(struct fm_script_reader *r, const struct fm_script_token *t)
{
    while (is_head_frame(fm_script_top(r))) {
        const size_t depth = r->frames.count;
        if (fm_script_head_token(r, t)) return true;
        if (r->status != FRAMEMAP_OK || r->frames.count == depth) break;
    }
    return fm_script_in_members(fm_script_top(r)) && fm_script_member_token(r, t);
}

/* The statement that the token before ended, or the line's end does. */
static inline void end_before(struct fm_script_reader *r, const struct fm_script_token *t)
{
    if (r->value) {
        if (may_begin[t->kind] && begins_anew(r, t)) end_by_newline(r);
    } else if (t->newline && r->prev.kind == FM_T_WORD && r->prev.word == FM_W_RETURN) {
        r->now |= FM_H_START;
    }
}

static inline void note_in_bracket(struct fm_script_frame *f, const struct fm_script_token *t)
{
    if (f->kind != FM_F_BRACKET || t->kind == ']') return;
    f->lone_string = !f->tokens && t->kind == FM_T_STRING;
    f->tokens = true;
}

static void take(struct fm_script_reader *r, struct fm_script_token *t)
{
    struct fm_script_frame *f = fm_script_top(r);
    const bool property = r->now & FM_H_DOT && (t->kind == FM_T_WORD || t->kind == FM_T_PRIVATE);
    if (!property && !is_head_frame(f) && !fm_script_in_members(f)) {
        end_before(r, t);
        f = fm_script_top(r);
    }
    note_in_bracket(f, t);
    r->was = r->now;
    r->now = 0;
    if (property) {
        t->word = FM_W_NAME;
        fm_script_name_push(r, FM_N_KEY, t->begin, t->end);
        r->value = true;
    } else if (!(is_head_frame(f) || fm_script_in_members(f)) || !take_part(r, t)) {
        take_token(r, t);
    }
    r->prev = *t;
}

static void read_all(struct fm_script_reader *r)
{
    struct fm_script_token token;
    (void)fm_script_push(r, FM_F_BLOCK, FM_BODY_NONE, 0);
    r->now |= FM_H_START;
    while (r->status == FRAMEMAP_OK) {
        fm_script_next(&r->lexer, !r->value, &token);
        if (token.kind == FM_T_END) break;
        take(r, &token);
    }
    while (r->status == FRAMEMAP_OK && r->frames.count > 1) fm_script_abandon(r);
    if (r->status == FRAMEMAP_OK) fm_script_end_expression(r);
}

#define FREE(reader, field) \
    fm_heap_free((reader)->heap, (reader)->field.list, (reader)->field.capacity * sizeof *(reader)->field.list)

framemap_status fm_script_read(framemap_str text, struct fm_heap *heap, struct fm_script *out, framemap_error *error)
{
    struct fm_script_reader r = {.heap = heap, .error = error};
    *out = (struct fm_script){.heap = heap};
    if (text.size >= UINT32_MAX) return fm_error_set(error, FRAMEMAP_E_LIMIT, "the script has 4 GB or more");
    r.lexer = fm_script_lexer_of(text);
    read_all(&r);
    if (r.status == FRAMEMAP_OK) fm_script_finish(&r, out);
    FREE(&r, items);
    FREE(&r, frames);
    FREE(&r, names);
    FREE(&r, made);
    FREE(&r, marks);
    FREE(&r, pending);
    return r.status == FRAMEMAP_OK ? fm_script_find_places(text, out, error) : r.status;
}

void fm_script_free(struct fm_script *script)
{
    fm_heap_free(script->heap, script->functions, script->function_capacity * sizeof *script->functions);
    fm_heap_free(script->heap, script->parts, script->part_capacity * sizeof *script->parts);
}
