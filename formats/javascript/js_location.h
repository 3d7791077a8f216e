/* Parses the location in a JavaScript row: "FILE:1:2", or a text that engines print in its place. Called by the parsers
 * of rows. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_LOCATION_H
#define FM_FORMATS_JAVASCRIPT_JS_LOCATION_H

#include "formats/format.h"

enum fm_js_location_kind {
    FM_JS_NO_LOCATION = 0,
    FM_JS_POSITION, /* "FILE:1:2", "FILE:1" */
    FM_JS_BYTECODE, /* "address at FILE:1:123", "URL:wasm-function[3]:0x36", "main.wasm:0x36" */
    /* "native", "[native code]", "<anonymous>", "index 0": code of the engine, or code without a location */
    FM_JS_BUILTIN,
    FM_JS_EVALUATED /* "eval at f (FILE:1:2), <anonymous>:1:1", "FILE line 3 > eval:1:1": code that was a string */
};

struct fm_js_location {
    enum fm_js_location_kind kind;
    /* The file as printed. For evaluated code: the file that evaluates it, or the code's own name if it has one
     * (sourceURL). */
    framemap_str file;
    uint32_t line1;   /* line from 1; 0: unknown */
    uint32_t column1; /* column from 1; 0: unknown */
    uint64_t address; /* for a BYTECODE location: the offset in the bytecode */
    /* the slice of the text with file, line and column; for evaluated code it is a part of the text, otherwise all of
     * it */
    framemap_str target;
    /* for an EVALUATED location of V8: name of the function that evaluates, if `target` is a position in that
     * function */
    framemap_str evaluator;
    bool in_words;  /* `target` is spelled "FILE line 3" */
    bool in_fields; /* `target` is spelled "FILE', line: 1, column: 2" */
    bool is_wasm;   /* for a BYTECODE or BUILTIN location: it is in WebAssembly */
    bool has_wasm;  /* the index of the WebAssembly function is printed as well */
    uint32_t wasm_function;
    /* These are set for code that was a string. own_file: the position within the code, "<anonymous>:1:1" or "FILE line
     * 3 > eval:1:1". origin: where the code is evaluated, as printed, "eval at f (FILE:1:2)" or "FILE line 3"; absent
     * for other code. */
    framemap_str own_file, origin;
    uint32_t own_line1, own_column1;
    /* "safari-extension:", if the row has it before the parenthesis; `file` then has only the text after it */
    framemap_str scheme;
};

/* Parses a text that consists of a location. Takes linear time. Returns false, with *out unchanged, if the text is not
 * a location. */
bool fm_js_location_parse(framemap_str text, struct fm_js_location *out);

/* Parses only the plain forms "FILE:1:2" and "address at FILE:1:2". The text must not contain parentheses or '>'. */
bool fm_js_location_parse_plain(framemap_str text, struct fm_js_location *out);

/* Returns the text without the script number that Chrome's tools print before a file: "main.js:1:2" for "VM28
 * main.js:1:2". */
framemap_str fm_js_cut_script_number(framemap_str text);
static inline framemap_str fm_js_without_script_number(framemap_str text)
{
    return text.size && text.data[0] == 'V' ? fm_js_cut_script_number(text) : text;
}
/* Whether text begins like a URL or a full path: "https://", "node:", "/", "C:\". Looks at 32 bytes at most. */
bool fm_js_begins_path(framemap_str text);
/* Whether the file is a word that Weex prints in its place: "(weex)", "(weex framework)", "(global function)". */
bool fm_js_is_weex(framemap_str file);
/* Whether a file name looks like a script rather than words, a time or a source file of another language. */
bool fm_js_is_file(framemap_str file);

#endif
