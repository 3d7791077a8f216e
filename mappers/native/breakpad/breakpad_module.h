/* The head of a Breakpad symbol file: the record MODULE and the records INFO after it, which identify the module, that
 * is, the program or library that the file describes. Called by breakpad_mapper.c, and by the session, which lists
 * symbol files by name. */
#ifndef FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_MODULE_H
#define FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_MODULE_H

#include "core/text/text.h"
#include <framemap/index.h>

/* The fields as the file spells them, borrowed from its bytes; absent if the file does not have them. */
struct fm_breakpad_module {
    framemap_str os, arch;
    framemap_str id;                 /* a GUID and an age, together 33 to 40 hexadecimal digits */
    framemap_str name;               /* file name of the module; on Windows that of its PDB */
    framemap_str code_id, code_name; /* of INFO CODE_ID: build id, or time stamp and size; file name on Windows */
    size_t body;                     /* offset of the first line after MODULE */
    bool has_files;                  /* the start of the file has a record FILE, so its functions have lines */
};

/* Parses the head. Returns false if the first line is not a MODULE record. */
bool fm_breakpad_module_read(framemap_str bytes, struct fm_breakpad_module *out);

/* Returns the name that stacks have for the module: on Windows that of the program if it is stated, not of its PDB. */
framemap_str fm_breakpad_image_name(const struct fm_breakpad_module *module);

/* Sets kind, id, debug id, code id, architecture and the flags of a description. The id is the one that stacks have for
 * the module: the build id of an ELF file, whose first 16 bytes MODULE has as a GUID, with its first three numbers in
 * the other byte order; the UUID of a Mach-O file; on Windows GUID and age. */
void fm_breakpad_describe(const struct fm_breakpad_module *module, framemap_image_info *out);

#define FM_BREAKPAD_NAME "breakpad"

#endif
