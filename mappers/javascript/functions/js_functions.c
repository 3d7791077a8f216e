/* The main loop of the function scanner: reads the tokens, and handles statements, operands and punctuation. */
#include "mappers/javascript/functions/js_functions.h"

#include "core/error.h"
#include "mappers/javascript/functions/js_parser.h"

static const struct fm_js_name no_name = {0, 0, FM_JS_NAME_NONE};

/* --- handling statements and operands --- */

/* Ends the statement or member at a line break that takes the place of a semicolon (automatic semicolon insertion). */
static void end_by_newline(struct fm_js_parser *r)
{
    r->now = 0;
    while (fm_js_parser_top(r)->kind == FM_JS_FRAME_ARROW) fm_js_parser_end_function(r, r->prev.end);
    switch (fm_js_parser_top(r)->kind) {
    case FM_JS_FRAME_FIELD: fm_js_parser_end_unbraced(r, r->prev.end); break;
    case FM_JS_FRAME_BLOCK: fm_js_parser_end_statement(r); break;
    default:
        fm_js_parser_end_expression(r);
        r->value = false;
        break;
    }
}

/* Table of the kinds of tokens that may start a new statement after a complete operand. */
static const unsigned char may_begin[FM_JS_TOKEN_OPERATOR + 1] = {['('] = 1,
                                                                  ['['] = 1,
                                                                  ['{'] = 1,
                                                                  ['@'] = 1,
                                                                  [FM_JS_TOKEN_WORD] = 1,
                                                                  [FM_JS_TOKEN_PRIVATE] = 1,
                                                                  [FM_JS_TOKEN_NUMBER] = 1,
                                                                  [FM_JS_TOKEN_STRING] = 1,
                                                                  [FM_JS_TOKEN_TEMPLATE] = 1,
                                                                  [FM_JS_TOKEN_REGEX] = 1,
                                                                  [FM_JS_TOKEN_STEP] = 1,
                                                                  [FM_JS_TOKEN_NOT] = 1};

/* Whether the token, which follows a complete operand, cannot continue it. */
static bool begins_anew(const struct fm_js_parser *r, const struct fm_js_token *t)
{
    const struct fm_js_frame *f = fm_js_parser_top(r);
    switch (t->kind) {
    case FM_JS_TOKEN_WORD:
        if (t->word == FM_JS_WORD_IN || t->word == FM_JS_WORD_INSTANCEOF) return false;
        if (t->word == FM_JS_WORD_OF && f->kind == FM_JS_FRAME_PAREN && f->sub == FM_JS_PAREN_FOR_HEAD) return false;
        return !(r->now & FM_JS_HINT_ASYNC && !t->newline);
    case FM_JS_TOKEN_STRING:
    case FM_JS_TOKEN_NUMBER:
    case FM_JS_TOKEN_PRIVATE:
    case FM_JS_TOKEN_NOT:
    case '{':
    case '@': return true;
    case FM_JS_TOKEN_STEP: return t->newline;
    case FM_JS_TOKEN_TEMPLATE:
    case FM_JS_TOKEN_REGEX:
    case '(':
    case '[': return r->now & FM_JS_HINT_AFTER_ARROW && t->newline;
    default: return false;
    }
}

static void take_name(struct fm_js_parser *r, const struct fm_js_token *t)
{
    const bool parameter = r->was & FM_JS_HINT_ASYNC; /* in "async x => …", the name x is a parameter */
    const uint32_t begin = parameter ? r->prev.begin : t->begin;
    if (!parameter) fm_js_parser_operand(r);
    fm_js_parser_name_push(r, FM_JS_NAME_VARIABLE, t->begin, t->end);
    r->value = true;
    r->now |= FM_JS_HINT_MAY_BE_ARROW;
    r->arrow_begin = begin;
}

static void take_async(struct fm_js_parser *r, const struct fm_js_token *t)
{
    take_name(r, t);
    r->now |= FM_JS_HINT_ASYNC;
    if (r->was & (FM_JS_HINT_START | FM_JS_HINT_DECLARES)) r->now |= FM_JS_HINT_ASYNC_START;
}

