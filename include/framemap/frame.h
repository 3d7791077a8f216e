/* The frame model: one struct for a stack frame and one for a trace, for all platforms.
 *
 * All structs here are plain data. Their strings and arrays are borrowed from the object that returned them (a
 * framemap_trace_list or a framemap_scratch), which documents how long they live. */
#ifndef FRAMEMAP_FRAME_H
#define FRAMEMAP_FRAME_H

#include <framemap/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The family of platforms that a frame belongs to. */
typedef enum framemap_kind {
    FRAMEMAP_KIND_UNKNOWN = 0,
    FRAMEMAP_KIND_NATIVE = 1, /* machine code: an address in an image */
    FRAMEMAP_KIND_JAVA = 2,   /* Java, Kotlin: class, member, line */
    FRAMEMAP_KIND_JS = 3,     /* JavaScript: file, line, column */
    FRAMEMAP_KIND_DART = 4,   /* Dart, compiled ahead of time */
    FRAMEMAP_KIND_OTHER = 5,  /* already readable (Python, Go, .NET); passed through unchanged */
    FRAMEMAP_KIND_MARKER = 6  /* a row between frames that is not a frame; its kind is in framemap_frame.marker */
} framemap_kind;

/* The meaning of a row of kind MARKER. The numeric values never change. */
typedef enum framemap_marker {
    FRAMEMAP_MARKER_NONE = 0, /* the row is a frame */
    /* the frames below this row called the frames above it asynchronously: "<asynchronous suspension>" */
    FRAMEMAP_MARKER_ASYNC_GAP = 1,
    FRAMEMAP_MARKER_SKIPPED = 2,  /* the runtime printed only some of the frames: "... skipping 74795 frames" */
    FRAMEMAP_MARKER_ELIDED = 3,   /* a printer left frames out: "(elided 12 frames from ...)" */
    FRAMEMAP_MARKER_REPEATED = 4, /* the frames above are repeated: "[Previous line repeated 3 more times]" */
    FRAMEMAP_MARKER_INVALID = 5,  /* the runtime says that there is no valid frame */
    FRAMEMAP_MARKER_INNER_END = 6 /* the frames above this row belong to an inner exception, which caused the outer
                                     one: "--- End of inner exception stack trace ---" */
} framemap_marker;

/* The result of restoring a frame. Every frame has one. */
typedef enum framemap_frame_status {
    FRAMEMAP_FRAME_RAW = 0, /* the frame was not looked up yet */
    FRAMEMAP_FRAME_OK = 1,  /* restored: function, file and line */
    FRAMEMAP_FRAME_SYMBOL =
        2, /* partly restored: only the name, from a symbol table; a Java frame without a line, or only its class */
    FRAMEMAP_FRAME_MISSING_SYMBOLS = 3, /* the image is known by id or name, but no symbols were given for it */
    FRAMEMAP_FRAME_UNKNOWN_IMAGE = 4,   /* the text does not identify the image that the address is in */
    FRAMEMAP_FRAME_NO_MATCH = 5,        /* symbols were found, but they do not cover the position of the frame */
    FRAMEMAP_FRAME_AMBIGUOUS = 6,       /* several results; see alternatives */
    FRAMEMAP_FRAME_MALFORMED = 7,       /* the line breaks the rules of its format, such as an address of 30 digits */
    FRAMEMAP_FRAME_NOT_NEEDED = 8       /* the frame already has function, file and line */
} framemap_frame_status;

/* How framemap_frame.address is to be read. */
typedef enum framemap_address_kind {
    FRAMEMAP_ADDRESS_NONE = 0,
    FRAMEMAP_ADDRESS_ABSOLUTE = 1, /* an address in the running process; load_address or an image list relates it to an
                                      image */
    FRAMEMAP_ADDRESS_LINKED =
        2, /* an address as the image was linked, comparable with st_value (Android pc, sanitizers, glibc offsets) */
    FRAMEMAP_ADDRESS_IMAGE = 3, /* an offset from the first byte of the image in memory (Apple offsets) */
    FRAMEMAP_ADDRESS_BYTECODE =
        4, /* an offset in Hermes or WebAssembly bytecode; the source map has it as a column, from 0, of line `line` */
    FRAMEMAP_ADDRESS_FILE = 5 /* an offset in the file of the image, which may differ from the offset in memory (BPF's
                                 build ids with offsets) */
} framemap_address_kind;

