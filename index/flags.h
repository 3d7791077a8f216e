/* Values that stand in indexes: what the builder is told and the view gives back. Pinned: they never change meaning. */
#ifndef FM_INDEX_FLAGS_H
#define FM_INDEX_FLAGS_H

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

enum { FM_PLACE_LINE_FOLLOWS = 1u << 0 /* the line grows with the position: line1 + (position - where the place begins) */ };

#endif