static void take_function(struct fm_js_parser *r, const struct fm_js_token *t)
{
    const bool async = r->was & FM_JS_HINT_ASYNC;
    const bool declared = r->was & (async ? FM_JS_HINT_ASYNC_START : FM_JS_HINT_START | FM_JS_HINT_DECLARES);
    /* `async` was a keyword here, so it is removed from the names */
    if (async && r->names.count > fm_js_parser_top(r)->names_base) r->names.count--;
    if (declared)
        fm_js_parser_end_expression(r);
    else if (!async)
        fm_js_parser_operand(r);
    fm_js_parser_begin_function(r, async ? r->prev.begin : t->begin,
                                declared ? FM_JS_BODY_DECLARED : FM_JS_BODY_EXPRESSION);
}

static void take_class(struct fm_js_parser *r, const struct fm_js_token *t)
{
    const bool declared = r->was & (FM_JS_HINT_START | FM_JS_HINT_DECLARES);
    if (declared)
        fm_js_parser_end_expression(r);
    else
        fm_js_parser_operand(r);
    fm_js_parser_begin_class(r, t->begin, declared ? FM_JS_BODY_DECLARED : FM_JS_BODY_EXPRESSION);
}

static void take_word(struct fm_js_parser *r, struct fm_js_token *t)
{
    const struct fm_js_frame *f = fm_js_parser_top(r);
    switch (t->word) {
    case FM_JS_WORD_FUNCTION: take_function(r, t); return;
    case FM_JS_WORD_CLASS: take_class(r, t); return;
    case FM_JS_WORD_ASYNC: take_async(r, t); return;
    case FM_JS_WORD_DO:
    case FM_JS_WORD_ELSE:
    case FM_JS_WORD_TRY:
    case FM_JS_WORD_CATCH:
    case FM_JS_WORD_FINALLY:
    case FM_JS_WORD_EXPORT:
    case FM_JS_WORD_BREAK:
    case FM_JS_WORD_CONTINUE: fm_js_parser_expect_operand(r, true); return;
    case FM_JS_WORD_IF:
    case FM_JS_WORD_FOR:
    case FM_JS_WORD_WHILE:
    case FM_JS_WORD_WITH:
    case FM_JS_WORD_SWITCH:
    case FM_JS_WORD_RETURN:
    case FM_JS_WORD_THROW:
    case FM_JS_WORD_CASE:
    case FM_JS_WORD_VAR:
    case FM_JS_WORD_CONST: fm_js_parser_expect_operand(r, false); return;
    case FM_JS_WORD_DEFAULT:
        if (r->prev.kind == FM_JS_TOKEN_WORD && r->prev.word == FM_JS_WORD_EXPORT) {
            fm_js_parser_expect_operand(r, false);
            r->now |= FM_JS_HINT_DECLARES;
        } else
            fm_js_parser_operand(r);
        return;
    case FM_JS_WORD_LET:
        if (!(r->was & FM_JS_HINT_START) &&
            !(f->kind == FM_JS_FRAME_PAREN && f->sub == FM_JS_PAREN_FOR_HEAD && f->fresh))
            break;
        fm_js_parser_expect_operand(r, false);
        return;
    case FM_JS_WORD_OF:
        if (!r->value) break;
        /* after the `of` of a for loop an operand follows, before which no new statement can start */
        fm_js_parser_expect_operand(r, false);
        return;
    case FM_JS_WORD_NEW:
        fm_js_parser_postfix(r);
        fm_js_parser_top(r)->fresh = false;
        fm_js_parser_top(r)->is_new = true;
        return;
    case FM_JS_WORD_EXTENDS:
    case FM_JS_WORD_IN:
    case FM_JS_WORD_INSTANCEOF:
    case FM_JS_WORD_TYPEOF:
    case FM_JS_WORD_VOID:
    case FM_JS_WORD_DELETE: fm_js_parser_operator(r); return;
    case FM_JS_WORD_AWAIT:
        if (r->prev.kind == FM_JS_TOKEN_WORD && r->prev.word == FM_JS_WORD_FOR)
            t->word = FM_JS_WORD_FOR;
        else
            fm_js_parser_operator(r);
        return;
    case FM_JS_WORD_YIELD:
        fm_js_parser_operator(r);
        fm_js_parser_top(r)->fresh = true;
        return;
    case FM_JS_WORD_IMPORT: fm_js_parser_postfix(r); return;
    case FM_JS_WORD_VALUE: fm_js_parser_operand(r); return;
    default: break;
    }
    take_name(r, t);
}

