/* Handles functions and classes: their heads, and the members of classes and objects. Part of the function scanner
 * (js_parser.h). */
#include "mappers/javascript/functions/js_parser.h"

#define CLASS_SIZE 5 /* length of the word `class` */

static bool is_text(const struct fm_js_parser *r, struct fm_js_name name, framemap_str text)
{
    return fm_str_equal(fm_str(r->lexer.begin + name.at, name.size), text);
}

/* --- starting and ending functions --- */

/* Whether V8 parses a function together with the text around it, as it does in `(function(){…})` and `!function(){…}`.
 * Names of the text around it are then visible in the function. */
static bool is_read_along(const struct fm_js_parser *r, const struct fm_js_frame *outer)
{
    if (r->prev.kind == FM_JS_TOKEN_NOT) return true;
    return outer->kind == FM_JS_FRAME_PAREN && outer->sub == FM_JS_PAREN_GROUP && outer->lead && !outer->comma &&
           r->marks.count == outer->marks_base;
}

static void push_function(struct fm_js_parser *r, const struct fm_js_item *item, enum fm_js_frame_kind kind,
                          enum fm_js_body body)
{
    const bool along =
        (body == FM_JS_BODY_EXPRESSION || body == FM_JS_BODY_ARROW) && is_read_along(r, fm_js_parser_top(r));
    const uint32_t number = fm_js_parser_item_add(r, item);
    struct fm_js_frame *f = fm_js_parser_push(r, kind, body, item->begin);
    if (f == NULL) return;
    f->item = number;
    if (!along) fm_js_parser_set_apart(r);
    r->value = false;
}

void fm_js_parser_begin_function(struct fm_js_parser *r, uint32_t begin, enum fm_js_body body)
{
    const struct fm_js_item item = {
        .begin = begin, .class_item = FM_JS_NONE, .begins_with_word = body != FM_JS_BODY_ARROW};
    push_function(r, &item, body == FM_JS_BODY_ARROW ? FM_JS_FRAME_ARROW : FM_JS_FRAME_FUNCTION_HEAD, body);
}

void fm_js_parser_end_function(struct fm_js_parser *r, uint32_t end)
{
    const struct fm_js_frame f = fm_js_parser_pop(r);
    r->items.list[f.item].end = end;
    if (f.sub == FM_JS_BODY_DECLARED) {
        fm_js_parser_end_statement(r);
    } else if (f.sub == FM_JS_BODY_MEMBER) {
        fm_js_parser_member_done(fm_js_parser_top(r));
        if (r->items.list[f.item].title == FM_JS_TITLE_NAME)
            /* the key of the member is computed, so the member can only get an inferred name */
            fm_js_parser_wait_for_name(r, f.item);
        r->value = false;
    } else {
        fm_js_parser_complete_operand(r, f.item, f.apart);
        if (f.sub == FM_JS_BODY_ARROW) r->now |= FM_JS_HINT_AFTER_ARROW;
    }
}

/* Ends the initialiser of a field. If the whole initialiser is a function, it is named after the field. */
static void end_field(struct fm_js_parser *r, uint32_t end)
{
    const uint32_t whole = fm_js_parser_top(r)->whole;
    const bool named = whole != FM_JS_NONE && r->items.list[whole].own.kind != FM_JS_NAME_NONE;
    const struct fm_js_frame f = fm_js_parser_pop(r);
    struct fm_js_item *items = r->items.list;
    items[f.item].end = end;
    if (whole != FM_JS_NONE && !named && !items[whole].is_class && items[whole].own.kind == FM_JS_NAME_KEY) {
        items[whole].title = FM_JS_TITLE_MEMBER;
        items[whole].class_item = items[f.item].class_item;
    }
    fm_js_parser_member_done(fm_js_parser_top(r));
    r->value = false;
}

