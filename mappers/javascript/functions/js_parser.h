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
#include "mappers/javascript/functions/js_functions.h"
#include "mappers/javascript/functions/js_tokens.h"

enum fm_script_name_kind {
    FM_N_NONE,
    FM_N_VARIABLE, /* an identifier */
    FM_N_KEY,      /* a property's */
    FM_N_COMPUTED, /* a property whose name is computed */
    FM_N_AROUND    /* the function around it, where that is a constructor; `at` is its number */
};
struct fm_script_name {
    uint32_t at, size; /* in the text */
    uint32_t kind;
};

enum fm_script_title {
    FM_TITLE_NAME,   /* its own name, else the one made for it */
    FM_TITLE_MEMBER, /* the key `own`, with that of its class */
    FM_TITLE_GET,
    FM_TITLE_SET,
    FM_TITLE_CLASS, /* that of its class */
    FM_TITLE_INSTANCE,
    FM_TITLE_STATIC
};

/* A function or a class, by order of being told from other text. */
struct fm_script_item {
    uint32_t begin, end;
    struct fm_script_name own;
    uint32_t first_name, name_count; /* the name made for it, in `made` */
    uint32_t class_item;             /* FM_SCRIPT_NONE */
    unsigned char title;
    bool is_class, has_constructor, begins_with_word;
};

enum fm_script_frame_kind {
    FM_F_BLOCK, /* statements: blocks, bodies, the whole text */
    FM_F_OBJECT,
    FM_F_CLASS,
    FM_F_PAREN,
    FM_F_BRACKET,
    FM_F_TEMPLATE,      /* `${ }` */
    FM_F_ARROW,         /* behind `=>`, without braces */
    FM_F_FIELD,         /* behind the `=` of a field */
    FM_F_FUNCTION_HEAD, /* from `function` or a method's key to the body */
    FM_F_CLASS_HEAD
};
enum fm_script_paren { FM_P_GROUP, FM_P_ARGUMENTS, FM_P_PARAMETERS, FM_P_HEAD, FM_P_FOR_HEAD };
enum fm_script_bracket { FM_B_ARRAY, FM_B_INDEX, FM_B_KEY };
enum fm_script_body {
    FM_BODY_NONE,
    FM_BODY_DECLARED,
    FM_BODY_EXPRESSION,
    FM_BODY_ARROW,
    FM_BODY_MEMBER
}; /* what a block belongs to */
enum { FM_MOD_STATIC = 1, FM_MOD_GET = 2, FM_MOD_SET = 4, FM_MOD_ASYNC = 8 };

struct fm_script_frame {
    unsigned char kind, sub; /* sub: of parentheses and brackets; fm_script_body of heads and blocks */
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
    struct fm_script_name key;
    uint32_t whole; /* an item that is all of the expression, FM_SCRIPT_NONE */
    uint32_t ternaries;
    uint32_t names_base, marks_base, begin, item;
    uint32_t saved_names, saved_pending;
};

/* An assignment (or conditional) that is not at its end. */
struct fm_script_mark {
    uint32_t names; /* on the stack with its left side */
    struct fm_script_name direct;
    bool is_ternary, infers;
    bool even_called; /* what is called gives its functions a name too: of properties */
};

/* What one token says about the next. */
enum {
    FM_H_START = 1,        /* a statement may begin */
    FM_H_DECLARES = 2,     /* behind `export default` */
    FM_H_AFTER_ARROW = 4,  /* the operand is an arrow function */
    FM_H_MAY_BE_ARROW = 8, /* `=>` may come */
    FM_H_ASYNC = 16,       /* the operand is the word `async` */
    FM_H_ASYNC_START = 32, /* it began a statement */
    FM_H_DOT = 64          /* a property may come */
};

#define FM_SCRIPT_LIST(type)    \
    struct {                    \
        type *list;             \
        size_t count, capacity; \
    }

struct fm_script_reader {
    struct fm_heap *heap;
    framemap_error *error;
    framemap_status status; /* the first failure; nothing is done after it */
    struct fm_script_lexer lexer;
    FM_SCRIPT_LIST(struct fm_script_item) items;
    FM_SCRIPT_LIST(struct fm_script_frame) frames;
    FM_SCRIPT_LIST(struct fm_script_name) names;
    FM_SCRIPT_LIST(struct fm_script_name) made;
    FM_SCRIPT_LIST(struct fm_script_mark) marks;
    FM_SCRIPT_LIST(uint32_t) pending;  /* items that wait for a name */
    uint32_t names_base, pending_base; /* of the function at hand */
    struct fm_script_token prev;
    uint32_t braces;        /* frames that a `}` ends */
    bool value;             /* an operand is complete */
    unsigned char was, now; /* FM_H_… */
    uint32_t arrow_begin;   /* of what may be an arrow's parameters */
};

