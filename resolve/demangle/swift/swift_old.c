/* Reads run-time names of classes. Their grammar puts operators before operands, so the reader is recursive; the depth
 * is limited. Called by swift_demangle.c. */
#include "resolve/demangle/swift/swift_old.h"

#define MOST_DEPTH 64u /* nested types; real names have at most a few */

static struct fm_swift_node *type(struct fm_swift_reader *r, unsigned depth);
static struct fm_swift_node *context(struct fm_swift_reader *r, unsigned depth);

/* Reads a length and so many bytes. */
static struct fm_swift_node *identifier(struct fm_swift_reader *r)
{
    const int32_t size = fm_swift_natural(r);
    if (size <= 0 || (size_t)size > r->text.size - r->at) return NULL;
    const framemap_str text = fm_str_slice(r->text, r->at, r->at + (size_t)size);
    r->at += (size_t)size;
    return fm_swift_text(r->pool, FM_SWIFT_IDENTIFIER, text);
}

/* Reads the name of a declaration: an identifier, after "P" and a discriminator if the declaration is private, or after
 * "L" and a number if it is local. */
static struct fm_swift_node *declared_name(struct fm_swift_reader *r)
{
    struct fm_swift_node *before = NULL;
    if (fm_swift_take_if(r, 'P')) {
        before = identifier(r);
        return fm_swift_make2(r, FM_SWIFT_PRIVATE_NAME, before, identifier(r));
    }
    if (fm_swift_take_if(r, 'L')) {
        before = fm_swift_index_node(r);
        return fm_swift_make2(r, FM_SWIFT_LOCAL_NAME, before, identifier(r));
    }
    return identifier(r);
}

static struct fm_swift_node *nominal(struct fm_swift_reader *r, enum fm_swift_kind kind, unsigned depth)
{
    struct fm_swift_node *outer = context(r, depth + 1);
    return outer != NULL ? fm_swift_substitutable(r, fm_swift_make2(r, kind, outer, declared_name(r))) : NULL;
}

static struct fm_swift_node *library_type(struct fm_swift_reader *r, enum fm_swift_kind kind, const char *name)
{
    struct fm_swift_node *module = fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("Swift"));
    return fm_swift_make2(r, kind, module, fm_swift_text(r->pool, FM_SWIFT_IDENTIFIER, framemap_str_of(name)));
}

/* Reads "S": an earlier module or type, or a module or type that is known by a letter. */
static struct fm_swift_node *substitution(struct fm_swift_reader *r)
{
    static const struct {
        char letter;
        unsigned char is_enum;
        const char *name;
    } types[] = {{'a', 0, "Array"},
                 {'b', 0, "Bool"},
                 {'c', 0, "UnicodeScalar"},
                 {'d', 0, "Double"},
                 {'f', 0, "Float"},
                 {'i', 0, "Int"},
                 {'P', 0, "UnsafePointer"},
                 {'p', 0, "UnsafeMutablePointer"},
                 {'Q', 1, "ImplicitlyUnwrappedOptional"},
                 {'q', 1, "Optional"},
                 {'R', 0, "UnsafeBufferPointer"},
                 {'r', 0, "UnsafeMutableBufferPointer"},
                 {'S', 0, "String"},
                 {'u', 0, "UInt"},
                 {'V', 0, "UnsafeRawPointer"},
                 {'v', 0, "UnsafeMutableRawPointer"}};
    if (fm_swift_take_if(r, 's')) return fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("Swift"));
    if (fm_swift_take_if(r, 'o')) return fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("__C"));
    if (fm_swift_take_if(r, 'C')) return fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("__C_Synthesized"));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (fm_swift_take_if(r, types[i].letter))
            return library_type(r, types[i].is_enum ? FM_SWIFT_ENUM : FM_SWIFT_STRUCTURE, types[i].name);
    const int32_t index = fm_swift_index(r);
    return index >= 0 && (size_t)index < r->substitutions.count ? r->substitutions.nodes[index] : NULL;
}

static struct fm_swift_node *module(struct fm_swift_reader *r)
{
    if (fm_swift_take_if(r, 's')) return fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("Swift"));
    return fm_swift_substitutable(r, fm_swift_rename(r->pool, identifier(r), FM_SWIFT_MODULE));
}

/* Reads an extension: its module, and the type that it extends. */
static struct fm_swift_node *extension(struct fm_swift_reader *r, unsigned depth)
{
    struct fm_swift_node *where = fm_swift_take_if(r, 'S') ? substitution(r) : module(r);
    return where != NULL ? fm_swift_make2(r, FM_SWIFT_EXTENSION, where, context(r, depth + 1)) : NULL;
}

