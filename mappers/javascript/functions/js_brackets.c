/* Brackets of all kinds, and templates. */
#include "mappers/javascript/functions/js_parser.h"

static bool is_head(const struct fm_script_token *prev)
{
    if (prev->kind != FM_T_WORD) return false;
    return prev->word == FM_W_IF || prev->word == FM_W_WHILE || prev->word == FM_W_WITH || prev->word == FM_W_SWITCH ||
           prev->word == FM_W_CATCH;
}

static void open_paren(struct fm_script_reader *r, const struct fm_script_token *t)
{
    enum fm_script_paren sub = FM_P_GROUP;
    uint32_t begin = t->begin;
    if (r->value) {
        sub = FM_P_ARGUMENTS;
        if (r->was & FM_H_ASYNC)
            begin = r->prev.begin;
        else
            fm_script_postfix(r);
    } else if (is_head(&r->prev)) {
        sub = FM_P_HEAD;
    } else if (r->prev.kind == FM_T_WORD && r->prev.word == FM_W_FOR) {
        sub = FM_P_FOR_HEAD;
    }
    if (sub == FM_P_GROUP) fm_script_operand(r);
    struct fm_script_frame *f = fm_script_push(r, FM_F_PAREN, sub, begin);
    if (f == NULL) return;
    f->may_be_parameters = sub == FM_P_GROUP || (r->value && r->was & FM_H_ASYNC);
    r->value = false;
}

static void close_paren(struct fm_script_reader *r)
{
    const struct fm_script_frame *top = fm_script_top(r);
    const bool call = top->simple && top->called && !top->comma && top->ternaries == 0;
    const uint32_t whole = top->comma ? FM_SCRIPT_NONE : top->whole;
    const struct fm_script_frame f = fm_script_pop(r);
    struct fm_script_frame *outer = fm_script_top(r);
    r->value = true;
    if (f.may_be_parameters) r->now |= FM_H_MAY_BE_ARROW;
    r->arrow_begin = f.begin;
    switch (f.sub) {
    case FM_P_PARAMETERS:
        outer->has_params = true;
        r->value = false;
        break;
    case FM_P_HEAD:
    case FM_P_FOR_HEAD: fm_script_expect(r, true); break;
    case FM_P_ARGUMENTS: fm_script_called(r); break;
    default:
        outer->called = call && outer->lead;
        outer->whole = outer->lead ? whole : FM_SCRIPT_NONE;
        break;
    }
}

static void open_bracket(struct fm_script_reader *r, const struct fm_script_token *t)
{
    const bool index = r->value;
    if (index)
        fm_script_postfix(r);
    else
        fm_script_operand(r);
    (void)fm_script_push(r, FM_F_BRACKET, index ? FM_B_INDEX : FM_B_ARRAY, t->begin);
    r->value = false;
}

static void close_bracket(struct fm_script_reader *r, const struct fm_script_token *t)
{
    const struct fm_script_frame f = fm_script_pop(r);
    r->value = true;
    if (f.sub == FM_B_KEY) {
        fm_script_end_key(r, &f, t->end);
    } else if (f.sub == FM_B_INDEX) {
        const bool string = f.lone_string && r->prev.end - r->prev.begin >= 2;
        if (string)
            fm_script_name_push(r, FM_N_KEY, r->prev.begin + 1, r->prev.end - 1);
        else
            fm_script_name_push(r, FM_N_COMPUTED, f.begin, t->end);
    }
}

static void open_brace(struct fm_script_reader *r, const struct fm_script_token *t)
{
    struct fm_script_frame *f = fm_script_top(r);
    const bool arrow = f->kind == FM_F_ARROW && r->prev.kind == FM_T_ARROW;
    const bool exported =
        r->prev.kind == FM_T_WORD && r->prev.word == FM_W_EXPORT; /* names, any of which may be keywords */
    const bool object = !arrow && (!(r->was & FM_H_START) || exported) && !fm_script_in_members(f);
    r->braces++;
    if (arrow) {
        f->kind = FM_F_BLOCK;
    } else {
        if (object) fm_script_operand(r);
        (void)fm_script_push(r, object ? FM_F_OBJECT : FM_F_BLOCK, FM_BODY_NONE, t->begin);
    }
    if (!object) r->now |= FM_H_START;
    r->value = false;
}

