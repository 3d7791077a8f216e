/* State of the function scanner, and the calls between its files. Open constructs are a stack of frames: brackets, and
 * the parts of the grammar that end without a bracket (bodies of arrow functions, heads of functions and classes, field
 * initialisers).
 *
 * Names follow V8's rules. A function that is the whole value bound to an identifier or key gets the name of this
 * identifier or key. Other functions get an inferred name: identifiers and properties are pushed on a name stack, and
 * popped when the expression in which they occur (an AssignmentExpression of ECMA-262) ends. At the end of each
 * assignment the names on the stack become the name of all functions that do not have a name yet. (V8:
 * FuncNameInferrer.) */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_PARSER_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_PARSER_H

#include "core/limits.h"
#include "mappers/javascript/functions/js_function_list.h"
#include "mappers/javascript/functions/js_tokens.h"

enum fm_js_name_kind {
    FM_JS_NAME_NONE,
    FM_JS_NAME_VARIABLE, /* an identifier */
    FM_JS_NAME_KEY,      /* key of a property */
    FM_JS_NAME_COMPUTED, /* a property whose name is computed */
    /* name of the enclosing function, used if that function is a constructor; `at` is the function's number in the list
     * of items */
    FM_JS_NAME_AROUND
};
struct fm_js_name {
    uint32_t at, size; /* offset and size in the text */
    uint32_t kind;
};

enum fm_js_title {
    FM_JS_TITLE_NAME,   /* the function's own name, or else its inferred name */
    FM_JS_TITLE_MEMBER, /* the key `own`, preceded by the name of its class */
    FM_JS_TITLE_GET,
    FM_JS_TITLE_SET,
    FM_JS_TITLE_CLASS, /* the name of the function's class */
    FM_JS_TITLE_INSTANCE,
    FM_JS_TITLE_STATIC
};

/* A function or class, in order of creation. */
struct fm_js_item {
    uint32_t begin, end;
    struct fm_js_name own;
    uint32_t first_name, name_count; /* inferred name: a range of `made` of the parser */
    /* number (in the list of items) of the class that the function is a member of; FM_JS_NONE: it is not a member of a
     * class */
    uint32_t class_item;
    unsigned char title;
    bool is_class, has_constructor, begins_with_word;
};

enum fm_js_frame_kind {
    FM_JS_FRAME_BLOCK, /* statements: blocks, bodies, the whole text */
    FM_JS_FRAME_OBJECT,
    FM_JS_FRAME_CLASS,
    FM_JS_FRAME_PAREN,
    FM_JS_FRAME_BRACKET,
    FM_JS_FRAME_TEMPLATE,      /* the expression in the `${ }` of a template */
    FM_JS_FRAME_ARROW,         /* body of an arrow function without braces, after `=>` */
    FM_JS_FRAME_FIELD,         /* value of a field, after `=` */
    FM_JS_FRAME_FUNCTION_HEAD, /* head of a function, from `function` or a method's key up to the body */
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
}; /* what a block is the body of: which kind of function, or a class; NONE: the block is not a body */
enum { FM_JS_MODIFIER_STATIC = 1, FM_JS_MODIFIER_GET = 2, FM_JS_MODIFIER_SET = 4, FM_JS_MODIFIER_ASYNC = 8 };

