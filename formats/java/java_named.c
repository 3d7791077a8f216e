/* Finds the classes that are named in the message of an exception. Called by java_trace.c. */
#include "formats/java/java_named.h"
#include "formats/java/java_name.h"

/* Returns the class "b/l/b/m" of the type descriptor "Lb/l/b/m;" that ends at `end`. */
static bool descriptor_at(const char *from, const char *end, framemap_str *name)
{
    const char *start = end;
    while (start > from && (fm_java_is_name_byte(start[-1]) || start[-1] == '/')) start--;
    if (end - start < 4 || *start != 'L') return false;
    *name = fm_str(start + 1, (size_t)(end - start - 1));
    return fm_str_find_byte(*name, '/') != FM_NOT_FOUND && fm_str_find(*name, FM_STR("//")) == FM_NOT_FOUND;
}

/* Whether the text before a name is a quote and a type, as in "'void a.b(int)' on a null object reference". */
static bool is_in_signature(const char *from, const char *start)
{
    const char *p = start;
    if (p == from || p[-1] != ' ') return false;
    for (p--; p > from && !fm_is_blank(p[-1]) && p[-1] != '\'';) p--;
    return p > from && p[-1] == '\'';
}

/* Cuts the method or field off a name: the result is "a.b" for "a.b.c(int)", and for the field in "'int a.b.c'". */
static void cut_member(framemap_str message, framemap_str *name)
{
    const char *from = message.data, *end = message.data + message.size, *after = name->data + name->size;
    const bool is_method = after < end && *after == '(';
    const size_t dot = fm_str_find_last_byte(*name, '.');
    if (!is_method && !(after < end && *after == '\'' && is_in_signature(from, name->data))) return;
    if (fm_str_find_byte(fm_str(name->data, dot), '.') != FM_NOT_FOUND || is_in_signature(from, name->data))
        name->size = dot;
}

/* Whether a text between quotes is a method or field with its types: "void a.b.c(int)", "int a.b.c", "a.b.c()". */
static bool is_signature(framemap_str text)
{
    const size_t open = fm_str_find_byte(text, '(');
    if (open != FM_NOT_FOUND && text.data[text.size - 1] != ')') return false;
    framemap_str member = fm_str_slice(text, 0, open);
    const size_t blank = fm_str_find_byte(member, ' ');
    if (blank == FM_NOT_FOUND && open == FM_NOT_FOUND) return false;
    if (blank != FM_NOT_FOUND) member = fm_str_from(member, blank + 1);
    for (size_t i = 0; i < member.size; i++)
        if (!fm_java_is_name_byte(member.data[i]) && member.data[i] != '.' && member.data[i] != '<' &&
            member.data[i] != '>')
            return false;
    return fm_java_is_dotted(member);
}

/* If a name is part of a method or field in quotes, extends it to the text between the quotes. Such texts are short,
 * so few bytes are searched. */
static bool extend_to_quotes(framemap_str message, framemap_str *name)
{
    enum { MOST = 1024 };
    const char *start = name->data, *stop = message.data + message.size;
    if (is_in_signature(message.data, start))
        for (start--; start[-1] != '\'';) start--;
    if (start == message.data || (start[-1] != '\'' && start[-1] != '"')) return false;
    const char *end = memchr(start, start[-1], (size_t)(stop - start > MOST ? MOST : stop - start));
    if (end == NULL || end == start || !is_signature(fm_str(start, (size_t)(end - start)))) return false;
    *name = fm_str(start, (size_t)(end - start));
    return true;
}

bool fm_java_named(framemap_str message, size_t *at, framemap_str *name)
{
    const char *from = message.data + *at, *end = message.data + message.size, *here = from;
    for (; here < end; here++) { /* most bytes are neither ';' nor '.', and are skipped */
        if (*here == ';' && descriptor_at(from, here, name)) {
            *at = (size_t)(here - message.data);
            return true;
        }
        if (*here != '.') continue;
        const char *start = here, *stop = here;
        while (start > from && fm_java_is_name_byte(start[-1])) start--;
        while (stop < end && (fm_java_is_name_byte(*stop) || *stop == '.')) stop++;
        *name = fm_str(start, (size_t)(stop - start));
        *at = (size_t)(stop - message.data);
        /* an abbreviation such as "e.g." ends in a dot, and is not a class name */
        if (!fm_is_digit(*start) && fm_java_is_dotted(*name)) {
            if (extend_to_quotes(message, name))
                *at = (size_t)(name->data + name->size - message.data);
            else
                cut_member(message, name);
            return true;
        }
        from = stop;
        here = stop - 1;
    }
    *at = message.size;
    return false;
}