void fm_script_end_all_unbraced(struct fm_script_reader *r)
{
    while (fm_script_top(r)->kind == FM_F_ARROW || fm_script_top(r)->kind == FM_F_FIELD)
        fm_script_end_unbraced(r, r->prev.end);
}

static bool has_brace(const struct fm_script_frame *f)
{
    return f->kind == FM_F_BLOCK || f->kind == FM_F_OBJECT || f->kind == FM_F_CLASS || f->kind == FM_F_TEMPLATE;
}

void fm_script_abandon(struct fm_script_reader *r)
{
    switch (fm_script_top(r)->kind) {
    case FM_F_BLOCK:
        if (fm_script_top(r)->sub == FM_BODY_NONE)
            (void)fm_script_pop(r);
        else
            fm_script_end_function(r, r->prev.end);
        break;
    case FM_F_ARROW:
    case FM_F_FIELD:
    case FM_F_FUNCTION_HEAD: fm_script_end_unbraced(r, r->prev.end); break;
    case FM_F_CLASS:
    case FM_F_CLASS_HEAD: fm_script_end_class(r); break;
    default: (void)fm_script_pop(r); break;
    }
}

static void close_block(struct fm_script_reader *r, uint32_t end)
{
    if (fm_script_top(r)->sub != FM_BODY_NONE) {
        fm_script_end_function(r, end);
        return;
    }
    (void)fm_script_pop(r);
    if (fm_script_top(r)->kind == FM_F_BLOCK)
        fm_script_end_statement(r);
    else
        r->value = true;
}

static void take_template(struct fm_script_reader *r, const struct fm_script_token *t)
{
    if (r->value)
        fm_script_postfix(r);
    else
        fm_script_operand(r);
    if (t->opens) (void)fm_script_push(r, FM_F_TEMPLATE, 0, t->begin);
    if (t->opens) r->braces++;
    r->value = !t->opens;
}

/* The token at hand becomes what of the template is behind the brace. */
static void go_on_with_template(struct fm_script_reader *r, struct fm_script_token *t)
{
    fm_script_end_expression(r);
    *t = fm_script_template(&r->lexer);
    r->value = false;
    if (t->opens) return;
    (void)fm_script_pop(r);
    r->braces--;
    r->value = true;
}

static void close_brace(struct fm_script_reader *r, struct fm_script_token *t)
{
    if (r->braces == 0) return;
    while (!has_brace(fm_script_top(r))) fm_script_abandon(r);
    switch (fm_script_top(r)->kind) {
    case FM_F_TEMPLATE: go_on_with_template(r, t); return;
    case FM_F_CLASS: fm_script_end_class(r); break;
    case FM_F_BLOCK: close_block(r, t->end); break;
    default:
        (void)fm_script_pop(r);
        r->value = true;
        break;
    }
    r->braces--;
}

void fm_script_bracket_token(struct fm_script_reader *r, struct fm_script_token *t)
{
    switch (t->kind) {
    case FM_T_TEMPLATE: take_template(r, t); break;
    case '(': open_paren(r, t); break;
    case '[': open_bracket(r, t); break;
    case '{': open_brace(r, t); break;
    case ')':
        fm_script_end_all_unbraced(r);
        if (fm_script_top(r)->kind == FM_F_PAREN) close_paren(r);
        break;
    case ']':
        fm_script_end_all_unbraced(r);
        if (fm_script_top(r)->kind == FM_F_BRACKET) close_bracket(r, t);
        break;
    case '}': close_brace(r, t); break;
    default: break;
    }
}