/* Reads what a type is declared in: a module, another type, or an extension. */
static struct fm_swift_node *context(struct fm_swift_reader *r, unsigned depth)
{
    if (depth > MOST_DEPTH) return NULL;
    if (fm_swift_take_if(r, 'C')) return nominal(r, FM_SWIFT_CLASS, depth);
    if (fm_swift_take_if(r, 'V')) return nominal(r, FM_SWIFT_STRUCTURE, depth);
    if (fm_swift_take_if(r, 'O')) return nominal(r, FM_SWIFT_ENUM, depth);
    if (fm_swift_take_if(r, 'P')) return nominal(r, FM_SWIFT_PROTOCOL, depth);
    if (fm_swift_take_if(r, 'E')) return extension(r, depth);
    return fm_swift_take_if(r, 'S') ? substitution(r) : module(r);
}

/* Reads a protocol in a list: a substitution alone, or a context and a name. */
static struct fm_swift_node *protocol(struct fm_swift_reader *r, unsigned depth)
{
    struct fm_swift_node *outer = context(r, depth + 1);
    if (fm_swift_is(outer, FM_SWIFT_PROTOCOL)) return fm_swift_type(r, outer);
    if (outer == NULL) return NULL;
    struct fm_swift_node *node = fm_swift_make2(r, FM_SWIFT_PROTOCOL, outer, declared_name(r));
    return fm_swift_type(r, fm_swift_substitutable(r, node));
}

static struct fm_swift_node *protocols(struct fm_swift_reader *r, unsigned depth)
{
    struct fm_swift_node *list = fm_swift_make(r, FM_SWIFT_TYPE_LIST);
    while (list != NULL && !fm_swift_take_if(r, '_')) list = fm_swift_with(r, list, protocol(r, depth));
    return fm_swift_make1(r, FM_SWIFT_PROTOCOL_LIST, list);
}

/* Reads "G", a generic type and its arguments up to an underscore, those of the outermost type first. Types that are
 * nested in generic types are not read. */
static struct fm_swift_node *bound(struct fm_swift_reader *r, unsigned depth)
{
    struct fm_swift_node *generic = fm_swift_unwrap(type(r, depth + 1));
    struct fm_swift_node *arguments = fm_swift_make(r, FM_SWIFT_TYPE_LIST);
    while (arguments != NULL && !fm_swift_take_if(r, '_')) arguments = fm_swift_with(r, arguments, type(r, depth + 1));
    if (generic == NULL || arguments == NULL || arguments->count == 0) return NULL;
    const enum fm_swift_kind kind = generic->kind == FM_SWIFT_CLASS       ? FM_SWIFT_BOUND_CLASS
                                    : generic->kind == FM_SWIFT_STRUCTURE ? FM_SWIFT_BOUND_STRUCTURE
                                    : generic->kind == FM_SWIFT_ENUM      ? FM_SWIFT_BOUND_ENUM
                                                                          : FM_SWIFT_KIND_COUNT;
    if (kind == FM_SWIFT_KIND_COUNT) return NULL;
    return fm_swift_make2(r, kind, fm_swift_type(r, generic), arguments);
}

static struct fm_swift_node *type(struct fm_swift_reader *r, unsigned depth)
{
    struct fm_swift_node *node = NULL;
    if (depth > MOST_DEPTH) return NULL;
    switch (fm_swift_take(r)) {
    case 'C': node = nominal(r, FM_SWIFT_CLASS, depth); break;
    case 'V': node = nominal(r, FM_SWIFT_STRUCTURE, depth); break;
    case 'O': node = nominal(r, FM_SWIFT_ENUM, depth); break;
    case 'P': node = protocols(r, depth); break;
    case 'G': node = bound(r, depth); break;
    case 'S': node = substitution(r); break;
    default: break;
    }
    return fm_swift_is(node, FM_SWIFT_MODULE) ? NULL : fm_swift_type(r, node);
}

struct fm_swift_node *fm_swift_old_read(struct fm_swift_reader *r, struct fm_swift_pool *pool, framemap_str text)
{
    r->text = text;
    r->at = 0;
    r->has_old_functions = false;
    r->pool = pool;
    r->word_count = 0;
    fm_swift_list_init(&r->stack);
    fm_swift_list_init(&r->substitutions);
    struct fm_swift_node *node = type(r, 0);
    return node != NULL && r->at == text.size ? fm_swift_make1(r, FM_SWIFT_GLOBAL, node) : NULL;
}
