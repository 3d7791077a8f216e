/* Parses one row of a stack of .NET or Mono, in any language. dotnet_trace.c lists the forms and calls this. */
#ifndef FM_FORMATS_OTHER_DOTNET_ROW_H
#define FM_FORMATS_OTHER_DOTNET_ROW_H

#include "core/text/text.h"

struct fm_dotnet_row {
    framemap_str function, file, id;
    framemap_str module;   /* the module from whose start the address is counted; empty if the row names a function */
    framemap_str assembly; /* the assembly to which the number of the method belongs */
    uint32_t line;
    bool sure, is_english, has_address, has_offset;
    uint64_t address, offset;
};

/* Returns the size of the word "at " at the start of a text; 0: the text does not begin with the word. */
size_t fm_dotnet_at_word(framemap_str text);
/* Parses a row. Takes linear time. Returns false, with *row undefined, if the body is not a row. */
bool fm_dotnet_row_parse(framemap_str body, struct fm_dotnet_row *row);
/* Parses a row of ASP.NET's error page, which has no word "at": "Shop.Cart.Load(String path) +108", "Shop.Cart.Load()
 * in C:\src\Cart.cs:13". The parameters are the same as those of fm_dotnet_row_parse. */
bool fm_dotnet_page_row_parse(framemap_str body, struct fm_dotnet_row *row);

#endif