void fm_js_parser_end_unbraced(struct fm_js_parser *r, uint32_t end)
{
    if (fm_js_parser_top(r)->kind == FM_JS_FRAME_FIELD)
        end_field(r, end);
    else
        fm_js_parser_end_function(r, end);
}

/* --- reading the heads of functions and classes --- */

void fm_js_parser_begin_class(struct fm_js_parser *r, uint32_t begin, enum fm_js_body body)
{
    const struct fm_js_item item = {.begin = begin,
                                    .end = begin + CLASS_SIZE,
                                    .class_item = FM_JS_NONE,
                                    .title = FM_JS_TITLE_CLASS,
                                    .is_class = true,
                                    .begins_with_word = true};
    const uint32_t number = fm_js_parser_item_add(r, &item);
    struct fm_js_frame *f = fm_js_parser_push(r, FM_JS_FRAME_CLASS_HEAD, body, begin);
    if (f == NULL) return;
    f->item = number;
    r->items.list[number].class_item = number;
    r->value = false;
}

void fm_js_parser_end_class(struct fm_js_parser *r)
{
    const struct fm_js_frame f = fm_js_parser_pop(r);
    if (f.sub == FM_JS_BODY_DECLARED)
        fm_js_parser_end_statement(r);
    else
        fm_js_parser_complete_operand(r, f.item, true);
}

static bool function_head(struct fm_js_parser *r, const struct fm_js_token *t)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    struct fm_js_item *item = &r->items.list[f->item];
    if (!f->has_params) {
        if (t->kind == '*') return true;
        if (t->kind == FM_JS_TOKEN_WORD && item->own.kind == FM_JS_NAME_NONE && f->sub != FM_JS_BODY_MEMBER) {
            item->own = (struct fm_js_name){t->begin, t->end - t->begin, FM_JS_NAME_VARIABLE};
            return true;
        }
        if (t->kind == '(') {
            (void)fm_js_parser_push(r, FM_JS_FRAME_PAREN, FM_JS_PAREN_PARAMETERS, t->begin);
            r->value = false;
            return true;
        }
    } else if (t->kind == '{') {
        f->kind = FM_JS_FRAME_BLOCK;
        r->braces++;
        r->now |= FM_JS_HINT_START;
        r->value = false;
        return true;
    }
    fm_js_parser_end_function(r, r->prev.end); /* no body followed the head, so the operand was not a function */
    return false;
}

static bool ends_heritage(const struct fm_js_token *t)
{
    return t->kind == ')' || t->kind == ']' || t->kind == '}' || t->kind == ';' || t->kind == ',' || t->kind == ':' ||
           t->kind == FM_JS_TOKEN_END;
}

static bool class_head(struct fm_js_parser *r, const struct fm_js_token *t)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    struct fm_js_item *item = &r->items.list[f->item];
    if (t->kind == '{' && (!f->has_extends || r->value)) {
        fm_js_parser_end_expression(r);
        f->kind = FM_JS_FRAME_CLASS;
        r->braces++;
        r->value = false;
        return true;
    }
    if (t->kind == FM_JS_TOKEN_WORD && !f->has_extends && t->word == FM_JS_WORD_EXTENDS) {
        f->has_extends = true;
        return true;
    }
    if (t->kind == FM_JS_TOKEN_WORD && !f->has_extends && item->own.kind == FM_JS_NAME_NONE) {
        item->own = (struct fm_js_name){t->begin, t->end - t->begin, FM_JS_NAME_VARIABLE};
        return true;
    }
    if (!f->has_extends || ends_heritage(t)) fm_js_parser_end_class(r);
    return false;
}

bool fm_js_parser_head_token(struct fm_js_parser *r, const struct fm_js_token *t)
{
    return fm_js_parser_top(r)->kind == FM_JS_FRAME_FUNCTION_HEAD ? function_head(r, t) : class_head(r, t);
}

/* --- reading the members of classes and objects --- */

