/* Converts the functions and classes that the scanner found (struct fm_js_item) to the list of functions: sorted, each
 * with its enclosing function and the parts of its name. */
#include "mappers/javascript/functions/js_parser.h"

#include "core/error.h"

struct part_range {
    uint32_t first, count; /* range in the list of name parts; first FM_JS_NONE: the range is not computed yet */
};

struct js_finish {
    struct fm_js_parser *r;
    struct fm_js_functions *out;
    uint32_t *order, *spare; /* numbers of the items that become functions, sorted by the start of the function */
    size_t count;
    /* parts of each inferred name; the index is the number of the name's first element in `made` of the parser */
    struct part_range *made;
};

/* --- sorting the functions by their start --- */

static void sort_by_byte(const struct fm_js_item *items, const uint32_t *from, uint32_t *to, size_t count,
                         unsigned shift)
{
    size_t at[257] = {0};
    for (size_t i = 0; i < count; i++) at[(items[from[i]].begin >> shift & 255) + 1]++;
    for (size_t i = 0; i < 256; i++) at[i + 1] += at[i];
    for (size_t i = 0; i < count; i++) to[at[items[from[i]].begin >> shift & 255]++] = from[i];
}

/* Sorts the functions by their start, with radix sort on bytes. The functions are almost sorted: only an arrow function
 * is created after the functions in its parameters. */
static void sort(struct js_finish *f)
{
    const struct fm_js_item *items = f->r->items.list;
    bool falls = false;
    for (size_t i = 1; i < f->count && !falls; i++) falls = items[f->order[i]].begin < items[f->order[i - 1]].begin;
    if (!falls) return;
    sort_by_byte(items, f->order, f->spare, f->count, 0);
    sort_by_byte(items, f->spare, f->order, f->count, 8);
    sort_by_byte(items, f->order, f->spare, f->count, 16);
    sort_by_byte(items, f->spare, f->order, f->count, 24);
}

/* --- making names --- */

static struct fm_js_name_part *add_part(struct js_finish *f, framemap_str text)
{
    struct fm_js_functions *out = f->out;
    if (f->r->status != FRAMEMAP_OK) return NULL;
    if (!FM_GROW(out->heap, out->parts, out->part_capacity, out->part_count + 1)) {
        f->r->status = fm_error_memory(f->r->error);
        return NULL;
    }
    out->parts[out->part_count] = (struct fm_js_name_part){.text = text};
    return &out->parts[out->part_count++];
}

static framemap_str item_text(const struct js_finish *f, struct fm_js_name name)
{
    return fm_str(f->r->lexer.begin + name.at, name.size);
}

#define MANGLED_MOST 3 /* longest minified name: three letters give a quarter of a million names */

static void add_name(struct js_finish *f, struct fm_js_name name, bool if_capital)
{
    const bool is_computed = name.kind == FM_JS_NAME_COMPUTED;
    const framemap_str text = is_computed ? FM_STR("<computed>") : item_text(f, name);
    const bool is_private =
        text.size > 0 &&
        /* the name is private (#name), so nothing outside the class can refer to it, and minifiers rename it */
        text.data[0] == '#';
    struct fm_js_name_part *part = add_part(f, text);
    if (part == NULL || is_computed) return;
    part->at.col0 = name.at;
    part->renamed = name.kind == FM_JS_NAME_VARIABLE || is_private;
    part->is_key = !part->renamed && text.size > 0 && text.size <= MANGLED_MOST;
    part->if_capital = if_capital;
}

static void add_dot(struct js_finish *f) { (void)add_part(f, FM_STR(".")); }

/* Adds the name of the enclosing function and a dot, if the own name of that function is a single word. */
static void add_around(struct js_finish *f, const struct fm_js_item *around)
{
    if (around->title == FM_JS_TITLE_CLASS && around->class_item != FM_JS_NONE)
        around = &f->r->items.list[around->class_item];
    else if (around->title > FM_JS_TITLE_MEMBER)
        return;
    if (around->own.kind == FM_JS_NAME_NONE) return;
    add_name(f, around->own, true);
    add_dot(f);
}

static void add_made(struct js_finish *f, const struct fm_js_item *item)
{
    if (item->name_count == 0) return;
    const struct fm_js_name *names = f->r->made.list + item->first_name;
    uint32_t count = item->name_count, first = 0;
    if (count == 1 && names[0].kind == FM_JS_NAME_AROUND)
        return; /* the only name is that of the enclosing function, so the function was not assigned to anything */
    if (count > 1 && names[0].kind == FM_JS_NAME_AROUND) {
        add_around(f, &f->r->items.list[names[0].at]);
        first = 1;
    }
    for (uint32_t i = first; i < count; i++) {
        if (i > first) add_dot(f);
        if (names[i].kind != FM_JS_NAME_AROUND) add_name(f, names[i], false);
    }
}

/* Maximum number of parts of an inferred class name, as in "a.K". The limit is low because each member, of which there
 * may be millions, repeats the name. */
#define CLASS_NAMES_MOST 2

static void add_class(struct js_finish *f, const struct fm_js_item *item)
{
    if (item->own.kind != FM_JS_NAME_NONE) add_name(f, item->own, false);
    /* one more name is allowed, which is that of the enclosing function */
    else if (item->name_count <= CLASS_NAMES_MOST + 1)
        add_made(f, item);
}

