/* The state of reading a script. What is open is a stack of frames: brackets, and the parts of the grammar that end
 * without one (bodies of arrows, heads of functions and classes, initialisers of fields).
 *
 * Names go the way V8 goes. A function that is all of what is bound to an identifier or a key has that for its name.
 * Others get one made of what stands before: identifiers and properties are laid on a stack as they come, taken off
 * where the expression (an AssignmentExpression of the standard) ends in which they came, and at the end of each
 * assignment all that are on the stack name the functions that wait for a name. */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_PARSER_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_PARSER_H

#include "core/limits.h"
#include "mappers/javascript/functions/js_function_list.h"
#include "mappers/javascript/functions/js_tokens.h"

enum fm_js_name_kind {
    FM_JS_NAME_NONE,
    FM_JS_NAME_VARIABLE, /* an identifier */
    FM_JS_NAME_KEY,      /* a property's */
    FM_JS_NAME_COMPUTED, /* a property whose name is computed */
    FM_JS_NAME_AROUND    /* the function around it, where that is a constructor; `at` is its number */
};
struct fm_js_name {
    uint32_t at, size; /* in the text */
    uint32_t kind;
};

enum fm_js_title {
    FM_JS_TITLE_NAME,   /* its own name, else the one made for it */
    FM_JS_TITLE_MEMBER, /* the key `own`, with that of its class */
    FM_JS_TITLE_GET,
    FM_JS_TITLE_SET,
    FM_JS_TITLE_CLASS, /* that of its class */
    FM_JS_TITLE_INSTANCE,
    FM_JS_TITLE_STATIC
};

/* A function or a class, by order of being told from other text. */
struct fm_js_item {
    uint32_t begin, end;
    struct fm_js_name own;
    uint32_t first_name, name_count; /* the name made for it, in `made` */
    uint32_t class_item;             /* FM_JS_NONE */
    unsigned char title;
    bool is_class, has_constructor, begins_with_word;
};

enum fm_js_frame_kind {
    FM_JS_FRAME_BLOCK, /* statements: blocks, bodies, the whole text */
    FM_JS_FRAME_OBJECT,
    FM_JS_FRAME_CLASS,
    FM_JS_FRAME_PAREN,
    FM_JS_FRAME_BRACKET,
    FM_JS_FRAME_TEMPLATE,      /* `${ }` */
    FM_JS_FRAME_ARROW,         /* behind `=>`, without braces */
    FM_JS_FRAME_FIELD,         /* behind the `=` of a field */
    FM_JS_FRAME_FUNCTION_HEAD, /* from `function` or a method's key to the body */
    FM_JS_FRAME_CLASS_HEAD
};
enum fm_js_paren {
    FM_JS_PAREN_GROUP,
    FM_JS_PAREN_ARGUMENTS,
    FM_JS_PAREN_PARAMETERS,
    FM_JS_PAREN_HEAD,
    FM_JS_PAREN_FOR_HEAD
};
enum fm_js_bracket { FM_JS_BRACKET_ARRAY, FM_JS_BRACKET_INDEX, FM_JS_BRACKET_KEY };
enum fm_js_body {
    FM_JS_BODY_NONE,
    FM_JS_BODY_DECLARED,
    FM_JS_BODY_EXPRESSION,
    FM_JS_BODY_ARROW,
    FM_JS_BODY_MEMBER
}; /* what a block belongs to */
enum { FM_JS_MODIFIER_STATIC = 1, FM_JS_MODIFIER_GET = 2, FM_JS_MODIFIER_SET = 4, FM_JS_MODIFIER_ASYNC = 8 };

