/* One row of a stack of .NET or Mono, in any language; the forms are in dotnet_trace.c, which calls this. */
#ifndef FM_FORMATS_OTHER_DOTNET_ROW_H
#define FM_FORMATS_OTHER_DOTNET_ROW_H

#include "core/text/text.h"

struct fm_dotnet_row {
    framemap_str function, file, id;
    framemap_str module;   /* that the address counts from; empty: it is a row with a function */
    framemap_str assembly; /* that a number of a method is of */
    uint32_t line;
    bool sure, is_english, has_address, has_offset;
    uint64_t address, offset;
};

/* Size of the word "at " that a text begins with; 0: it begins with none. */
size_t fm_dotnet_at_word(framemap_str text);
/* Parses a row. Linear. Returns false, with *row undefined, if it is none. */
bool fm_dotnet_row_parse(framemap_str body, struct fm_dotnet_row *row);

#endif
