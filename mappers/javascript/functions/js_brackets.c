/* Handles brackets of all kinds, and templates. Part of the function scanner (js_parser.h). */
#include "mappers/javascript/functions/js_parser.h"

static bool is_head(const struct fm_js_token *prev)
{
    if (prev->kind != FM_JS_TOKEN_WORD) return false;
    return prev->word == FM_JS_WORD_IF || prev->word == FM_JS_WORD_WHILE || prev->word == FM_JS_WORD_WITH ||
           prev->word == FM_JS_WORD_SWITCH || prev->word == FM_JS_WORD_CATCH;
}

static void open_paren(struct fm_js_parser *r, const struct fm_js_token *t)
{
    enum fm_js_paren sub = FM_JS_PAREN_GROUP;
    uint32_t begin = t->begin;
    if (r->value) {
        sub = FM_JS_PAREN_ARGUMENTS;
        if (r->was & FM_JS_HINT_ASYNC)
            begin = r->prev.begin;
        else
            fm_js_parser_postfix(r);
    } else if (is_head(&r->prev)) {
        sub = FM_JS_PAREN_HEAD;
    } else if (r->prev.kind == FM_JS_TOKEN_WORD && r->prev.word == FM_JS_WORD_FOR) {
        sub = FM_JS_PAREN_FOR_HEAD;
    }
    if (sub == FM_JS_PAREN_GROUP) fm_js_parser_operand(r);
    struct fm_js_frame *f = fm_js_parser_push(r, FM_JS_FRAME_PAREN, sub, begin);
    if (f == NULL) return;
    f->may_be_parameters = sub == FM_JS_PAREN_GROUP || (r->value && r->was & FM_JS_HINT_ASYNC);
    r->value = false;
}

static void close_paren(struct fm_js_parser *r)
{
    const struct fm_js_frame *top = fm_js_parser_top(r);
    const bool call = top->simple && top->called && !top->comma && top->ternaries == 0;
    const uint32_t whole = top->comma ? FM_JS_NONE : top->whole;
    const struct fm_js_frame f = fm_js_parser_pop(r);
    struct fm_js_frame *outer = fm_js_parser_top(r);
    r->value = true;
    if (f.may_be_parameters) r->now |= FM_JS_HINT_MAY_BE_ARROW;
    r->arrow_begin = f.begin;
    switch (f.sub) {
    case FM_JS_PAREN_PARAMETERS:
        outer->has_params = true;
        r->value = false;
        break;
    case FM_JS_PAREN_HEAD:
    case FM_JS_PAREN_FOR_HEAD: fm_js_parser_expect_operand(r, true); break;
    case FM_JS_PAREN_ARGUMENTS: fm_js_parser_end_arguments(r); break;
    default:
        outer->called = call && outer->lead;
        outer->whole = outer->lead ? whole : FM_JS_NONE;
        break;
    }
}

static void open_bracket(struct fm_js_parser *r, const struct fm_js_token *t)
{
    const bool index = r->value;
    if (index)
        fm_js_parser_postfix(r);
    else
        fm_js_parser_operand(r);
    (void)fm_js_parser_push(r, FM_JS_FRAME_BRACKET, index ? FM_JS_BRACKET_INDEX : FM_JS_BRACKET_ARRAY, t->begin);
    r->value = false;
}

static void close_bracket(struct fm_js_parser *r, const struct fm_js_token *t)
{
    const struct fm_js_frame f = fm_js_parser_pop(r);
    r->value = true;
    if (f.sub == FM_JS_BRACKET_KEY) {
        fm_js_parser_end_key(r, &f, t->end);
    } else if (f.sub == FM_JS_BRACKET_INDEX) {
        const bool string = f.lone_string && r->prev.end - r->prev.begin >= 2;
        if (string)
            fm_js_parser_name_push(r, FM_JS_NAME_KEY, r->prev.begin + 1, r->prev.end - 1);
        else
            fm_js_parser_name_push(r, FM_JS_NAME_COMPUTED, f.begin, t->end);
    }
}

static void open_brace(struct fm_js_parser *r, const struct fm_js_token *t)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    const bool arrow = f->kind == FM_JS_FRAME_ARROW && r->prev.kind == FM_JS_TOKEN_ARROW;
    const bool exported =
        r->prev.kind == FM_JS_TOKEN_WORD && r->prev.word == FM_JS_WORD_EXPORT; /* in the braces of an export, names may
                                                                                  be keywords */
    const bool object = !arrow && (!(r->was & FM_JS_HINT_START) || exported) && !fm_js_parser_in_members(f);
    r->braces++;
    if (arrow) {
        f->kind = FM_JS_FRAME_BLOCK;
    } else {
        if (object) fm_js_parser_operand(r);
        (void)fm_js_parser_push(r, object ? FM_JS_FRAME_OBJECT : FM_JS_FRAME_BLOCK, FM_JS_BODY_NONE, t->begin);
    }
    if (!object) r->now |= FM_JS_HINT_START;
    r->value = false;
}