/* The source of the name of a restored JavaScript function. The numeric values never change. */
typedef enum framemap_function_origin {
    FRAMEMAP_FUNCTION_NONE = 0,   /* the frame is not JavaScript, or no function is known */
    FRAMEMAP_FUNCTION_SCOPES = 1, /* the name comes from the scopes in the source map */
    FRAMEMAP_FUNCTION_MAP = 2,  /* the name comes from a function map in the source map, as Metro and Hermes write it */
    FRAMEMAP_FUNCTION_TEXT = 3, /* the name of a function that was found by parsing the generated text */
    /* the name that the source map has at the call site, which the next frame gives; only if the whole stack is
     * restored */
    FRAMEMAP_FUNCTION_CALLER = 4,
    /* the name that the engine printed, which may be minified; only if the whole stack is restored */
    FRAMEMAP_FUNCTION_PRINTED = 5
} framemap_function_origin;

/* How the symbol file for a frame was found. The numeric values never change. */
typedef enum framemap_match {
    FRAMEMAP_MATCH_NONE = 0,     /* no symbol file was used */
    FRAMEMAP_MATCH_ID = 1,       /* native, Dart: by the build id or UUID of the image */
    FRAMEMAP_MATCH_MAP_ID = 2,   /* Java: by the mapping id that the stack prints */
    FRAMEMAP_MATCH_DEBUG_ID = 3, /* JavaScript: by the debug id of the script */
    FRAMEMAP_MATCH_NAME = 4,     /* by the name of the image or script, or the `file` member of the source map */
    FRAMEMAP_MATCH_CLASS = 5,    /* Java: of several mappings, the one that covers the classes of the stack best */
    FRAMEMAP_MATCH_CONTENT =
        6, /* JavaScript: a script that was given declares the printed address as its own (`sourceURL`) */
    FRAMEMAP_MATCH_ONLY_MAP =
        7, /* the text does not identify the file; only one of the given files can belong to the frame */
    FRAMEMAP_MATCH_SCOPE = 8 /* by framemap_restore_options.scope: the text does not identify the file, and the scope
                                chose it */
} framemap_match;

/* Why a frame was not restored completely, for programs. The numeric values never change; framemap_frame.reason has the
 * sentence. */
typedef enum framemap_why {
    FRAMEMAP_WHY_NONE = 0,               /* the frame was restored, or needs no symbols */
    FRAMEMAP_WHY_NO_SYMBOLS = 1,         /* no symbol file was given for the image, script or mapping */
    FRAMEMAP_WHY_OTHER_ID = 2,           /* the symbol file that was given has another id */
    FRAMEMAP_WHY_NO_IMAGE = 3,           /* the text does not identify the image or the file */
    FRAMEMAP_WHY_ANONYMOUS_MEMORY = 4,   /* the code is not in a file */
    FRAMEMAP_WHY_NO_ENTRY = 5,           /* the symbols have nothing at this position */
    FRAMEMAP_WHY_NO_LINES = 6,           /* the symbols have the name of the function, but no lines */
    FRAMEMAP_WHY_SEVERAL_FIT = 7,        /* several results or files fit */
    FRAMEMAP_WHY_MALFORMED = 8,          /* the row breaks the rules of its format */
    FRAMEMAP_WHY_CHANGED_WHILE_READ = 9, /* the symbol file was changed while it was read */
    FRAMEMAP_WHY_OVER_MEMORY = 10,       /* the symbols would need more memory than the ceiling allows */
    /* the symbols have more frames or names for the frame than one result may contain */
    FRAMEMAP_WHY_OVER_LIMIT = 11,
    FRAMEMAP_WHY_OTHER_LABELS = 12 /* the symbol files that were given have labels that the scope of the text does
                                      not match */
} framemap_why;

typedef struct framemap_frame framemap_frame;

/* Values that only few frames have. Their strings are borrowed like the other strings of the frame. */
typedef struct framemap_frame_extra {
    framemap_str trust; /* how the unwinder found the frame, as printed: "call frame info" */
    bool has_count;
    uint64_t count; /* how often a profiler sampled the frame, or how many frames or rows a marker represents */
    /* JavaScript that eval() ran: the file name of the evaluated text, and the position of the eval as printed ("eval
     * at f (http://host/a.js:5:8)"). The frame itself has the position in the file. */
    framemap_str eval_file, eval_origin;
    uint32_t eval_line, eval_column; /* line and column in the evaluated text, from 1; 0: not printed */
    bool has_wasm_function, has_sub_index, has_line_offset;
    uint32_t wasm_function; /* index of a WebAssembly function, imports included */
    uint32_t sub_index;     /* the number of an inlined frame: M of the printed "#N.M" */
    uint64_t line_offset;   /* distance of the address from the start of the line's code, bytes */
    uint64_t stack_pointer; /* value of the stack pointer; 0: not printed */
    /* the return address that is printed in addition to the frame's own address; 0: not printed */
    uint64_t return_address;
} framemap_frame_extra;