struct fm_js_frame {
    unsigned char kind, sub; /* sub: kind of parenthesis or bracket; fm_js_body for heads and blocks */
    /* State of the current expression. */
    bool fresh;             /* no token of the frame has been read */
    bool simple;            /* there was no operator since the last `=` */
    bool lead;              /* the expression so far is the last operand and nothing else */
    bool is_new;            /* `new` precedes the operand, whose arguments have not been read yet */
    bool called;            /* the last token closes the arguments of a call */
    bool comma;             /* the expression is not the first one of the frame */
    bool within;            /* the frame is inside an expression */
    bool lone_string;       /* the bracket's only token is a string */
    bool may_be_parameters; /* parentheses that may hold an arrow function's parameters */
    /* State of a function. */
    bool apart;      /* names from outside are not visible in the function */
    bool has_params; /* the function's parameters have been read */
    bool has_extends;
    /* State between members. */
    bool in_value;
    unsigned char mods, key_word;
    bool tokens; /* some token has been read */
    struct fm_js_name key;
    /* number of the function or class that is the whole expression so far; FM_JS_NONE: the expression is something
     * else */
    uint32_t whole;
    uint32_t ternaries;
    uint32_t names_base, marks_base, begin, item;
    uint32_t saved_names, saved_pending;
};

/* An assignment or conditional that has not ended. */
struct fm_js_assignment {
    uint32_t names; /* size of the name stack after the left side was pushed */
    struct fm_js_name direct;
    bool is_ternary, infers;
    bool even_called; /* names are inferred even if the value is a call; set for properties */
};

/* Hints from one token about the next one; a bit mask. */
enum {
    FM_JS_HINT_START = 1,        /* a statement may start here */
    FM_JS_HINT_DECLARES = 2,     /* the token follows `export default` */
    FM_JS_HINT_AFTER_ARROW = 4,  /* the operand is an arrow function */
    FM_JS_HINT_MAY_BE_ARROW = 8, /* `=>` may follow */
    FM_JS_HINT_ASYNC = 16,       /* the operand is the word `async` */
    FM_JS_HINT_ASYNC_START = 32, /* the operand is the word `async`, and starts a statement */
    FM_JS_HINT_DOT = 64          /* a property name may follow */
};

#define FM_JS_LIST(type)        \
    struct {                    \
        type *list;             \
        size_t count, capacity; \
    }

struct fm_js_parser {
    struct fm_heap *heap;
    framemap_error *error;
    framemap_status status; /* first error; parsing stops there */
    struct fm_js_lexer lexer;
    FM_JS_LIST(struct fm_js_item) items;
    FM_JS_LIST(struct fm_js_frame) frames;
    FM_JS_LIST(struct fm_js_name) names;
    FM_JS_LIST(struct fm_js_name) made;
    FM_JS_LIST(struct fm_js_assignment) marks;
    FM_JS_LIST(uint32_t) pending; /* numbers of the functions and classes that wait for an inferred name */
    /* where the part of the current function starts in the two stacks of names and of waiting items */
    uint32_t names_base, pending_base;
    struct fm_js_token prev;
    uint32_t braces; /* number of open frames that end at a `}` */
    bool value;      /* the last token completes an operand */
    /* bits FM_JS_HINT_…: `was` has those of the previous token, `now` those of the current one */
    unsigned char was, now;
    uint32_t arrow_begin; /* start of what may be an arrow function's parameters */
};

static inline struct fm_js_frame *fm_js_parser_top(const struct fm_js_parser *r)
{
    return &r->frames.list[r->frames.count - 1];
}

/* Whether the parser is between the members of a class or object, or in a member's key. */
static inline bool fm_js_parser_in_members(const struct fm_js_frame *frame)
{
    return frame->kind == FM_JS_FRAME_CLASS || (frame->kind == FM_JS_FRAME_OBJECT && !frame->in_value);
}

/* Record which kind of token was read: an operand, a postfix (call, property) or another operator. */
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

/* --- js_parser.c ---
 * Pushes a frame. NULL: error, see `status`. */
struct fm_js_frame *fm_js_parser_push(struct fm_js_parser *reader, enum fm_js_frame_kind kind, unsigned sub,
                                      uint32_t begin);
/* Ends the frame's expression, removes the frame and returns it. If the frame is `apart`, also discards the names and
 * the waiting items that were added inside of it. */