void fm_js_parser_member_done(struct fm_js_frame *f)
{
    f->key = (struct fm_js_name){0, 0, FM_JS_NAME_NONE};
    f->mods = 0;
    f->in_value = false;
}

/* Begins another part of the member. The key read so far is a modifier; in a class it may also be a field by itself. */
static void next_part(struct fm_js_frame *f, bool newline)
{
    const unsigned mods = f->mods;
    unsigned mod = 0;
    if (f->key.kind == FM_JS_NAME_NONE) return;
    if (f->key_word == FM_JS_WORD_GET) mod = FM_JS_MODIFIER_GET;
    if (f->key_word == FM_JS_WORD_SET) mod = FM_JS_MODIFIER_SET;
    if (f->key_word == FM_JS_WORD_STATIC) mod = FM_JS_MODIFIER_STATIC;
    if (f->key_word == FM_JS_WORD_ASYNC && !newline) mod = FM_JS_MODIFIER_ASYNC;
    fm_js_parser_member_done(f);
    if (mod) f->mods = (unsigned char)(mods | mod);
}

static void set_key(struct fm_js_frame *f, const struct fm_js_token *t)
{
    const uint32_t quote = t->kind == FM_JS_TOKEN_STRING && t->end - t->begin >= 2;
    next_part(f, t->newline);
    f->key = (struct fm_js_name){t->begin + quote, t->end - t->begin - 2 * quote, FM_JS_NAME_KEY};
    f->key_word = t->kind == FM_JS_TOKEN_WORD ? t->word : FM_JS_WORD_NAME;
}

static bool is_symbol(framemap_str key)
{
    const framemap_str head = FM_STR("[Symbol.");
    return fm_str_starts(key, head) && fm_str_find_byte(fm_str_from(key, head.size), '.') == FM_NOT_FOUND &&
           key.size <= 32 && fm_str_find_byte(key, '(') == FM_NOT_FOUND && fm_str_find_byte(key, ' ') == FM_NOT_FOUND;
}

void fm_js_parser_end_key(struct fm_js_parser *r, const struct fm_js_frame *bracket, uint32_t end)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    f->key = (struct fm_js_name){bracket->begin, end - bracket->begin, FM_JS_NAME_COMPUTED};
    f->key_word = FM_JS_WORD_NAME;
    if (bracket->lone_string && r->prev.end - r->prev.begin >= 2)
        f->key = (struct fm_js_name){r->prev.begin + 1, r->prev.end - r->prev.begin - 2, FM_JS_NAME_KEY};
    else if (is_symbol(fm_str(r->lexer.begin + bracket->begin, end - bracket->begin)))
        f->key.kind = FM_JS_NAME_KEY;
}

static void begin_method(struct fm_js_parser *r, const struct fm_js_token *t)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    struct fm_js_item item = {.begin = t->begin, .class_item = FM_JS_NONE};
    if (f->key.kind == FM_JS_NAME_KEY) {
        item.own = f->key;
        item.title = FM_JS_TITLE_MEMBER;
        if (f->mods & FM_JS_MODIFIER_GET) item.title = FM_JS_TITLE_GET;
        if (f->mods & FM_JS_MODIFIER_SET) item.title = FM_JS_TITLE_SET;
    }
    if (f->kind == FM_JS_FRAME_CLASS) {
        item.class_item = f->item;
        if (item.title == FM_JS_TITLE_MEMBER && !(f->mods & FM_JS_MODIFIER_STATIC) &&
            is_text(r, f->key, FM_STR("constructor"))) {
            item.title = FM_JS_TITLE_CLASS;
            r->items.list[f->item].has_constructor = true;
        }
    }
    push_function(r, &item, FM_JS_FRAME_FUNCTION_HEAD, FM_JS_BODY_MEMBER);
    if (r->status == FRAMEMAP_OK) (void)fm_js_parser_push(r, FM_JS_FRAME_PAREN, FM_JS_PAREN_PARAMETERS, t->begin);
}

