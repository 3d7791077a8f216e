/* Implements owner_path.h: puts the folders of the package before the file name of a Java frame: "a/b/C.java" for class
 * "a.b.C". The file of any other frame is returned as it is. */
#include "api/group/owner_path.h"

framemap_str fm_source_path(struct fm_buf *words, framemap_kind kind, const framemap_frame *source)
{
    const size_t dot = fm_str_find_last_byte(source->class_name, '.');
    if (kind != FRAMEMAP_KIND_JAVA || dot == FM_NOT_FOUND || source->file.size == 0 ||
        fm_str_find_byte(source->file, '/') != FM_NOT_FOUND)
        return source->file;
    fm_buf_clear(words);
    for (size_t i = 0; i <= dot; i++)
        fm_buf_byte(words, source->class_name.data[i] == '.' ? '/' : source->class_name.data[i]);
    fm_buf_str(words, source->file);
    return fm_buf_view(words);
}
