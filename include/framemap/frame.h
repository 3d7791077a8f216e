/* The frame model: one frame, one trace, whatever the platform.
 *
 * All structs here are plain data. Their strings and arrays are borrowed from the object that returned them
 * (a framemap_trace_list, a framemap_scratch), which says how long they live.
 */
#ifndef FRAMEMAP_FRAME_H
#define FRAMEMAP_FRAME_H

#include <framemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum framemap_kind {
    FRAMEMAP_KIND_UNKNOWN = 0,
    FRAMEMAP_KIND_NATIVE = 1, /* machine code: address in an image */
    FRAMEMAP_KIND_JAVA = 2,   /* Java, Kotlin: class, member, line */
    FRAMEMAP_KIND_JS = 3,     /* JavaScript: file, line, column */
    FRAMEMAP_KIND_DART = 4,   /* Dart AOT */
    FRAMEMAP_KIND_OTHER = 5   /* named by its runtime already (Python, Go, .NET): passed through */
} framemap_kind;

/* What became of a frame. Every frame has one. */
typedef enum framemap_frame_status {
    FRAMEMAP_FRAME_RAW = 0, /* not looked up yet */
    FRAMEMAP_FRAME_OK = 1,  /* restored: function, file and line */
    FRAMEMAP_FRAME_SYMBOL =
        2, /* restored in part: by a symbol table, name only; Java: no line, or the class alone is known */
    FRAMEMAP_FRAME_MISSING_SYMBOLS = 3, /* the image is known by id or name, no symbols for it were given */
    FRAMEMAP_FRAME_UNKNOWN_IMAGE = 4,   /* the text does not say which image the address is in */
    FRAMEMAP_FRAME_NO_MATCH = 5,        /* symbols found, nothing at that position */
    FRAMEMAP_FRAME_AMBIGUOUS = 6,       /* several answers, see alternatives */
    FRAMEMAP_FRAME_MALFORMED = 7,       /* the line breaks its format's rules: an address of 30 digits */
    FRAMEMAP_FRAME_NOT_NEEDED = 8       /* carries function, file and line already */
} framemap_frame_status;

/* How to read framemap_frame.address. */
typedef enum framemap_address_kind {
    FRAMEMAP_ADDRESS_NONE = 0,
    FRAMEMAP_ADDRESS_ABSOLUTE = 1, /* of the running process; load_address or an image row places it */
    FRAMEMAP_ADDRESS_LINKED =
        2, /* as the image was linked: compares with st_value (Android pc, sanitizers, glibc offsets) */
    FRAMEMAP_ADDRESS_IMAGE = 3, /* distance from the image's first byte in memory (Apple offsets) */
    FRAMEMAP_ADDRESS_BYTECODE =
        4 /* distance in the bytecode of Hermes or WebAssembly: the column, from 0, of line `line` of its source map */
} framemap_address_kind;

/* Where the name of a restored JavaScript function is from. Values are pinned. */
typedef enum framemap_function_origin {
    FRAMEMAP_FUNCTION_NONE = 0, /* no JavaScript, or no function is known */
    FRAMEMAP_FUNCTION_SCOPES = 1, /* the scopes in the source map */
    FRAMEMAP_FUNCTION_MAP = 2,    /* a function map beside it, as of Metro and Hermes */
    FRAMEMAP_FUNCTION_TEXT = 3,   /* the generated text, read for its functions */
    FRAMEMAP_FUNCTION_CALLER = 4, /* the source map's name for what the frame below calls; only in whole stacks */
    FRAMEMAP_FUNCTION_PRINTED =
        5 /* the stack itself: what the engine printed, minified as it may be; only in whole stacks */
} framemap_function_origin;

/* How the symbol file was found that a frame was looked up in. Values are pinned. */
typedef enum framemap_match {
    FRAMEMAP_MATCH_NONE = 0,     /* no symbol file was used */
    FRAMEMAP_MATCH_ID = 1,       /* native, Dart: the build id or UUID of the image */
    FRAMEMAP_MATCH_MAP_ID = 2,   /* Java: the id of the mapping that the stack prints */
    FRAMEMAP_MATCH_DEBUG_ID = 3, /* JavaScript: the debug id of the script */
    FRAMEMAP_MATCH_NAME = 4,     /* the name of the image or the script, or the `file` of the source map */
    FRAMEMAP_MATCH_CLASS = 5,    /* Java: of several mappings, the one that knows the classes of the stack best */
    FRAMEMAP_MATCH_CONTENT =
        6, /* JavaScript: the text of a script that was given states the printed address as its own (`sourceURL`) */
    FRAMEMAP_MATCH_ONLY_MAP =
        7 /* the text does not identify the file: it is the only one given of which the frame can be */
} framemap_match;

typedef struct framemap_frame framemap_frame;
typedef struct framemap_frame_list {
    const framemap_frame *frames; /* innermost first */
    size_t count;
} framemap_frame_list;

/* One frame: as found in a text, or as restored. An absent string is {NULL, 0}; an absent number is 0. */
struct framemap_frame {
    framemap_kind kind;
    framemap_frame_status status;
    /* A sentence for a status that is no success, or for a Java frame that is not to be shown (OK, nothing restored);
     * NULL else. Lives as long as the list of traces that the frame is in, or is static. */
    const char *reason;

