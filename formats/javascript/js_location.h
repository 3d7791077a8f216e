/* Where a row of a JavaScript stack says that it is: "FILE:1:2" and all that engines print in its place. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_LOCATION_H
#define FM_FORMATS_JAVASCRIPT_JS_LOCATION_H

#include "formats/format.h"

enum fm_js_location_kind {
    FM_JS_NO_LOCATION = 0,
    FM_JS_POSITION, /* "FILE:1:2", "FILE:1" */
    FM_JS_BYTECODE, /* "address at FILE:1:123", "URL:wasm-function[3]:0x36" */
    FM_JS_BUILTIN,  /* "native", "[native code]", "<anonymous>", "index 0": the engine's own code, or none that is told
                     */
    FM_JS_EVALUATED /* "eval at f (FILE:1:2), <anonymous>:1:1", "FILE line 3 > eval:1:1": code that was a string */
};

struct fm_js_location {
    enum fm_js_location_kind kind;
    framemap_str file;   /* as printed; of evaluated code the file that evaluates it, unless it gives itself a name */
    uint32_t line1;      /* 0: not told */
    uint32_t column1;    /* 0: not told */
    uint64_t address;    /* BYTECODE: distance in it */
    framemap_str target; /* the slice of the text that says file, line and column: all of it, but for evaluated code */
    framemap_str evaluator; /* EVALUATED, V8: the function that evaluates, where target is in it */
    bool in_words;          /* target is "FILE line 3" */
};

/* All of text is a place. Linear. false: it is none, *out is untouched. */
bool fm_js_location_parse(framemap_str text, struct fm_js_location *out);

/* The same for "FILE:1:2" and "address at FILE:1:2" alone; text has neither parentheses nor '>'. */
bool fm_js_location_parse_plain(framemap_str text, struct fm_js_location *out);

/* Whether text begins as addresses of the web and full paths do: "https://", "node:", "/", "C:\". Looks at 32 bytes at
 * most. */
bool fm_js_begins_path(framemap_str text);
/* Whether it looks like a script's name and not like words or times, or like the source file of another language. */
bool fm_js_is_file(framemap_str file);

#endif