static inline struct fm_script_frame *fm_script_top(const struct fm_script_reader *r)
{
    return &r->frames.list[r->frames.count - 1];
}

/* Between the members of a class or an object, or in a member's key. */
static inline bool fm_script_in_members(const struct fm_script_frame *frame)
{
    return frame->kind == FM_F_CLASS || (frame->kind == FM_F_OBJECT && !frame->in_value);
}

/* An operand, a postfix (call, property) or another operator comes. */
static inline void fm_script_operand(struct fm_script_reader *r)
{
    struct fm_script_frame *f = fm_script_top(r);
    f->lead = f->fresh && f->simple;
    f->fresh = f->called = false;
    f->whole = FM_SCRIPT_NONE;
    r->value = true;
}
static inline void fm_script_postfix(struct fm_script_reader *r)
{
    struct fm_script_frame *f = fm_script_top(r);
    f->lead = f->called = false;
    f->whole = FM_SCRIPT_NONE;
}
static inline void fm_script_operator(struct fm_script_reader *r)
{
    fm_script_postfix(r);
    fm_script_top(r)->fresh = fm_script_top(r)->simple = fm_script_top(r)->is_new = false;
    r->value = false;
}

/* js_function_frames.c. A frame on top of the others; NULL: the status says why. */
struct fm_script_frame *fm_script_push(struct fm_script_reader *reader, enum fm_script_frame_kind kind, unsigned sub,
                                       uint32_t begin);
/* Ends the frame's expression and takes it off; names and what waits for one are as they were where it is apart. Gives
 * back what it was. */
struct fm_script_frame fm_script_pop(struct fm_script_reader *reader);
/* The frame's function sees no names of outside from here on, but its own. */
void fm_script_set_apart(struct fm_script_reader *reader);
uint32_t fm_script_item_add(struct fm_script_reader *reader, const struct fm_script_item *item);
void fm_script_name_push(struct fm_script_reader *reader, enum fm_script_name_kind kind, uint32_t begin, uint32_t end);
/* The left side of an assignment is read. direct: what it names a function with. */
void fm_script_assign(struct fm_script_reader *reader, struct fm_script_name direct, bool infers);
/* The same for the value of a property. */
void fm_script_property(struct fm_script_reader *reader, struct fm_script_name direct);
/* The arguments of a call end: the last function in them is not what is assigned. */
void fm_script_called(struct fm_script_reader *reader);
void fm_script_ternary(struct fm_script_reader *reader);
/* false: no conditional is open. */
bool fm_script_colon(struct fm_script_reader *reader);
void fm_script_end_expression(struct fm_script_reader *reader);
void fm_script_end_statement(struct fm_script_reader *reader);
/* Behind words that end what was before, a statement or an operand begins. */
void fm_script_expect(struct fm_script_reader *reader, bool statement);
/* What has no name of its own waits for one. */
void fm_script_wait(struct fm_script_reader *reader, uint32_t item);
/* A function or class that is an operand is complete. waits: for a name. */
void fm_script_complete(struct fm_script_reader *reader, uint32_t item, bool waits);

/* js_members.c. Heads of functions and classes, and members of classes and objects; false: the token is not for them
 * (the frame on top may be gone). */
bool fm_script_head_token(struct fm_script_reader *reader, const struct fm_script_token *token);
bool fm_script_member_token(struct fm_script_reader *reader, const struct fm_script_token *token);
void fm_script_member_done(struct fm_script_frame *frame);
void fm_script_begin_function(struct fm_script_reader *reader, uint32_t begin, enum fm_script_body body);
void fm_script_begin_class(struct fm_script_reader *reader, uint32_t begin, enum fm_script_body body);
/* The frame on top is a body, or one that needs no brace: its function ends at `end`. */
void fm_script_end_function(struct fm_script_reader *reader, uint32_t end);
void fm_script_end_unbraced(struct fm_script_reader *reader, uint32_t end); /* of a field too */
void fm_script_end_class(struct fm_script_reader *reader);
void fm_script_end_key(struct fm_script_reader *reader, const struct fm_script_frame *bracket, uint32_t end);

/* js_brackets.c. A bracket or a template; the token becomes what of the template is behind a `}`. */
void fm_script_bracket_token(struct fm_script_reader *reader, struct fm_script_token *token);
/* Takes off the arrows and fields that a closing bracket or a comma ends. */
void fm_script_end_all_unbraced(struct fm_script_reader *reader);
/* Takes off what is on top though nothing closed it. */
void fm_script_abandon(struct fm_script_reader *reader);

/* js_functions_finish.c: the items in their order, with their names, as functions. */
void fm_script_finish(struct fm_script_reader *reader, struct fm_script *out);

/* js_function_positions.c: lines and columns for offsets, which stand in the columns. */
framemap_status fm_script_find_places(framemap_str text, struct fm_script *script, framemap_error *error);

#endif