struct fm_js_frame {
    unsigned char kind, sub; /* sub: of parentheses and brackets; fm_js_body of heads and blocks */
    /* Of the expression at hand. */
    bool fresh;             /* nothing of it is read */
    bool simple;            /* no operator since the last `=` */
    bool lead;              /* the operand read last is all of it */
    bool is_new;            /* behind the word, as far as the arguments */
    bool called;            /* its last token closes the arguments of a call */
    bool comma;             /* not the first one in this frame */
    bool within;            /* the frame is inside an expression */
    bool lone_string;       /* a bracket's only token is a string */
    bool may_be_parameters; /* of an arrow: parentheses */
    /* Of a function. */
    bool apart;      /* names outside of it are not seen */
    bool has_params; /* a head's are read */
    bool has_extends;
    /* Of members. */
    bool in_value;
    unsigned char mods, key_word;
    bool tokens; /* some are read */
    struct fm_js_name key;
    uint32_t whole; /* an item that is all of the expression, FM_JS_NONE */
    uint32_t ternaries;
    uint32_t names_base, marks_base, begin, item;
    uint32_t saved_names, saved_pending;
};

/* An assignment (or conditional) that is not at its end. */
struct fm_js_assignment {
    uint32_t names; /* on the stack with its left side */
    struct fm_js_name direct;
    bool is_ternary, infers;
    bool even_called; /* what is called gives its functions a name too: of properties */
};

/* What one token says about the next. */
enum {
    FM_JS_HINT_START = 1,        /* a statement may begin */
    FM_JS_HINT_DECLARES = 2,     /* behind `export default` */
    FM_JS_HINT_AFTER_ARROW = 4,  /* the operand is an arrow function */
    FM_JS_HINT_MAY_BE_ARROW = 8, /* `=>` may come */
    FM_JS_HINT_ASYNC = 16,       /* the operand is the word `async` */
    FM_JS_HINT_ASYNC_START = 32, /* it began a statement */
    FM_JS_HINT_DOT = 64          /* a property may come */
};

#define FM_JS_LIST(type)        \
    struct {                    \
        type *list;             \
        size_t count, capacity; \
    }

struct fm_js_parser {
    struct fm_heap *heap;
    framemap_error *error;
    framemap_status status; /* the first failure; nothing is done after it */
    struct fm_js_lexer lexer;
    FM_JS_LIST(struct fm_js_item) items;
    FM_JS_LIST(struct fm_js_frame) frames;
    FM_JS_LIST(struct fm_js_name) names;
    FM_JS_LIST(struct fm_js_name) made;
    FM_JS_LIST(struct fm_js_assignment) marks;
    FM_JS_LIST(uint32_t) pending;      /* items that wait for a name */
    uint32_t names_base, pending_base; /* of the function at hand */
    struct fm_js_token prev;
    uint32_t braces;        /* frames that a `}` ends */
    bool value;             /* an operand is complete */
    unsigned char was, now; /* FM_H_… */
    uint32_t arrow_begin;   /* of what may be an arrow's parameters */
};

static inline struct fm_js_frame *fm_js_parser_top(const struct fm_js_parser *r)
{
    return &r->frames.list[r->frames.count - 1];
}

/* Between the members of a class or an object, or in a member's key. */
static inline bool fm_js_parser_in_members(const struct fm_js_frame *frame)
{
    return frame->kind == FM_JS_FRAME_CLASS || (frame->kind == FM_JS_FRAME_OBJECT && !frame->in_value);
}

/* An operand, a postfix (call, property) or another operator comes. */
static inline void fm_js_parser_operand(struct fm_js_parser *r)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    f->lead = f->fresh && f->simple;
    f->fresh = f->called = false;
    f->whole = FM_JS_NONE;
    r->value = true;
}
static inline void fm_js_parser_postfix(struct fm_js_parser *r)
{
    struct fm_js_frame *f = fm_js_parser_top(r);
    f->lead = f->called = false;
    f->whole = FM_JS_NONE;
}
static inline void fm_js_parser_operator(struct fm_js_parser *r)
{
    fm_js_parser_postfix(r);
    fm_js_parser_top(r)->fresh = fm_js_parser_top(r)->simple = fm_js_parser_top(r)->is_new = false;
    r->value = false;
}

