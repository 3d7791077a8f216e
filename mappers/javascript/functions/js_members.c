/* Functions and classes: their heads, and the members of classes and objects. */
#include "mappers/javascript/functions/js_parser.h"

#define CLASS_SIZE 5 /* of the word */

static bool is_text(const struct fm_script_reader *r, struct fm_script_name name, framemap_str text)
{
    return fm_str_equal(fm_str(r->lexer.begin + name.at, name.size), text);
}

/* --- functions --- */

/* V8 reads the function of `(function(){…})` and `!function(){…}` along with the text around it, so that names from
 * there are seen in it. */
static bool is_read_along(const struct fm_script_reader *r, const struct fm_script_frame *outer)
{
    if (r->prev.kind == FM_T_NOT) return true;
    return outer->kind == FM_F_PAREN && outer->sub == FM_P_GROUP && outer->lead && !outer->comma &&
           r->marks.count == outer->marks_base;
}

static void push_function(struct fm_script_reader *r, const struct fm_script_item *item, enum fm_script_frame_kind kind,
                          enum fm_script_body body)
{
    const bool along = (body == FM_BODY_EXPRESSION || body == FM_BODY_ARROW) && is_read_along(r, fm_script_top(r));
    const uint32_t number = fm_script_item_add(r, item);
    struct fm_script_frame *f = fm_script_push(r, kind, body, item->begin);
    if (f == NULL) return;
    f->item = number;
    if (!along) fm_script_set_apart(r);
    r->value = false;
}

void fm_script_begin_function(struct fm_script_reader *r, uint32_t begin, enum fm_script_body body)
{
    const struct fm_script_item item = {
        .begin = begin, .class_item = FM_SCRIPT_NONE, .begins_with_word = body != FM_BODY_ARROW};
    push_function(r, &item, body == FM_BODY_ARROW ? FM_F_ARROW : FM_F_FUNCTION_HEAD, body);
}

void fm_script_end_function(struct fm_script_reader *r, uint32_t end)
{
    const struct fm_script_frame f = fm_script_pop(r);
    r->items.list[f.item].end = end;
    if (f.sub == FM_BODY_DECLARED) {
        fm_script_end_statement(r);
    } else if (f.sub == FM_BODY_MEMBER) {
        fm_script_member_done(fm_script_top(r));
        if (r->items.list[f.item].title == FM_TITLE_NAME) fm_script_wait(r, f.item); /* its key is computed */
        r->value = false;
    } else {
        fm_script_complete(r, f.item, f.apart);
        if (f.sub == FM_BODY_ARROW) r->now |= FM_H_AFTER_ARROW;
    }
}

/* The initialiser of a field ends. A function that is all of it is named as the field is. */
static void end_field(struct fm_script_reader *r, uint32_t end)
{
    const uint32_t whole = fm_script_top(r)->whole;
    const bool named = whole != FM_SCRIPT_NONE && r->items.list[whole].own.kind != FM_N_NONE;
    const struct fm_script_frame f = fm_script_pop(r);
    struct fm_script_item *items = r->items.list;
    items[f.item].end = end;
    if (whole != FM_SCRIPT_NONE && !named && !items[whole].is_class && items[whole].own.kind == FM_N_KEY) {
        items[whole].title = FM_TITLE_MEMBER;
        items[whole].class_item = items[f.item].class_item;
    }
    fm_script_member_done(fm_script_top(r));
    r->value = false;
}

void fm_script_end_unbraced(struct fm_script_reader *r, uint32_t end)
{
    if (fm_script_top(r)->kind == FM_F_FIELD)
        end_field(r, end);
    else
        fm_script_end_function(r, end);
}

/* --- heads --- */

void fm_script_begin_class(struct fm_script_reader *r, uint32_t begin, enum fm_script_body body)
{
    const struct fm_script_item item = {.begin = begin,
                                        .end = begin + CLASS_SIZE,
                                        .class_item = FM_SCRIPT_NONE,
                                        .title = FM_TITLE_CLASS,
                                        .is_class = true,
                                        .begins_with_word = true};
    const uint32_t number = fm_script_item_add(r, &item);
    struct fm_script_frame *f = fm_script_push(r, FM_F_CLASS_HEAD, body, begin);
    if (f == NULL) return;
    f->item = number;
    r->items.list[number].class_item = number;
    r->value = false;
}

void fm_script_end_class(struct fm_script_reader *r)
{
    const struct fm_script_frame f = fm_script_pop(r);
    if (f.sub == FM_BODY_DECLARED)
        fm_script_end_statement(r);
    else
        fm_script_complete(r, f.item, true);
}