/* --- handling punctuation --- */

static void take_comma(struct fm_js_parser *r)
{
    fm_js_parser_end_all_unbraced(r);
    struct fm_js_frame *f = fm_js_parser_top(r);
    fm_js_parser_end_expression(r);
    f->comma = true;
    r->value = false;
    if (f->kind == FM_JS_FRAME_OBJECT || f->kind == FM_JS_FRAME_CLASS) fm_js_parser_member_done(f);
}

static void take_semicolon(struct fm_js_parser *r)
{
    fm_js_parser_end_all_unbraced(r);
    struct fm_js_frame *f = fm_js_parser_top(r);
    if (f->kind == FM_JS_FRAME_BLOCK) {
        fm_js_parser_end_statement(r);
        return;
    }
    fm_js_parser_end_expression(r);
    r->value = false;
    if (f->kind == FM_JS_FRAME_OBJECT || f->kind == FM_JS_FRAME_CLASS) fm_js_parser_member_done(f);
}

static void take_colon(struct fm_js_parser *r)
{
    while (fm_js_parser_top(r)->kind == FM_JS_FRAME_ARROW && fm_js_parser_top(r)->ternaries == 0)
        fm_js_parser_end_function(r, r->prev.end);
    if (fm_js_parser_colon(r)) return;
    if (fm_js_parser_top(r)->kind == FM_JS_FRAME_BLOCK)
        fm_js_parser_end_statement(r); /* the colon ends a label, or the expression after `case` */
    else
        fm_js_parser_operator(r);
}

static void take_arrow(struct fm_js_parser *r)
{
    if (!(r->was & FM_JS_HINT_MAY_BE_ARROW)) {
        fm_js_parser_operator(r);
        return;
    }
    fm_js_parser_begin_function(r, r->arrow_begin, FM_JS_BODY_ARROW);
}

static void take_assign(struct fm_js_parser *r, const struct fm_js_token *t)
{
    const struct fm_js_frame *f = fm_js_parser_top(r);
    const bool lone = f->lead && r->prev.kind == FM_JS_TOKEN_WORD && r->prev.word != FM_JS_WORD_VALUE;
    const struct fm_js_name direct = {r->prev.begin, r->prev.end - r->prev.begin, FM_JS_NAME_VARIABLE};
    fm_js_parser_assign(r, lone && t->kind != FM_JS_TOKEN_OTHER_ASSIGN ? direct : no_name,
                        t->kind != FM_JS_TOKEN_OTHER_ASSIGN);
}

static void take_step(struct fm_js_parser *r)
{
    const bool postfix = r->value;
    fm_js_parser_operator(r);
    r->value = postfix;
}

/* --- looping over all tokens --- */

static void js_handle_by_kind(struct fm_js_parser *r, struct fm_js_token *t)
{
    switch (t->kind) {
    case FM_JS_TOKEN_WORD: take_word(r, t); break;
    case FM_JS_TOKEN_PRIVATE:
    case FM_JS_TOKEN_NUMBER:
    case FM_JS_TOKEN_STRING:
    case FM_JS_TOKEN_REGEX: fm_js_parser_operand(r); break;
    case FM_JS_TOKEN_TEMPLATE:
    case '(':
    case '[':
    case '{':
    case ')':
    case ']':
    case '}': fm_js_parser_bracket_token(r, t); break;
    case ',': take_comma(r); break;
    case ';': take_semicolon(r); break;
    case ':': take_colon(r); break;
    case '?': fm_js_parser_ternary(r); break;
    case '.':
        fm_js_parser_postfix(r);
        r->value = false;
        r->now |= FM_JS_HINT_DOT;
        break;
    case FM_JS_TOKEN_OPTIONAL:
        fm_js_parser_postfix(r);
        r->now |= FM_JS_HINT_DOT;
        break;
    case FM_JS_TOKEN_ARROW: take_arrow(r); break;
    case FM_JS_TOKEN_ASSIGN:
    case FM_JS_TOKEN_LOGICAL_ASSIGN:
    case FM_JS_TOKEN_OTHER_ASSIGN: take_assign(r, t); break;
    case FM_JS_TOKEN_STEP: take_step(r); break;
    case FM_JS_TOKEN_SPREAD: r->value = false; break;
    default: fm_js_parser_operator(r); break;
    }
}

