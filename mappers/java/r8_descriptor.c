/* Parses and prints JVM descriptors as R8 does. Called by r8_info.c. */
#include "mappers/java/r8_descriptor.h"

bool fm_r8_is_class_descriptor(framemap_str text)
{
    if (text.size < 3 || text.data[0] != 'L') return false;
    bool fresh = true; /* whether a part of a name starts at the current character */
    for (size_t i = 1; i < text.size; i++) {
        const char byte = text.data[i];
        const bool ends = byte == '/' || byte == ';';
        if (byte == '.' || byte == '[' || (fresh && ends)) return false;
        if (byte == ';') return i + 1 == text.size;
        fresh = ends;
    }
    return false;
}

static const char *primitive(char byte)
{
    static const struct {
        char byte;
        const char *name;
    } rows[] = {{'Z', "boolean"}, {'B', "byte"},  {'S', "short"}, {'C', "char"},
                {'I', "int"},     {'F', "float"}, {'J', "long"},  {'D', "double"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].byte == byte) return rows[i].name;
    return NULL;
}

static void descriptor_put(struct fm_buf *out, framemap_str text)
{
    if (out) fm_buf_str(out, text);
}

static void put_class(framemap_str text, struct fm_buf *out)
{
    if (out == NULL || !fm_buf_add(out, text.data + 1, text.size - 2)) return;
    for (char *at = out->data + out->size - (text.size - 2); at < out->data + out->size; at++)
        if (*at == '/') *at = '.';
}

enum fm_r8_descriptor fm_r8_field_descriptor(framemap_str text, struct fm_buf *type)
{
    size_t arrays = 0;
    while (arrays < text.size && text.data[arrays] == '[') arrays++;
    const framemap_str base = fm_str_from(text, arrays);
    const char *name = base.size == 1 ? primitive(base.data[0]) : NULL;
    if (name == NULL && !fm_r8_is_class_descriptor(base)) return FM_R8_DESCRIPTOR_BAD;
    if (name)
        descriptor_put(type, framemap_str_of(name));
    else
        put_class(base, type);
    while (arrays-- > 0) descriptor_put(type, FM_STR("[]"));
    return FM_R8_DESCRIPTOR_GOOD;
}

static enum fm_r8_descriptor return_descriptor(framemap_str text, struct fm_buf *type)
{
    if (!fm_str_equal(text, FM_STR("V"))) return fm_r8_field_descriptor(text, type);
    descriptor_put(type, FM_STR("void"));
    return FM_R8_DESCRIPTOR_GOOD;
}

/* Whether R8 can count the arguments, which it does before it parses them. It cannot if a class name has no end, or if
 * nothing follows the parenthesis. */
static bool counts(framemap_str text)
{
    size_t at = 1;
    while (at < text.size && text.data[at] != ')') {
        if (text.data[at++] != 'L') continue;
        while (at < text.size && text.data[at - 1] != ';') at++;
        if (at >= text.size || text.data[at - 1] != ';') return false;
    }
    return at + 1 < text.size;
}

/* Returns the size of the argument at `at`; 0: R8 cannot parse it and refuses the mapping. */
static size_t argument_size(framemap_str text, size_t at)
{
    size_t end = at;
    if (text.data[at] != '[' && text.data[at] != 'L' && primitive(text.data[at]) == NULL) return 0;
    while (end < text.size && text.data[end] == '[') end++;
    if (end >= text.size || text.data[end] == ')') return 0;
    if (text.data[end] == 'L')
        while (end < text.size && text.data[end] != ';') end++;
    return end < text.size ? end + 1 - at : 0;
}

enum fm_r8_descriptor fm_r8_method_descriptor(framemap_str text, struct fm_buf *arguments, struct fm_buf *type)
{
    enum fm_r8_descriptor result = FM_R8_DESCRIPTOR_GOOD;
    if (!counts(text)) return FM_R8_DESCRIPTOR_BROKEN;
    size_t at = 1;
    while (text.data[at] != ')') {
        const size_t size = argument_size(text, at);
        if (size == 0) return FM_R8_DESCRIPTOR_BROKEN;
        if (at > 1) descriptor_put(arguments, FM_STR(","));
        if (fm_r8_field_descriptor(fm_str(text.data + at, size), arguments) != FM_R8_DESCRIPTOR_GOOD)
            result = FM_R8_DESCRIPTOR_BAD;
        at += size;
        if (at >= text.size) return FM_R8_DESCRIPTOR_BROKEN;
    }
    const framemap_str after = fm_str_from(text, fm_str_find_byte(text, ')') + 1);
    return return_descriptor(after, type) == FM_R8_DESCRIPTOR_GOOD ? result : FM_R8_DESCRIPTOR_BAD;
}

/* Whether a type starts here, as R8 checks it: only by the first byte of the element type. */
static bool begins_type(framemap_str text)
{
    size_t at = 0;
    while (at < text.size && text.data[at] == '[') at++;
    return at < text.size && (text.data[at] == 'L' || primitive(text.data[at]) != NULL);
}

bool fm_r8_is_method_reference(framemap_str text)
{
    /* The text after the holder. Without a holder it is the whole text, because FM_NOT_FOUND + 1 is 0. */
    const framemap_str rest = fm_str_from(text, fm_str_find_byte(text, ';') + 1);
    const size_t open = fm_str_find_byte(rest, '(');
    const framemap_str method = fm_str_from(rest, open);
    if (open == FM_NOT_FOUND || !counts(method)) return false;
    size_t at = 1, size;
    for (; method.data[at] != ')'; at += size) {
        size = argument_size(method, at);
        if (size == 0 || !begins_type(fm_str_from(method, at)) || at + size >= method.size) return false;
    }
    const framemap_str after = fm_str_from(method, fm_str_find_byte(method, ')') + 1);
    return fm_str_equal(after, FM_STR("V")) || begins_type(after);
}
