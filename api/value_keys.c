/* Implements value_keys.h: makes the key of a build, "fm1:TENANT:FAMILY:ID", with percent-escapes. Determines the
 * family (native, Java, JavaScript or Dart) of an index. */
#include "api/value_keys.h"

#include "index/format/kinds.h"
#include "index/read/classes/class_view.h"
#include "index/read/segments/segment_view.h"

static bool is_kept(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '.' || byte == '_' || byte == '~' || byte == '-';
}

static void put_escaped(struct fm_buf *out, framemap_str text)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char byte = (unsigned char)text.data[i];
        if (is_kept(byte)) {
            fm_buf_byte(out, (char)byte);
            continue;
        }
        fm_buf_byte(out, '%');
        fm_buf_byte(out, digits[byte >> 4]);
        fm_buf_byte(out, digits[byte & 15]);
    }
}

void fm_build_key(struct fm_buf *out, framemap_str tenant, const char *family, framemap_str id)
{
    fm_buf_str(out, FM_STR("fm1:"));
    put_escaped(out, tenant);
    fm_buf_byte(out, ':');
    fm_buf_str(out, framemap_str_of(family));
    fm_buf_byte(out, ':');
    put_escaped(out, id);
}

const char *fm_key_family(const struct fm_view *view)
{
    struct fm_view_about about;
    struct fm_classes_about classes;
    struct fm_segments_about segments;
    fm_view_about(view, &about);
    if (fm_kind_named(about.kind)->code == FRAMEMAP_INDEX_DART_NAMES) return FM_KEY_DART;
    if (fm_view_classes(view, &classes)) return FM_KEY_JAVA;
    return fm_view_segments(view, &segments) ? FM_KEY_JAVASCRIPT : FM_KEY_NATIVE;
}