static bool function_head(struct fm_script_reader *r, const struct fm_script_token *t)
{
    struct fm_script_frame *f = fm_script_top(r);
    struct fm_script_item *item = &r->items.list[f->item];
    if (!f->has_params) {
        if (t->kind == '*') return true;
        if (t->kind == FM_T_WORD && item->own.kind == FM_N_NONE && f->sub != FM_BODY_MEMBER) {
            item->own = (struct fm_script_name){t->begin, t->end - t->begin, FM_N_VARIABLE};
            return true;
        }
        if (t->kind == '(') {
            (void)fm_script_push(r, FM_F_PAREN, FM_P_PARAMETERS, t->begin);
            r->value = false;
            return true;
        }
    } else if (t->kind == '{') {
        f->kind = FM_F_BLOCK;
        r->braces++;
        r->now |= FM_H_START;
        r->value = false;
        return true;
    }
    fm_script_end_function(r, r->prev.end); /* no function after all */
    return false;
}

static bool ends_heritage(const struct fm_script_token *t)
{
    return t->kind == ')' || t->kind == ']' || t->kind == '}' || t->kind == ';' || t->kind == ',' || t->kind == ':' ||
           t->kind == FM_T_END;
}

static bool class_head(struct fm_script_reader *r, const struct fm_script_token *t)
{
    struct fm_script_frame *f = fm_script_top(r);
    struct fm_script_item *item = &r->items.list[f->item];
    if (t->kind == '{' && (!f->has_extends || r->value)) {
        fm_script_end_expression(r);
        f->kind = FM_F_CLASS;
        r->braces++;
        r->value = false;
        return true;
    }
    if (t->kind == FM_T_WORD && !f->has_extends && t->word == FM_W_EXTENDS) {
        f->has_extends = true;
        return true;
    }
    if (t->kind == FM_T_WORD && !f->has_extends && item->own.kind == FM_N_NONE) {
        item->own = (struct fm_script_name){t->begin, t->end - t->begin, FM_N_VARIABLE};
        return true;
    }
    if (!f->has_extends || ends_heritage(t)) fm_script_end_class(r);
    return false;
}

bool fm_script_head_token(struct fm_script_reader *r, const struct fm_script_token *t)
{
    return fm_script_top(r)->kind == FM_F_FUNCTION_HEAD ? function_head(r, t) : class_head(r, t);
}

/* --- members --- */

void fm_script_member_done(struct fm_script_frame *f)
{
    f->key = (struct fm_script_name){0, 0, FM_N_NONE};
    f->mods = 0;
    f->in_value = false;
}

/* Another part of the member comes: what was read as its key is a modifier, or in classes a field by itself. */
static void next_part(struct fm_script_frame *f, bool newline)
{
    const unsigned mods = f->mods;
    unsigned mod = 0;
    if (f->key.kind == FM_N_NONE) return;
    if (f->key_word == FM_W_GET) mod = FM_MOD_GET;
    if (f->key_word == FM_W_SET) mod = FM_MOD_SET;
    if (f->key_word == FM_W_STATIC) mod = FM_MOD_STATIC;
    if (f->key_word == FM_W_ASYNC && !newline) mod = FM_MOD_ASYNC;
    fm_script_member_done(f);
    if (mod) f->mods = (unsigned char)(mods | mod);
}

static void set_key(struct fm_script_frame *f, const struct fm_script_token *t)
{
    const uint32_t quote = t->kind == FM_T_STRING && t->end - t->begin >= 2;
    next_part(f, t->newline);
    f->key = (struct fm_script_name){t->begin + quote, t->end - t->begin - 2 * quote, FM_N_KEY};
    f->key_word = t->kind == FM_T_WORD ? t->word : FM_W_NAME;
}

static bool is_symbol(framemap_str key)
{
    const framemap_str head = FM_STR("[Symbol.");
    return fm_str_starts(key, head) && fm_str_find_byte(fm_str_from(key, head.size), '.') == FM_NOT_FOUND &&
           key.size <= 32 && fm_str_find_byte(key, '(') == FM_NOT_FOUND && fm_str_find_byte(key, ' ') == FM_NOT_FOUND;
}

void fm_script_end_key(struct fm_script_reader *r, const struct fm_script_frame *bracket, uint32_t end)
{
    struct fm_script_frame *f = fm_script_top(r);
    f->key = (struct fm_script_name){bracket->begin, end - bracket->begin, FM_N_COMPUTED};
    f->key_word = FM_W_NAME;
    if (bracket->lone_string && r->prev.end - r->prev.begin >= 2)
        f->key = (struct fm_script_name){r->prev.begin + 1, r->prev.end - r->prev.begin - 2, FM_N_KEY};
    else if (is_symbol(fm_str(r->lexer.begin + bracket->begin, end - bracket->begin)))
        f->key.kind = FM_N_KEY;
}