    /* As found. */
    int64_t index;       /* the number printed before the frame; -1 when there is none */
    framemap_str raw;    /* its slice of the text, without the line end */
    uint64_t raw_offset; /* where that slice begins in the text, bytes from 0 */

    /* Which image or file, and where in it. */
    framemap_str module; /* name as printed, "libapp.so" */
    framemap_str id;     /* build id, UUID, map id: lower-case hex without dashes where it is hex */
    framemap_str arch;   /* "arm64", "x86_64" … empty when not said */
    framemap_address_kind address_kind;
    bool has_address;
    bool has_load_address;
    bool return_address;   /* address is the instruction after the call; lookups use address - 1 */
    uint64_t address;      /* as printed */
    uint64_t load_address; /* where the image begins in memory */
    uint64_t file_offset;  /* Android "(offset 0x…)": where the mapping begins in the file; 0 when not said */

    /* The source side: as printed in a raw frame, from the symbols in a restored one. */
    framemap_str class_name; /* Java, Kotlin */
    framemap_str function;   /* for people: demangled */
    framemap_str symbol;     /* as the symbol file spells it: mangled; empty when it equals function */
    framemap_str name;       /* source maps: the name on the segment */
    framemap_str file;
    uint32_t line;              /* 1-based, 0 unknown */
    uint32_t column;            /* 1-based, 0 unknown */
    framemap_str declared_file; /* restored: where the function's text begins, where the symbols say it */
    uint32_t declared_line;     /* 1-based, 0 unknown */
    bool artificial; /* restored: made by the compiler, with no text of its own; the tools of its platform hide it */
    bool inlined;    /* this function's code stands inside the next frame's function */
    bool has_function_offset;
    uint64_t function_offset; /* distance of the address from the function's start */
    uint64_t function_size;   /* of its machine code, or of the data object; 0 unknown */

    /* What a raw frame was restored to: the inline chain, innermost first; empty before restore and where status says
     * why. */
    framemap_frame_list restored;
    const framemap_frame_list *alternatives; /* FRAMEMAP_FRAME_AMBIGUOUS: other possible chains, after restored */
    size_t alternative_count;
    const framemap_str *aliases; /* restored frames: other functions that share this machine code */
    size_t alias_count;
    framemap_function_origin function_origin; /* restored frames of JavaScript: how function is known */
    bool ignored;          /* restored frames of JavaScript: the map asks debuggers to pass this source over */
    framemap_str context;  /* restored: whole lines of the source around `line`, without the last line end; absent when
                              not asked for or not known */
    uint32_t context_line; /* 1-based number of the first of them */
    framemap_match matched_by; /* how the file was found that the frame was looked up in; NONE before restore and where
                                  there was no file */
    /* The symbols claim more for this frame than one answer may hold (16,384 frames, 2 MiB of text): outer frames of
     * `restored`, or alternatives, or aliases are left out. `reason` says so, beginning with "over-limit"; status is
     * SYMBOL or AMBIGUOUS. Only crafted or broken symbol files do that. */
    bool over_limit;
};

/* An image (program, library, bundle) that a report lists. */
typedef struct framemap_image {
    framemap_str name; /* last part of its path, or as the report names it */
    framemap_str path;
    framemap_str id;
    framemap_str arch;
    uint64_t load_address;
    uint64_t size; /* bytes in memory; 0 when not said */
} framemap_image;

/* A renamed class that a text names outside of a frame: an exception, "Caused by: a.b: …". */
typedef struct framemap_mention {
    framemap_str raw;      /* the name alone, as printed, without loader and module */
    uint64_t raw_offset;   /* where it begins in the text, bytes from 0 */
    size_t before_frame;   /* the number of frames of the trace that stand above it */
    bool exception;        /* the frames below were thrown by it */
    framemap_str restored; /* the original name; absent before restore and where the symbols do not know it */
} framemap_mention;

/* One stack of a text. */
typedef struct framemap_trace {
    framemap_str format;    /* name of the format that read it, "android-tombstone" */
    framemap_str thread;    /* name or number as printed */
    framemap_str exception; /* signal, exception type and message as printed */
    framemap_str arch;      /* of the report, where said */
    framemap_str os;        /* of the report, where said, as it says it: "android" */
    bool crashed;           /* the report marks this as the thread that crashed */
    uint64_t line;          /* line of the text on which it starts, from 1 */
    framemap_frame *frames;
    size_t frame_count;
    const framemap_image *images; /* of the whole report; shared by its traces */
    size_t image_count;
    framemap_mention *mentions; /* Java: in the order of the text, none inside a frame's raw */
    size_t mention_count;
} framemap_trace;

/* Name of a status as in JSON, "missing-symbols". Static; any thread. */
FRAMEMAP_API const char *framemap_frame_status_name(framemap_frame_status status);

/* Name of a match as in JSON, "only-map"; "none" for FRAMEMAP_MATCH_NONE. Static; any thread. */
FRAMEMAP_API const char *framemap_match_name(framemap_match match);

/* Name of a kind as in JSON, "native". Static; any thread. */
FRAMEMAP_API const char *framemap_kind_name(framemap_kind kind);

#ifdef __cplusplus
}
#endif
#endif