/* Starts a field's initialiser or a static block. begin: the offset where it starts. */
static void begin_initialiser(struct fm_js_parser *r, uint32_t begin, enum fm_js_frame_kind kind)
{
    const struct fm_js_frame *f = fm_js_parser_top(r);
    const bool is_static = kind == FM_JS_FRAME_BLOCK || f->mods & FM_JS_MODIFIER_STATIC;
    const struct fm_js_name key = f->key;
    const struct fm_js_item item = {.begin = begin,
                                    .class_item = f->item,
                                    .title = (unsigned char)(is_static ? FM_JS_TITLE_STATIC : FM_JS_TITLE_INSTANCE)};
    push_function(r, &item, kind, FM_JS_BODY_MEMBER);
    if (r->status != FRAMEMAP_OK) return;
    if (kind == FM_JS_FRAME_BLOCK) {
        r->braces++;
        r->now |= FM_JS_HINT_START;
    } else {
        if (key.kind == FM_JS_NAME_KEY) fm_js_parser_name_push(r, FM_JS_NAME_KEY, key.at, key.at + key.size);
        fm_js_parser_assign(r, key.kind == FM_JS_NAME_KEY ? key : (struct fm_js_name){0, 0, FM_JS_NAME_NONE}, true);
    }
}

/* Starts the value of an object's property, or the default value of a shorthand property. */
static void begin_value(struct fm_js_parser *r, enum fm_js_name_kind kind)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    struct fm_js_name direct = {0, 0, FM_JS_NAME_NONE};
    f->in_value = true;
    /* {"" = …} is not JavaScript, so there is no field whose name is the empty string */
    const bool is_nameless = kind == FM_JS_NAME_VARIABLE && f->key.size == 0;
    if (f->key.kind == FM_JS_NAME_KEY && !is_nameless) {
        direct = (struct fm_js_name){f->key.at, f->key.size, kind};
        fm_js_parser_name_push(r, kind, direct.at, direct.at + direct.size);
    }
    if (kind == FM_JS_NAME_KEY)
        fm_js_parser_property(r, direct);
    else
        fm_js_parser_assign(r, direct, true);
}

bool fm_js_parser_member_token(struct fm_js_parser *r, const struct fm_js_token *t)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    const bool in_class = f->kind == FM_JS_FRAME_CLASS;
    switch (t->kind) {
    case FM_JS_TOKEN_WORD:
    case FM_JS_TOKEN_STRING:
    case FM_JS_TOKEN_NUMBER:
    case FM_JS_TOKEN_PRIVATE: set_key(f, t); return true;
    case '[':
        next_part(f, t->newline);
        (void)fm_js_parser_push(r, FM_JS_FRAME_BRACKET, FM_JS_BRACKET_KEY, t->begin);
        r->value = false;
        return true;
    case '*': next_part(f, t->newline); return true;
    case '(': begin_method(r, t); return true;
    case ':':
        if (!in_class) begin_value(r, FM_JS_NAME_KEY);
        return true;
    case FM_JS_TOKEN_ASSIGN:
        if (in_class)
            begin_initialiser(r, t->begin, FM_JS_FRAME_FIELD);
        else
            begin_value(r, FM_JS_NAME_VARIABLE);
        return true;
    case FM_JS_TOKEN_SPREAD:
        f->in_value = !in_class;
        r->value = false;
        return true;
    case ',':
    case ';': fm_js_parser_member_done(f); return true;
    case '{':
        if (in_class && f->key_word == FM_JS_WORD_STATIC && f->key.kind == FM_JS_NAME_KEY) {
            begin_initialiser(r, f->key.at, FM_JS_FRAME_BLOCK);
            return true;
        }
        return false;
    case '}':
    case ')':
    case ']':
    case FM_JS_TOKEN_TEMPLATE: return false;
    default: return true;
    }
}
