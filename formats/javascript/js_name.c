/* Implements js_name.h: takes the printed name apart (new, get, type, method, alias) and puts the name from the source
 * map in its place, with the type that the engine would have printed. */
#include "formats/javascript/js_name.h"
#include "core/text/scan.h"

struct printed {
    framemap_str type;   /* "Object" in "Object.f"; absent: there is no type */
    framemap_str access; /* "get " or "set ", if the function is an accessor */
    framemap_str name;   /* name of the function, "f" */
    framemap_str as;     /* the property through which the function was called, as printed: " [as g]" */
    bool is_new;
};

static bool cut(framemap_str *text, framemap_str word)
{
    if (!fm_str_starts(*text, word)) return false;
    *text = fm_str_from(*text, word.size);
    return true;
}

/* Returns the offset after the last '.' or '#' of a name. "add" follows it in "Cart.add", and in "Cart#add", the
 * spelling of function maps; "#p" follows it in "P.#p". A '.' within a call or a subscript is ignored. */
static size_t last_part(framemap_str name)
{
    size_t at = name.size, depth = 0;
    while (at) {
        char c = name.data[at - 1];
        if (c == ']' || c == ')' || c == '>') depth++;
        if ((c == '[' || c == '(' || c == '<') && depth) depth--;
        if (depth == 0 && c == '.') return at;
        if (depth == 0 && c == '#') return at == 1 || name.data[at - 2] == '.' ? at - 1 : at;
        at--;
    }
    return 0;
}

static framemap_str short_name(framemap_str name)
{
    framemap_str part = fm_str_from(name, last_part(name));
    if (!cut(&part, FM_STR("get "))) cut(&part, FM_STR("set "));
    return part;
}

static struct printed take_apart(framemap_str text)
{
    struct printed out = {.is_new = cut(&text, FM_STR("new "))};
    size_t as = fm_str_find_last(text, FM_STR(" [as "));
    if (as != FM_NOT_FOUND && text.data[text.size - 1] == ']') {
        out.as = fm_str_from(text, as);
        text = fm_str_slice(text, 0, as);
    }
    size_t last = last_part(text);
    if (last) out.type = fm_str_slice(text, 0, last - 1);
    framemap_str name = fm_str_from(text, last);
    framemap_str first = last ? out.type : name; /* engines print accessors as "get a.b" or as "a.get b" */
    if (cut(&first, FM_STR("get ")))
        out.access = FM_STR("get ");
    else if (cut(&first, FM_STR("set ")))
        out.access = FM_STR("set ");
    if (last)
        out.type = first;
    else
        name = first;
    if (!out.access.size && cut(&name, FM_STR("get ")))
        out.access = FM_STR("get ");
    else if (!out.access.size && cut(&name, FM_STR("set ")))
        out.access = FM_STR("set ");
    out.name = name;
    return out;
}

static bool is_known_type(framemap_str word)
{
    static const char *const words[] = {"Map", "Set", "URL", "Day"};
    for (size_t i = 0; i < 3; i++)
        if (fm_str_equal(word, fm_str(words[i], 3))) return true;
    return false;
}

/* Whether Closure Compiler made this name, for a module of Closure Library: "module$contents$shop$cart_Cart",
 * "module$exports$shop". */
static bool is_of_closure(framemap_str type)
{
    return fm_str_starts(type, FM_STR("module$contents$")) || fm_str_starts(type, FM_STR("module$exports$"));
}

/* Whether a minifier renamed a type. A minifier's names have at most three letters until it has used up a quarter of
 * a million of them. */
static bool is_renamed(framemap_str type)
{
    size_t from = 0;
    if (is_of_closure(type)) return true;
    for (size_t at = 0; at <= type.size; at++) {
        if (at < type.size && type.data[at] != '.') continue;
        framemap_str word = fm_str_slice(type, from, at);
        if (word.size < 4 && !is_known_type(word)) return true;
        from = at + 1;
    }
    return false;
}

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/* Returns the class name of the source, without the text that bundlers add to a name that occurs twice: esbuild writes
 * "_Cart", Rollup "Cart$1", Closure Compiler "Cart$$module$shop". A name in lower-case letters is left unchanged, since
 * the source often has such names itself ("_private", "pp$5" of acorn). */
