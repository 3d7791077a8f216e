/* Values that stand in indexes: what the builder is told and the view gives back. Pinned: they never change meaning. */
#ifndef FM_INDEX_FORMAT_FLAGS_H
#define FM_INDEX_FORMAT_FLAGS_H

#include <stdint.h>

enum {
    FM_LANGUAGE_UNKNOWN = 0,
    FM_LANGUAGE_C = 1,
    FM_LANGUAGE_CXX = 2,
    FM_LANGUAGE_RUST = 3,
    FM_LANGUAGE_SWIFT = 4,
    FM_LANGUAGE_OBJC = 5,
    FM_LANGUAGE_DART = 6,
    FM_LANGUAGE_JAVA = 7,
    FM_LANGUAGE_KOTLIN = 8,
    FM_LANGUAGE_JS = 9,
    FM_LANGUAGE_OTHER = 255
};

enum {
    FM_NODE_ARTIFICIAL = 1u << 0, /* made by the compiler: hidden by tools that hide such (Dart, Java synthetic) */
    FM_NODE_HAS_START = 1u << 1
};

/* What an index of a program says of debug info that was not there when it was made. The scope has the image's
 * positions of code whose debug info is in another file, and leads to that file. The attributes are the path and the id
 * of a file that has names which several programs share. */
#define FM_SCOPE_SPLIT "split"
#define FM_ATTRIBUTE_ALTERNATE "alternate"
#define FM_ATTRIBUTE_ALTERNATE_ID "alternate_id"

/* Relocations of debug info were of kinds that are not known for the architecture, which is the value: what they lead
 * to is missing or wrong. */
#define FM_ATTRIBUTE_UNRELOCATED "unrelocated"
/* Where a section of an image is that has addresses although it is an object file (Mach-O): "section:__text" is
 * "START+SIZE", both hexadecimal. */
#define FM_ATTRIBUTE_SECTION "section:"

enum {
    FM_PLACE_LINE_FOLLOWS = 1u << 0 /* the line grows with the position: line1 + (position - where the place begins) */
};

/* --- the class form (class_builder.h) --- */

enum { FM_CLASS_SYNTHETIC = 1u << 0 };

/* What is told of a span. The first three also stand in the file. */
enum {
    FM_SPAN_RESIDUAL = 1u << 0,  /* residual_from and residual_to are told */
    FM_SPAN_ORIGINAL = 1u << 1,  /* original_from is told */
    FM_SPAN_PAIR = 1u << 2,      /* and original_to, else it equals original_from */
    FM_SPAN_PART = 1u << 3,      /* begins a part. The first of a method always does */
    FM_SPAN_SYNTHETIC = 1u << 4, /* of a part's first span: its entry is made by the compiler, */
    FM_SPAN_OUTLINE = 1u << 5    /* or is an outline */
};

/* What is told of a span beside its lines, as a list. */
enum fm_note_kind {
    FM_NOTE_REWRITE = 1, /* drop `count` innermost frames when every class of the condition was thrown. Stands behind
                            its conditions */
    FM_NOTE_THROWS = 2, /* condition of the next REWRITE: text = residual class as stacks print it, "java.lang.Error" */
    FM_NOTE_OUTLINE = 3,  /* call site of an outline: text = the outline's residual descriptor or absent. The POSITIONs
                             behind it are its own */
    FM_NOTE_POSITION = 4, /* outline line `from` is residual line `to` here */
    FM_NOTE_HIDDEN =
        5 /* of the last span of a chain: its frame is hidden; `from`: FM_SPAN_SYNTHETIC, FM_SPAN_OUTLINE */
};

/* In a file the notes of a list stand by rank, those of the last rank by `from`: a line is found among them by
 * bisection. */
static inline uint32_t fm_note_rank(uint32_t kind)
{
    return kind == FM_NOTE_OUTLINE ? 1 : kind == FM_NOTE_POSITION ? 2 : 0;
}

/* --- the segment form (segment_builder.h) --- */

enum { FM_SOURCE_IGNORED = 1u << 0, FM_SOURCE_UNKNOWN = 1u << 1 /* the map has null in its place */ };

/* Of a stretch of the generated text, or of a call site: the function's frame is not to be shown. */
enum { FM_STRETCH_HIDDEN = 1u << 0 };

/* Where the knowledge of a function is from. The values of framemap_function_origin. */
enum fm_function_origin { FM_FUNCTION_SCOPES = 1, FM_FUNCTION_MAP = 2, FM_FUNCTION_TEXT = 3 };

enum fm_offsets_kind {
    FM_OFFSETS_MODULES = 1,   /* generated line where a module of the bundle begins; group: its segment */
    FM_OFFSETS_FUNCTIONS = 2, /* address where a function of the bytecode begins; group: its segment */
    FM_OFFSETS_SEGMENTS =
        3 /* generated line where what is of a further segment of the bundle begins, behind all before it; group 0 */
};

#endif
