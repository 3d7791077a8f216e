/* Implements path_text.h: formats a path and reports whether it fits; resolves a folder with realpath() to check that a
 * file is below it; and returns the folder part of a path. */
#define _XOPEN_SOURCE 700 /* makes the system headers declare realpath() */
#include "session/catalog/path_text.h"

#include "core/text/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fm_path_make(char out[FM_PATH_ROOM], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(out, FM_PATH_ROOM, format, list);
    va_end(list);
    return size > 0 && size < FM_PATH_ROOM;
}

bool fm_is_below(const char *folder, const char *whole)
{
    char top[PATH_MAX];
    if (realpath(folder[0] ? folder : ".", top) == NULL) return false;
    const size_t size = strlen(top);
    return strncmp(top, whole, size) == 0 && (whole[size] == '/' || top[size - 1] == '/');
}

framemap_str fm_folder_of(const char *path)
{
    const framemap_str all = framemap_str_of(path);
    return fm_str_slice(all, 0, all.size - fm_str_basename(all).size);
}