void fm_js_parser_end_all_unbraced(struct fm_js_parser *r)
{
    while (fm_js_parser_top(r)->kind == FM_JS_FRAME_ARROW || fm_js_parser_top(r)->kind == FM_JS_FRAME_FIELD)
        fm_js_parser_end_unbraced(r, r->prev.end);
}

static bool has_brace(const struct fm_js_frame *f)
{
    return f->kind == FM_JS_FRAME_BLOCK || f->kind == FM_JS_FRAME_OBJECT || f->kind == FM_JS_FRAME_CLASS ||
           f->kind == FM_JS_FRAME_TEMPLATE;
}

void fm_js_parser_abandon(struct fm_js_parser *r)
{
    switch (fm_js_parser_top(r)->kind) {
    case FM_JS_FRAME_BLOCK:
        if (fm_js_parser_top(r)->sub == FM_JS_BODY_NONE)
            (void)fm_js_parser_pop(r);
        else
            fm_js_parser_end_function(r, r->prev.end);
        break;
    case FM_JS_FRAME_ARROW:
    case FM_JS_FRAME_FIELD:
    case FM_JS_FRAME_FUNCTION_HEAD: fm_js_parser_end_unbraced(r, r->prev.end); break;
    case FM_JS_FRAME_CLASS:
    case FM_JS_FRAME_CLASS_HEAD: fm_js_parser_end_class(r); break;
    default: (void)fm_js_parser_pop(r); break;
    }
}

static void close_block(struct fm_js_parser *r, uint32_t end)
{
    if (fm_js_parser_top(r)->sub != FM_JS_BODY_NONE) {
        fm_js_parser_end_function(r, end);
        return;
    }
    (void)fm_js_parser_pop(r);
    if (fm_js_parser_top(r)->kind == FM_JS_FRAME_BLOCK)
        fm_js_parser_end_statement(r);
    else
        r->value = true;
}

static void take_template(struct fm_js_parser *r, const struct fm_js_token *t)
{
    if (r->value)
        fm_js_parser_postfix(r);
    else
        fm_js_parser_operand(r);
    if (t->opens) (void)fm_js_parser_push(r, FM_JS_FRAME_TEMPLATE, 0, t->begin);
    if (t->opens) r->braces++;
    r->value = !t->opens;
}

/* Replaces the token by the part of the template after the brace. */
static void go_on_with_template(struct fm_js_parser *r, struct fm_js_token *t)
{
    fm_js_parser_end_expression(r);
    *t = fm_js_lexer_template(&r->lexer);
    r->value = false;
    if (t->opens) return;
    (void)fm_js_parser_pop(r);
    r->braces--;
    r->value = true;
}

static void close_brace(struct fm_js_parser *r, struct fm_js_token *t)
{
    if (r->braces == 0) return;
    while (!has_brace(fm_js_parser_top(r))) fm_js_parser_abandon(r);
    switch (fm_js_parser_top(r)->kind) {
    case FM_JS_FRAME_TEMPLATE: go_on_with_template(r, t); return;
    case FM_JS_FRAME_CLASS: fm_js_parser_end_class(r); break;
    case FM_JS_FRAME_BLOCK: close_block(r, t->end); break;
    default:
        (void)fm_js_parser_pop(r);
        r->value = true;
        break;
    }
    r->braces--;
}

void fm_js_parser_bracket_token(struct fm_js_parser *r, struct fm_js_token *t)
{
    switch (t->kind) {
    case FM_JS_TOKEN_TEMPLATE: take_template(r, t); break;
    case '(': open_paren(r, t); break;
    case '[': open_bracket(r, t); break;
    case '{': open_brace(r, t); break;
    case ')':
        fm_js_parser_end_all_unbraced(r);
        if (fm_js_parser_top(r)->kind == FM_JS_FRAME_PAREN) close_paren(r);
        break;
    case ']':
        fm_js_parser_end_all_unbraced(r);
        if (fm_js_parser_top(r)->kind == FM_JS_FRAME_BRACKET) close_bracket(r, t);
        break;
    case '}': close_brace(r, t); break;
    default: break;
    }
}