static framemap_str source_class(framemap_str name)
{
    const size_t module = fm_str_find(name, FM_STR("$$module$"));
    if (module != FM_NOT_FOUND && module > 0) return fm_str_slice(name, 0, module);
    if (name.size > 1 && name.data[0] == '_' && is_capital(name.data[1])) name = fm_str_from(name, 1);
    size_t end = name.size;
    while (end && fm_is_digit(name.data[end - 1])) end--;
    if (end > 1 && end < name.size && name.data[end - 1] == '$' && is_capital(name.data[0])) name.size = end - 1;
    return name;
}

/* Returns the class in a known name, "Cart" of "Cart.add" or "Cart#add"; empty if not found. */
static framemap_str owner_of(framemap_str known)
{
    size_t last = last_part(known);
    return last && known.data[0] != '#' ? fm_str_slice(known, 0, last - 1) : fm_str_slice(known, 0, 0);
}

static framemap_str class_of(framemap_str known)
{
    size_t last = last_part(known);
    framemap_str part = fm_str_from(known, last);
    return last && fm_str_equal(part, FM_STR("constructor")) ? fm_str_slice(known, 0, last - 1) : known;
}

/* Returns the type to print before a method. This is the type in the row, the type of the object on which the method is
 * called; it may differ from the method's class ("Object", a derived class). If a minifier renamed that type, the class
 * in the known name is returned instead. */
static framemap_str type_of(const struct printed *row, framemap_str known)
{
    framemap_str owner = owner_of(known);
    if (row->type.size && !is_renamed(row->type)) return source_class(row->type);
    return source_class(owner);
}

static void put_method(struct fm_buf *out, const struct printed *row, framemap_str known)
{
    framemap_str type = type_of(row, known), owner = owner_of(known);
    if (type.size) {
        fm_buf_str(out, type);
        /* The '#' of a function map is kept if the printed class is the method's own class. */
        fm_buf_byte(out, owner.size && fm_str_equal(type, source_class(owner)) ? known.data[owner.size] : '.');
        if (owner.size == 0)
            fm_buf_str(out, fm_str_from(known, last_part(known)));
        else
            fm_buf_str(out, fm_str_from(known, owner.size + 1));
    } else {
        fm_buf_str(out, known);
    }
}

/* Writes " [as g]", where g is the property through which the function was called. Engines print this for every
 * accessor, "get g [as g]", and for a function whose name differs from the property. */
static void put_alias(struct fm_buf *out, const struct printed *row, framemap_str name)
{
    if (row->as.size == 0) return;
    const framemap_str alias = fm_str_slice(row->as, 5, row->as.size - 1);
    if (row->access.size && fm_str_equal(alias, row->name)) {
        fm_buf_str(out, FM_STR(" [as "));
        fm_buf_str(out, name);
        fm_buf_byte(out, ']');
    } else if (row->access.size || alias.size == 0 || !fm_str_equal(alias, name)) {
        fm_buf_str(out, row->as);
    }
}

void fm_js_put_name(struct fm_buf *out, framemap_str printed, framemap_str known)
{
    struct printed row = take_apart(printed);
    framemap_str name = short_name(known);
    bool top = fm_str_equal(known, FM_STR("<global>")); /* function maps use this name for code outside of functions */
    if (fm_str_equal(printed, known) || (top && printed.size)) {
        fm_buf_str(out, printed);
        return;
    }
    if (row.is_new) {
        cut(&known, FM_STR("new "));
        fm_buf_str(out, FM_STR("new "));
        fm_buf_str(out, source_class(class_of(known)));
        return;
    }
    bool private_name = row.name.size && row.name.data[0] == '#' && name.size && name.data[0] == '#';
    if (row.access.size) {
        fm_buf_str(out, row.access);
        fm_buf_str(out, name);
    } else if (private_name && row.type.size == 0) {
        fm_buf_str(out, name);
    } else {
        put_method(out, &row, known);
    }
    put_alias(out, &row, name);
}