/* js_function_frames.c. A frame on top of the others; NULL: the status says why. */
struct fm_js_frame *fm_js_parser_push(struct fm_js_parser *reader, enum fm_js_frame_kind kind, unsigned sub,
                                      uint32_t begin);
/* Ends the frame's expression and takes it off; names and what waits for one are as they were where it is apart. Gives
 * back what it was. */
struct fm_js_frame fm_js_parser_pop(struct fm_js_parser *reader);
/* The frame's function sees no names of outside from here on, but its own. */
void fm_js_parser_set_apart(struct fm_js_parser *reader);
uint32_t fm_js_parser_item_add(struct fm_js_parser *reader, const struct fm_js_item *item);
void fm_js_parser_name_push(struct fm_js_parser *reader, enum fm_js_name_kind kind, uint32_t begin, uint32_t end);
/* The left side of an assignment is read. direct: what it names a function with. */
void fm_js_parser_assign(struct fm_js_parser *reader, struct fm_js_name direct, bool infers);
/* The same for the value of a property. */
void fm_js_parser_property(struct fm_js_parser *reader, struct fm_js_name direct);
/* The arguments of a call end: the last function in them is not what is assigned. */
void fm_js_parser_end_arguments(struct fm_js_parser *reader);
void fm_js_parser_ternary(struct fm_js_parser *reader);
/* false: no conditional is open. */
bool fm_js_parser_colon(struct fm_js_parser *reader);
void fm_js_parser_end_expression(struct fm_js_parser *reader);
void fm_js_parser_end_statement(struct fm_js_parser *reader);
/* Behind words that end what was before, a statement or an operand begins. */
void fm_js_parser_expect_operand(struct fm_js_parser *reader, bool statement);
/* What has no name of its own waits for one. */
void fm_js_parser_wait_for_name(struct fm_js_parser *reader, uint32_t item);
/* A function or class that is an operand is complete. waits: for a name. */
void fm_js_parser_complete_operand(struct fm_js_parser *reader, uint32_t item, bool waits);

/* js_members.c. Heads of functions and classes, and members of classes and objects; false: the token is not for them
 * (the frame on top may be gone). */
bool fm_js_parser_head_token(struct fm_js_parser *reader, const struct fm_js_token *token);
bool fm_js_parser_member_token(struct fm_js_parser *reader, const struct fm_js_token *token);
void fm_js_parser_member_done(struct fm_js_frame *frame);
void fm_js_parser_begin_function(struct fm_js_parser *reader, uint32_t begin, enum fm_js_body body);
void fm_js_parser_begin_class(struct fm_js_parser *reader, uint32_t begin, enum fm_js_body body);
/* The frame on top is a body, or one that needs no brace: its function ends at `end`. */
void fm_js_parser_end_function(struct fm_js_parser *reader, uint32_t end);
void fm_js_parser_end_unbraced(struct fm_js_parser *reader, uint32_t end); /* of a field too */
void fm_js_parser_end_class(struct fm_js_parser *reader);
void fm_js_parser_end_key(struct fm_js_parser *reader, const struct fm_js_frame *bracket, uint32_t end);

/* js_brackets.c. A bracket or a template; the token becomes what of the template is behind a `}`. */
void fm_js_parser_bracket_token(struct fm_js_parser *reader, struct fm_js_token *token);
/* Takes off the arrows and fields that a closing bracket or a comma ends. */
void fm_js_parser_end_all_unbraced(struct fm_js_parser *reader);
/* Takes off what is on top though nothing closed it. */
void fm_js_parser_abandon(struct fm_js_parser *reader);

/* js_functions_finish.c: the items in their order, with their names, as functions. */
void fm_js_parser_finish(struct fm_js_parser *reader, struct fm_js_functions *out);

/* js_function_positions.c: lines and columns for offsets, which stand in the columns. */
framemap_status fm_js_functions_locate(framemap_str text, struct fm_js_functions *script, framemap_error *error);

#endif