/* A chain of frames: a function and the functions that it was inlined into. */
typedef struct framemap_frame_list {
    const framemap_frame *frames; /* the frames of the chain, innermost first */
    size_t count;
} framemap_frame_list;

/* One frame, as found in a text or as restored. An absent string is {NULL, 0}; an absent number is 0. */
struct framemap_frame {
    framemap_kind kind;
    framemap_frame_status status;
    /* A sentence that explains a status other than success, or why `restored` is empty for a Java frame with status OK
     * (R8 hides it, so do not print it); NULL otherwise. Static, or lives as long as the list of traces that the frame
     * is in. */
    const char *reason;

    framemap_why why; /* the reason as a value for programs */

    /* What the text prints about the frame. */
    int64_t index;       /* the number printed before the frame; -1 if there is none */
    framemap_str raw;    /* the frame's slice of the text, without the line end */
    uint64_t raw_offset; /* byte offset of `raw` in the text, from 0 */
    uint64_t raw_line;   /* number of the line that `raw` is on, from 1 */
    framemap_marker marker;

    /* The image or file that the frame is in, and its position there. */
    framemap_str module;      /* name as printed, "libapp.so" */
    framemap_str id;          /* build id, UUID or mapping id; if it is hex, in lower case without dashes */
    framemap_str arch;        /* architecture, "arm64" or "x86_64"; empty if not given */
    framemap_str module_path; /* the path of the image as printed; empty if only a name is printed */
    framemap_address_kind address_kind;
    bool has_address;
    bool has_load_address;
    bool has_absolute_address;
    bool has_image;
    uint32_t image;            /* index of the image in `images` of the trace */
    bool return_address;       /* `address` is the address of the instruction after the call; lookups use address - 1 */
    uint64_t address;          /* address as the text prints it */
    uint64_t load_address;     /* address of the first byte of the image in memory; with maps_file, the address that
                                  the first byte of the file would have */
    uint64_t absolute_address; /* address in the running process, if that is printed beside an `address` of another
                                  kind */
    uint64_t file_offset;      /* Android "(offset 0x...)": file offset of the mapping; 0 if not given */

    /* The source position: as printed in a raw frame, from the symbols in a restored frame. */
    framemap_str class_name; /* class of a frame of Java or Kotlin */
    framemap_str function;   /* name for display: demangled */
    framemap_str symbol;     /* name as the symbol file spells it: mangled; empty if it equals function */
    framemap_str name;       /* source maps: the name that the map has for this position */
    framemap_str file;
    uint32_t line;   /* line in the file, 1-based; 0: unknown */
    uint32_t column; /* column in the line, 1-based; 0: unknown */
    /* restored frames: the file in which the function is declared, if the symbols have it */
    framemap_str declared_file;
    uint32_t declared_line; /* line of the function's declaration, 1-based; 0: unknown */
    /* restored frames: generated by the compiler without source text; the platform's own tools hide such frames */
    bool artificial;
    bool inlined; /* this function was inlined into the function of the next frame */
    bool has_function_offset;
    uint64_t function_offset; /* distance of the address from the start of the function, bytes */
    uint64_t function_size;   /* size of the machine code, or of the data object, bytes; 0: unknown */
    bool maps_file;           /* address - load_address is an offset in the file of the image, which may differ from
                                 the offset in memory: profilers print where they mapped which part of a file */
    bool is_async;            /* the text marks the call as asynchronous ("at async f") */
    bool is_native;           /* the text marks the function as the runtime's own ("Native Method", "[native code]") */
    bool is_unreliable;       /* the text marks the frame as a guess of the unwinder ("? f+0x12/0x40") */
    bool conflict;            /* the text printed another function than the symbols have at that position */
    /* bit 0 of `address` marks Thumb code of 32-bit ARM: lookups clear it, and then subtract 1 from a return address.
     * Set when the frame is restored. */
    bool has_thumb_bit;
    const framemap_frame_extra *extra; /* fields that few rows have; NULL: the row has none of them */