static void begin_method(struct fm_script_reader *r, const struct fm_script_token *t)
{
    struct fm_script_frame *f = fm_script_top(r);
    struct fm_script_item item = {.begin = t->begin, .class_item = FM_SCRIPT_NONE};
    if (f->key.kind == FM_N_KEY) {
        item.own = f->key;
        item.title = FM_TITLE_MEMBER;
        if (f->mods & FM_MOD_GET) item.title = FM_TITLE_GET;
        if (f->mods & FM_MOD_SET) item.title = FM_TITLE_SET;
    }
    if (f->kind == FM_F_CLASS) {
        item.class_item = f->item;
        if (item.title == FM_TITLE_MEMBER && !(f->mods & FM_MOD_STATIC) && is_text(r, f->key, FM_STR("constructor"))) {
            item.title = FM_TITLE_CLASS;
            r->items.list[f->item].has_constructor = true;
        }
    }
    push_function(r, &item, FM_F_FUNCTION_HEAD, FM_BODY_MEMBER);
    if (r->status == FRAMEMAP_OK) (void)fm_script_push(r, FM_F_PAREN, FM_P_PARAMETERS, t->begin);
}

/* A field's initialiser, or a static block; begin: from where. */
static void begin_initialiser(struct fm_script_reader *r, uint32_t begin, enum fm_script_frame_kind kind)
{
    const struct fm_script_frame *f = fm_script_top(r);
    const bool is_static = kind == FM_F_BLOCK || f->mods & FM_MOD_STATIC;
    const struct fm_script_name key = f->key;
    const struct fm_script_item item = {.begin = begin,
                                        .class_item = f->item,
                                        .title = (unsigned char)(is_static ? FM_TITLE_STATIC : FM_TITLE_INSTANCE)};
    push_function(r, &item, kind, FM_BODY_MEMBER);
    if (r->status != FRAMEMAP_OK) return;
    if (kind == FM_F_BLOCK) {
        r->braces++;
        r->now |= FM_H_START;
    } else {
        if (key.kind == FM_N_KEY) fm_script_name_push(r, FM_N_KEY, key.at, key.at + key.size);
        fm_script_assign(r, key.kind == FM_N_KEY ? key : (struct fm_script_name){0, 0, FM_N_NONE}, true);
    }
}

/* The value of an object's property, or what a shorthand is if there is none. */
static void begin_value(struct fm_script_reader *r, enum fm_script_name_kind kind)
{
    struct fm_script_frame *f = fm_script_top(r);
    struct fm_script_name direct = {0, 0, FM_N_NONE};
    f->in_value = true;
    if (f->key.kind == FM_N_KEY) {
        direct = (struct fm_script_name){f->key.at, f->key.size, kind};
        fm_script_name_push(r, kind, direct.at, direct.at + direct.size);
    }
    if (kind == FM_N_KEY)
        fm_script_property(r, direct);
    else
        fm_script_assign(r, direct, true);
}

bool fm_script_member_token(struct fm_script_reader *r, const struct fm_script_token *t)
{
    struct fm_script_frame *f = fm_script_top(r);
    const bool in_class = f->kind == FM_F_CLASS;
    switch (t->kind) {
    case FM_T_WORD:
    case FM_T_STRING:
    case FM_T_NUMBER:
    case FM_T_PRIVATE: set_key(f, t); return true;
    case '[':
        next_part(f, t->newline);
        (void)fm_script_push(r, FM_F_BRACKET, FM_B_KEY, t->begin);
        r->value = false;
        return true;
    case '*': next_part(f, t->newline); return true;
    case '(': begin_method(r, t); return true;
    case ':':
        if (!in_class) begin_value(r, FM_N_KEY);
        return true;
    case FM_T_ASSIGN:
        if (in_class)
            begin_initialiser(r, t->begin, FM_F_FIELD);
        else
            begin_value(r, FM_N_VARIABLE);
        return true;
    case FM_T_SPREAD:
        f->in_value = !in_class;
        r->value = false;
        return true;
    case ',':
    case ';': fm_script_member_done(f); return true;
    case '{':
        if (in_class && f->key_word == FM_W_STATIC && f->key.kind == FM_N_KEY) {
            begin_initialiser(r, f->key.at, FM_F_BLOCK);
            return true;
        }
        return false;
    case '}':
    case ')':
    case ']':
    case FM_T_TEMPLATE: return false;
    default: return true;
    }
}