/* Whether a name is an identifier. V8 prints the class name only before member names that are identifiers. */
static bool is_identifier(framemap_str text)
{
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        const bool letter = (c | 32) >= 'a' && (c | 32) <= 'z', digit = c >= '0' && c <= '9';
        if (!letter && !(digit && i > 0) && c != '_' && c != '$' && c < 0x80) return false;
    }
    return text.size > 0;
}

static void add_member(struct js_finish *f, const struct fm_js_item *item)
{
    if (item->class_item != FM_JS_NONE && is_identifier(item_text(f, item->own))) {
        const size_t before = f->out->part_count;
        add_class(f, &f->r->items.list[item->class_item]);
        if (f->out->part_count > before) add_dot(f);
    }
    add_name(f, item->own, false);
}

static void add_title(struct js_finish *f, const struct fm_js_item *item)
{
    switch ((enum fm_js_title)item->title) {
    case FM_JS_TITLE_NAME:
        if (item->own.kind != FM_JS_NAME_NONE)
            add_name(f, item->own, false);
        else
            add_made(f, item);
        break;
    case FM_JS_TITLE_MEMBER: add_member(f, item); break;
    case FM_JS_TITLE_GET:
    case FM_JS_TITLE_SET:
        (void)add_part(f, item->title == FM_JS_TITLE_GET ? FM_STR("get ") : FM_STR("set "));
        add_name(f, item->own, false);
        break;
    case FM_JS_TITLE_CLASS: add_class(f, &f->r->items.list[item->class_item]); break;
    case FM_JS_TITLE_INSTANCE: (void)add_part(f, FM_STR("<instance_members_initializer>")); break;
    case FM_JS_TITLE_STATIC: (void)add_part(f, FM_STR("<static_initializer>")); break;
    }
}

/* Drops the parts of a name that is too long. */
static void drop_long(struct fm_js_functions *out, uint32_t first)
{
    for (size_t i = first; i < out->part_count; i++)
        if (out->parts[i].text.size > FM_LIMIT_SCRIPT_NAME) {
            out->part_count = first;
            return;
        }
}

static struct part_range title_parts(struct js_finish *f, const struct fm_js_item *item)
{
    const uint32_t first = (uint32_t)f->out->part_count;
    add_title(f, item);
    drop_long(f->out, first);
    return (struct part_range){first, (uint32_t)f->out->part_count - first};
}

/* Returns the parts of an inferred name. Functions with the same inferred name share these parts. */
static struct part_range parts_of(struct js_finish *f, const struct fm_js_item *item)
{
    if (item->title != FM_JS_TITLE_NAME || item->own.kind != FM_JS_NAME_NONE || item->name_count == 0)
        return title_parts(f, item);
    struct part_range *made = &f->made[item->first_name];
    if (made->first == FM_JS_NONE) *made = title_parts(f, item);
    return *made;
}

/* --- making functions --- */

static void add_function(struct js_finish *f, const struct fm_js_item *item, uint32_t *around)
{
    struct fm_js_functions *out = f->out;
    while (*around != FM_JS_NONE && out->functions[*around].end.col0 <= item->begin)
        *around = out->functions[*around].outer;
    const struct part_range parts = parts_of(f, item);
    out->functions[out->function_count] = (struct fm_js_function){.begin = {0, item->begin},
                                                                  .end = {0, item->end},
                                                                  .outer = *around,
                                                                  .first_part = parts.first,
                                                                  .part_count = parts.count,
                                                                  .begins_with_word = item->begins_with_word};
    *around = (uint32_t)out->function_count++;
}

static void collect_functions(struct js_finish *f)
{
    for (uint32_t i = 0; i < f->r->items.count; i++)
        if (!f->r->items.list[i].is_class || !f->r->items.list[i].has_constructor) f->order[f->count++] = i;
}

void fm_js_parser_finish(struct fm_js_parser *r, struct fm_js_functions *out)
{
    const size_t size = r->items.count * sizeof(uint32_t), made_size = (r->made.count + 1) * sizeof(struct part_range);
    struct js_finish f = {.r = r, .out = out};
    uint32_t around = FM_JS_NONE;
    if (r->items.count == 0) return;
    f.order = fm_heap_resize(r->heap, NULL, 0, size);
    f.spare = fm_heap_resize(r->heap, NULL, 0, size);
    f.made = fm_heap_resize(r->heap, NULL, 0, made_size);
    if (f.order == NULL || f.spare == NULL || f.made == NULL ||
        !FM_GROW(out->heap, out->functions, out->function_capacity, r->items.count))
        r->status = fm_error_memory(r->error);
    if (r->status == FRAMEMAP_OK) {
        memset(f.made, 0xFF, made_size);
        collect_functions(&f);
        sort(&f);
    }
    for (size_t i = 0; r->status == FRAMEMAP_OK && i < f.count; i++)
        add_function(&f, &r->items.list[f.order[i]], &around);
    fm_heap_free(r->heap, f.order, f.order ? size : 0);
    fm_heap_free(r->heap, f.spare, f.spare ? size : 0);
    fm_heap_free(r->heap, f.made, f.made ? made_size : 0);
}