    /* The result for a raw frame: the inline chain, innermost first. Empty before the frame is restored, and if that
     * fails: then status says why. */
    framemap_frame_list restored;
    const framemap_frame_list *alternatives; /* with FRAMEMAP_FRAME_AMBIGUOUS: the other possible chains */
    size_t alternative_count;
    const framemap_str *aliases; /* restored frames: other functions that share this machine code */
    size_t alias_count;
    framemap_function_origin function_origin; /* restored JavaScript frames: where the name in `function` comes from */
    bool ignored;          /* restored JavaScript frames: the source map lists this source in its ignore list */
    framemap_str context;  /* restored: whole lines of source around `line`, without the last line end; absent if not
                              requested or not known */
    uint32_t context_line; /* 1-based number of the first line of `context` */
    /* how the symbol file was found; NONE if no file was found, or if the frame was not restored yet */
    framemap_match matched_by;
    /* The symbols have more for this frame than one result may contain (16,384 frames, 2 MiB of text), so outer frames
     * of `restored`, alternatives or aliases are left out. `reason` begins with "over-limit"; status is SYMBOL or
     * AMBIGUOUS. Only crafted or broken symbol files cause this. */
    bool over_limit;
    /* What the rules (framemap_rules) say about the frame. Set by framemap_trace_list_mark, and by restore calls with
     * framemap_restore_options.rules: in restored frames, and also in raw frames, to which the rules are applied as the
     * text prints them. */
    bool has_in_app, in_app; /* in_app: the frame is the app's own code; has_in_app: whether in_app is known */
    framemap_str owner;      /* the owner of the frame's source file, according to the file of code owners; borrowed
                                from the rules */
};

/* Whether there are symbols for an image. The numeric values never change. */
typedef enum framemap_image_symbols {
    FRAMEMAP_SYMBOLS_NOT_NEEDED = 0, /* no frame needs symbols of the image, or the frames were not looked up yet */
    FRAMEMAP_SYMBOLS_FOUND = 1,
    FRAMEMAP_SYMBOLS_MISSING = 2,
    FRAMEMAP_SYMBOLS_MISMATCH = 3 /* the file that was given has another id */
} framemap_image_symbols;

/* An image (program, library, bundle) that a report lists. */
typedef struct framemap_image {
    framemap_str name; /* the last part of the image's path, or the name that the report gives */
    framemap_str path;
    framemap_str id; /* id of the image, in the form of framemap_frame.id */
    framemap_str arch;
    uint64_t load_address;
    uint64_t size; /* bytes in memory; 0 if not given */
    framemap_image_symbols symbols;
} framemap_image;

/* A renamed class that a text names outside of a frame, such as the type of an exception in "Caused by: a.b: ...", or a
 * renamed member that a message quotes: "'void a.b.c(int)' on a null object reference". */
typedef struct framemap_mention {
    /* the name alone, as printed, without loader and module; for a member together with its types: "void a.b.c(int)" */
    framemap_str raw;
    uint64_t raw_offset;   /* byte offset of `raw` in the text, from 0 */
    size_t before_frame;   /* the number of frames of the trace that are above the mention */
    bool exception;        /* the mention is the type of an exception, to which the frames below it belong */
    framemap_str restored; /* the original name; absent before restoring, and if the symbols do not have it */
} framemap_mention;

/* The prefix that a logger put before the first line of a stack. Absent strings are {NULL, 0}. */
typedef struct framemap_log {
    framemap_str time;     /* time as the log prints it */
    framemap_str tag;      /* tag as the log prints it: "AndroidRuntime", "kernel"; in syslog the name of the program */
    framemap_str level;    /* level as the log prints it: "E" */
    framemap_str process;  /* name of the process; Android Studio prints the package */
    framemap_str host;     /* host name, in lines of syslog */
    bool has_pid, has_tid; /* whether the logger prints `pid` and `tid` */
    uint64_t pid, tid;
} framemap_log;

/* A signal, as a report prints it: "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0". */
typedef struct framemap_signal {
    framemap_str name, code_name; /* names of the signal and of its code: "SIGSEGV", "SEGV_MAPERR" */
    bool has_number, has_code, has_address;
    int32_t number, code;
    uint64_t address;
} framemap_signal;

typedef struct framemap_register {
    framemap_str name;
    uint64_t value;
} framemap_register;

/* How a trace is related to the trace that it is a part of. The numeric values never change. */
typedef enum framemap_role {
    FRAMEMAP_ROLE_NONE = 0, /* the trace is not a part of another one */
    FRAMEMAP_ROLE_CAUSE = 1,
    FRAMEMAP_ROLE_SUPPRESSED = 2,
    FRAMEMAP_ROLE_CIRCULAR = 3, /* the text prints "[CIRCULAR REFERENCE: ...]" instead of frames */
    FRAMEMAP_ROLE_FREED_BY = 4,
    FRAMEMAP_ROLE_ALLOCATED_BY = 5,
    FRAMEMAP_ROLE_THREAD_CREATED = 6,
    FRAMEMAP_ROLE_PREVIOUS_ACCESS = 7,
    FRAMEMAP_ROLE_LEAK = 8
} framemap_role;

