/* Splits a script into tokens. Whether a slash starts a regular expression or is an operator depends on the parser's
 * state, so the caller specifies whether an operand is expected. */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_TOKENS_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_TOKENS_H

#include "core/text/text.h"

/* Kinds of tokens. Brackets and punctuation that matters by itself are represented by their character: ( ) [ ] { } ; ,
 * : ? . * @ */
enum fm_js_token_kind {
    FM_JS_TOKEN_END = 0,
    FM_JS_TOKEN_WORD = 128, /* a name or a keyword */
    FM_JS_TOKEN_PRIVATE,    /* a private name, #name */
    FM_JS_TOKEN_NUMBER,
    FM_JS_TOKEN_STRING,
    FM_JS_TOKEN_TEMPLATE, /* a complete template, or its part up to `${` */
    FM_JS_TOKEN_REGEX,
    FM_JS_TOKEN_ARROW,          /* the token => */
    FM_JS_TOKEN_ASSIGN,         /* the token = */
    FM_JS_TOKEN_LOGICAL_ASSIGN, /* the tokens &&=, ||= and ??= */
    FM_JS_TOKEN_OTHER_ASSIGN,   /* a compound assignment such as += */
    FM_JS_TOKEN_OPTIONAL,       /* the token ?. */
    FM_JS_TOKEN_SPREAD,         /* the token ... */
    FM_JS_TOKEN_STEP,           /* the tokens ++ and -- */
    FM_JS_TOKEN_NOT,            /* the tokens ! and ~ */
    FM_JS_TOKEN_OPERATOR        /* any other operator */
};

enum fm_js_word {
    FM_JS_WORD_NAME, /* the word is not a keyword */
    FM_JS_WORD_ASYNC,
    FM_JS_WORD_AWAIT,
    FM_JS_WORD_BREAK,
    FM_JS_WORD_CASE,
    FM_JS_WORD_CATCH,
    FM_JS_WORD_CLASS,
    FM_JS_WORD_CONST,
    FM_JS_WORD_CONTINUE,
    FM_JS_WORD_DEFAULT,
    FM_JS_WORD_DELETE,
    FM_JS_WORD_DO,
    FM_JS_WORD_ELSE,
    FM_JS_WORD_EXPORT,
    FM_JS_WORD_EXTENDS,
    FM_JS_WORD_FINALLY,
    FM_JS_WORD_FOR,
    FM_JS_WORD_FUNCTION,
    FM_JS_WORD_GET,
    FM_JS_WORD_IF,
    FM_JS_WORD_IMPORT,
    FM_JS_WORD_IN,
    FM_JS_WORD_INSTANCEOF,
    FM_JS_WORD_LET,
    FM_JS_WORD_NEW,
    FM_JS_WORD_OF,
    FM_JS_WORD_RETURN,
    FM_JS_WORD_SET,
    FM_JS_WORD_STATIC,
    FM_JS_WORD_SWITCH,
    FM_JS_WORD_THROW,
    FM_JS_WORD_TRY,
    FM_JS_WORD_TYPEOF,
    FM_JS_WORD_VALUE, /* this, super, null, true, false */
    FM_JS_WORD_VAR,
    FM_JS_WORD_VOID,
    FM_JS_WORD_WHILE,
    FM_JS_WORD_WITH,
    FM_JS_WORD_YIELD
};

struct fm_js_token {
    unsigned char kind, word;
    bool newline;        /* a line ends between the previous token and this one */
    bool opens;          /* a template that continues after `${` */
    uint32_t begin, end; /* offsets in the text */
};

struct fm_js_lexer {
    const unsigned char *begin, *at, *end;
};

/* Returns a lexer at the first token, after a byte order mark and a `#!` line. The text must be less than 4 GB. */
struct fm_js_lexer fm_js_lexer_of(framemap_str text);
/* Reads the next token. operand: an operand is expected, so a slash starts a regular expression. An unterminated string
 * ends at its line's end; an unterminated comment or template ends at the end of the text. */
void fm_js_lexer_next(struct fm_js_lexer *lexer, bool operand, struct fm_js_token *out);
/* Reads the part of a template that follows the brace that closes a `${`: up to the next `${`, or to the template's
 * end. */
struct fm_js_token fm_js_lexer_template(struct fm_js_lexer *lexer);

#endif