static inline bool is_head_frame(const struct fm_js_frame *f)
{
    return f->kind == FM_JS_FRAME_FUNCTION_HEAD || f->kind == FM_JS_FRAME_CLASS_HEAD;
}

/* Passes the token to the open head of a function or class, or to the open member of a class or object. Returns whether
 * the token was consumed. */
static bool take_part(struct fm_js_parser *r, const struct fm_js_token *t)
{
    while (is_head_frame(fm_js_parser_top(r))) {
        const size_t depth = r->frames.count;
        if (fm_js_parser_head_token(r, t)) return true;
        if (r->status != FRAMEMAP_OK || r->frames.count == depth) break;
    }
    return fm_js_parser_in_members(fm_js_parser_top(r)) && fm_js_parser_member_token(r, t);
}

/* Ends the previous statement before this token, if a semicolon or a line break precedes the token and ends the
 * statement. */
static inline void end_before(struct fm_js_parser *r, const struct fm_js_token *t)
{
    if (r->value) {
        if (may_begin[t->kind] && begins_anew(r, t)) end_by_newline(r);
    } else if (t->newline && r->prev.kind == FM_JS_TOKEN_WORD && r->prev.word == FM_JS_WORD_RETURN) {
        r->now |= FM_JS_HINT_START;
    }
}

static inline void note_in_bracket(struct fm_js_frame *f, const struct fm_js_token *t)
{
    if (f->kind != FM_JS_FRAME_BRACKET || t->kind == ']') return;
    f->lone_string = !f->tokens && t->kind == FM_JS_TOKEN_STRING;
    f->tokens = true;
}

static void js_handle_token(struct fm_js_parser *r, struct fm_js_token *t)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    const bool property = r->now & FM_JS_HINT_DOT && (t->kind == FM_JS_TOKEN_WORD || t->kind == FM_JS_TOKEN_PRIVATE);
    if (!property && !is_head_frame(f) && !fm_js_parser_in_members(f)) {
        end_before(r, t);
        f = fm_js_parser_top(r);
    }
    note_in_bracket(f, t);
    r->was = r->now;
    r->now = 0;
    if (property) {
        t->word = FM_JS_WORD_NAME;
        fm_js_parser_name_push(r, FM_JS_NAME_KEY, t->begin, t->end);
        r->value = true;
    } else if (!(is_head_frame(f) || fm_js_parser_in_members(f)) || !take_part(r, t)) {
        js_handle_by_kind(r, t);
    }
    r->prev = *t;
}

static void js_read_tokens(struct fm_js_parser *r)
{
    struct fm_js_token token;
    (void)fm_js_parser_push(r, FM_JS_FRAME_BLOCK, FM_JS_BODY_NONE, 0);
    r->now |= FM_JS_HINT_START;
    while (r->status == FRAMEMAP_OK) {
        fm_js_lexer_next(&r->lexer, !r->value, &token);
        if (token.kind == FM_JS_TOKEN_END) break;
        js_handle_token(r, &token);
    }
    while (r->status == FRAMEMAP_OK && r->frames.count > 1) fm_js_parser_abandon(r);
    if (r->status == FRAMEMAP_OK) fm_js_parser_end_expression(r);
}

#define FREE(reader, field) \
    fm_heap_free((reader)->heap, (reader)->field.list, (reader)->field.capacity * sizeof *(reader)->field.list)

framemap_status fm_js_functions_read(framemap_str text, struct fm_heap *heap, struct fm_js_functions *out,
                                     framemap_error *error)
{
    struct fm_js_parser r = {.heap = heap, .error = error};
    *out = (struct fm_js_functions){.heap = heap};
    if (text.size >= UINT32_MAX) return fm_error_set(error, FRAMEMAP_E_LIMIT, "the script has 4 GB or more");
    r.lexer = fm_js_lexer_of(text);
    js_read_tokens(&r);
    if (r.status == FRAMEMAP_OK) fm_js_parser_finish(&r, out);
    FREE(&r, items);
    FREE(&r, frames);
    FREE(&r, names);
    FREE(&r, made);
    FREE(&r, marks);
    FREE(&r, pending);
    return r.status == FRAMEMAP_OK ? fm_js_functions_locate(text, out, error) : r.status;
}
