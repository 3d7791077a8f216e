#include "session/catalog/path_text.h"

#include <stdarg.h>
#include <stdio.h>

bool fm_path_make(char out[FM_PATH_ROOM], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(out, FM_PATH_ROOM, format, list);
    va_end(list);
    return size > 0 && size < FM_PATH_ROOM;
}