/* How a trace ended. The numeric values never change. */
typedef enum framemap_closed_by {
    FRAMEMAP_CLOSED_BY_END = 0,      /* the stack ended in the text */
    FRAMEMAP_CLOSED_BY_DEADLINE = 1, /* a stream had no input for so long that the open stack was restored */
    FRAMEMAP_CLOSED_BY_SIZE = 2      /* a stream held back so much text that the open stack was restored */
} framemap_closed_by;

/* One stack in a text. */
typedef struct framemap_trace {
    uint64_t number; /* counts the traces of a text or stream, from 0 */
    uint64_t report; /* counts the reports of the text, from 0: the traces of one report share a list of images */
    framemap_role role;
    uint64_t part_of; /* with a role: the number of the trace that this one belongs to */
    framemap_closed_by closed_by;
    framemap_str format;    /* name of the format that parsed it, "android-tombstone" */
    framemap_str thread;    /* name or number as printed */
    framemap_str exception; /* signal, or exception type and message, as printed */
    framemap_str arch;      /* architecture of the report, if given */
    framemap_str os;        /* operating system of the report as printed, if given: "android" */
    bool crashed;           /* the report marks this thread as the one that crashed */
    uint64_t line;          /* line of the text on which the first frame of the trace is, from 1 */
    uint64_t line_count;    /* number of lines from `line` to the line of the last frame, both included */
    uint64_t offset;        /* byte offset in the text, from 0, at which `line` begins */
    uint64_t size;          /* bytes of the trace's lines, without the last line end */
    framemap_frame *frames; /* the frames, in the order of the text */
    size_t frame_count;
    bool outermost_first; /* the text lists a caller before the function that it calls, as Sentry and Python do */
    uint64_t elided;      /* frames that the text says it leaves out: "... 4 more" */

    /* Parts of `thread` and `exception`; empty where the text does not give them. */
    framemap_str thread_id, thread_name, thread_queue, thread_state;
    framemap_str exception_type;    /* type as the text prints it: "a.b", "TypeError", "EXC_CRASH",
                                       "heap-use-after-free" */
    framemap_str exception_message; /* message with all its lines, without the escapes of a JSON string that the stack
                                       is in */
    framemap_str abort_message;
    /* reports of Apple: type and codes of the Mach exception, "EXC_BAD_ACCESS" and "KERN_INVALID_ADDRESS at 0x0" */
    framemap_str mach_type, mach_codes;
    framemap_signal signal;
    framemap_str process_name, os_version;
    bool has_process_id;
    uint64_t process_id;
    framemap_log log;
    const framemap_register *registers; /* registers of the crashed thread, in the order of the text */
    size_t register_count;
    framemap_image *images; /* images of the whole report, shared by its traces */
    size_t image_count;
    bool lists_images;          /* the report lists `images`; otherwise its rows mention them */
    framemap_mention *mentions; /* the mentions, in the order of the text; none overlaps the raw text of a frame */
    size_t mention_count;
    framemap_str fingerprint; /* fingerprint of the stack with its causes (docs/grouping.md), if rules were applied to
                                 the trace; absent for a trace that is a part of another */
} framemap_trace;

/* Returns the name of a status as JSON output has it, such as "missing-symbols". Static memory. Any thread. */
FRAMEMAP_API const char *framemap_frame_status_name(framemap_frame_status status);

/* Each returns the name of a value as JSON output has it. The first value of each enum gives "", except "end" for
 * FRAMEMAP_CLOSED_BY_END and "not-needed" for FRAMEMAP_SYMBOLS_NOT_NEEDED. Static memory. Any thread. */
FRAMEMAP_API const char *framemap_marker_name(framemap_marker marker);
FRAMEMAP_API const char *framemap_why_name(framemap_why why);
FRAMEMAP_API const char *framemap_role_name(framemap_role role);
FRAMEMAP_API const char *framemap_closed_by_name(framemap_closed_by closed_by);
FRAMEMAP_API const char *framemap_image_symbols_name(framemap_image_symbols symbols);

/* Returns the name of a match as JSON output has it, such as "only-map"; "none" for FRAMEMAP_MATCH_NONE. Static memory.
 * Any thread. */
FRAMEMAP_API const char *framemap_match_name(framemap_match match);

/* Returns the name of a kind as JSON output has it, such as "native". Static memory. Any thread. */
FRAMEMAP_API const char *framemap_kind_name(framemap_kind kind);

#ifdef __cplusplus
}
#endif
#endif