struct fm_js_frame fm_js_parser_pop(struct fm_js_parser *reader);
/* Hides the names from outside in the function of the top frame, except the function's own name. */
void fm_js_parser_set_apart(struct fm_js_parser *reader);
uint32_t fm_js_parser_item_add(struct fm_js_parser *reader, const struct fm_js_item *item);
void fm_js_parser_name_push(struct fm_js_parser *reader, enum fm_js_name_kind kind, uint32_t begin, uint32_t end);
/* Starts the right side of an assignment, after its left side was read. direct: the name for a function that is the
 * whole right side. */
void fm_js_parser_assign(struct fm_js_parser *reader, struct fm_js_name direct, bool infers);
/* Starts the value of a property, as fm_js_parser_assign starts a right side. */
void fm_js_parser_property(struct fm_js_parser *reader, struct fm_js_name direct);
/* Ends the arguments of a call. The last function in them is not the value of the assignment around the call. */
void fm_js_parser_end_arguments(struct fm_js_parser *reader);
void fm_js_parser_ternary(struct fm_js_parser *reader);
/* Ends the middle part of a conditional (`a ? b : c`). false: no conditional is open. */
bool fm_js_parser_colon(struct fm_js_parser *reader);
void fm_js_parser_end_expression(struct fm_js_parser *reader);
void fm_js_parser_end_statement(struct fm_js_parser *reader);
/* Makes the parser expect a statement or an operand next. Called after a keyword that ends what precedes it. */
void fm_js_parser_expect_operand(struct fm_js_parser *reader, bool statement);
/* Adds a function or class without a name of its own to those that wait for an inferred name. */
void fm_js_parser_wait_for_name(struct fm_js_parser *reader, uint32_t item);
/* Completes an operand that is a function or class. waits: it may get an inferred name. */
void fm_js_parser_complete_operand(struct fm_js_parser *reader, uint32_t item, bool waits);

/* --- js_members.c ---
 * Heads of functions and classes, and members of classes and objects. false: the token does not belong to the head or
 * member; the frame may have been removed. */
bool fm_js_parser_head_token(struct fm_js_parser *reader, const struct fm_js_token *token);
bool fm_js_parser_member_token(struct fm_js_parser *reader, const struct fm_js_token *token);
void fm_js_parser_member_done(struct fm_js_frame *frame);
void fm_js_parser_begin_function(struct fm_js_parser *reader, uint32_t begin, enum fm_js_body body);
void fm_js_parser_begin_class(struct fm_js_parser *reader, uint32_t begin, enum fm_js_body body);
/* Ends the function whose frame is on top of the stack: a function whose body is in braces, or an arrow function
 * without braces. */
void fm_js_parser_end_function(struct fm_js_parser *reader, uint32_t end);
/* Ends the field, or the function without a brace, whose frame is on top of the stack. */
void fm_js_parser_end_unbraced(struct fm_js_parser *reader, uint32_t end);
void fm_js_parser_end_class(struct fm_js_parser *reader);
void fm_js_parser_end_key(struct fm_js_parser *reader, const struct fm_js_frame *bracket, uint32_t end);

/* --- js_brackets.c ---
 * Handles a bracket or template. If the token is the `}` after a `${`, it is replaced by
 * the rest of the template. */
void fm_js_parser_bracket_token(struct fm_js_parser *reader, struct fm_js_token *token);
/* Removes the arrow functions and fields that a closing bracket or a comma ends. */
void fm_js_parser_end_all_unbraced(struct fm_js_parser *reader);
/* Removes the frame on top, which nothing has closed. */
void fm_js_parser_abandon(struct fm_js_parser *reader);

/* --- js_functions_finish.c ---
 * Converts the items to functions, sorted and with their names. */
void fm_js_parser_finish(struct fm_js_parser *reader, struct fm_js_functions *out);

/* --- js_function_positions.c ---
 * Replaces the offsets in the text that the parser left in the members for columns by lines and columns. */
framemap_status fm_js_functions_locate(framemap_str text, struct fm_js_functions *script, framemap_error *error);

#endif
