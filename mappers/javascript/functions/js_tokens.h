/* Tokens of a script. What a slash begins is for the one who asks to know: an operand, then it is a regular expression,
 * or an operator. */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_TOKENS_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_TOKENS_H

#include "core/text/text.h"

/* Brackets and other punctuation that matters by itself are their own characters: ( ) [ ] { } ; , : ? . * @ */
enum fm_script_kind {
    FM_T_END = 0,
    FM_T_WORD = 128, /* a name or a keyword */
    FM_T_PRIVATE,    /* #name */
    FM_T_NUMBER,
    FM_T_STRING,
    FM_T_TEMPLATE, /* a whole one, or as far as `${` */
    FM_T_REGEX,
    FM_T_ARROW,          /* => */
    FM_T_ASSIGN,         /* = */
    FM_T_LOGICAL_ASSIGN, /* &&= ||= ??= */
    FM_T_OTHER_ASSIGN,   /* += … */
    FM_T_OPTIONAL,       /* ?. */
    FM_T_SPREAD,         /* ... */
    FM_T_STEP,           /* ++ -- */
    FM_T_NOT,            /* ! ~ */
    FM_T_OPERATOR        /* any other */
};

enum fm_script_word {
    FM_W_NAME, /* no word that means something */
    FM_W_ASYNC,
    FM_W_AWAIT,
    FM_W_BREAK,
    FM_W_CASE,
    FM_W_CATCH,
    FM_W_CLASS,
    FM_W_CONST,
    FM_W_CONTINUE,
    FM_W_DEFAULT,
    FM_W_DELETE,
    FM_W_DO,
    FM_W_ELSE,
    FM_W_EXPORT,
    FM_W_EXTENDS,
    FM_W_FINALLY,
    FM_W_FOR,
    FM_W_FUNCTION,
    FM_W_GET,
    FM_W_IF,
    FM_W_IMPORT,
    FM_W_IN,
    FM_W_INSTANCEOF,
    FM_W_LET,
    FM_W_NEW,
    FM_W_OF,
    FM_W_RETURN,
    FM_W_SET,
    FM_W_STATIC,
    FM_W_SWITCH,
    FM_W_THROW,
    FM_W_TRY,
    FM_W_TYPEOF,
    FM_W_VALUE, /* this, super, null, true, false */
    FM_W_VAR,
    FM_W_VOID,
    FM_W_WHILE,
    FM_W_WITH,
    FM_W_YIELD
};

struct fm_script_token {
    unsigned char kind, word;
    bool newline;        /* a line ends between it and the token before */
    bool opens;          /* a template that goes on behind `${` */
    uint32_t begin, end; /* offsets in the text */
};

struct fm_script_lexer {
    const unsigned char *begin, *at, *end;
};

/* A text of less than 4 GB, at its first token: byte order mark and `#!` line are passed over. */
struct fm_script_lexer fm_script_lexer_of(framemap_str text);
/* The next token. operand: a slash begins a regular expression. What is left open (a string at its line's end, a
 * comment or template at the text's) ends there. */
void fm_script_next(struct fm_script_lexer *lexer, bool operand, struct fm_script_token *out);
/* Behind the brace that closes a `${`: as much of the template as there is up to the next one, or to its end. */
struct fm_script_token fm_script_template(struct fm_script_lexer *lexer);

#endif
