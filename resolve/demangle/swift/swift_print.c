/* Prints the nodes of a Swift name. Most kinds are printed by their words in swift_kinds.h; the other files of this
 * folder print the rest. Called by swift_demangle.c. */
#include "resolve/demangle/swift/swift_print.h"

/* Maximum number of nodes around a node: each takes up to 500 bytes of the caller's stack. Real names have fewer
 * than 40. */
#define MOST_DEPTH 200u

/* Prints one placeholder of the words of a kind. */
static void print_placeholder(struct fm_swift_printer *p, struct fm_swift_node *node, char which, unsigned depth)
{
    switch (which) {
    case 't': fm_swift_put(p, fm_swift_text_of(node)); break;
    case 'n':
        if (node->content != FM_SWIFT_VALUE)
            p->bad = true;
        else
            fm_swift_put_number(p, node->is.number);
        break;
    case '*': fm_swift_print_list(p, node, (framemap_str){NULL, 0}, depth); break;
    case ',': fm_swift_print_list(p, node, FM_STR(", "), depth); break;
    default: fm_swift_print(p, fm_swift_child(node, (uint32_t)(which - '0')), depth + 1);
    }
}

static void print_words(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    const char *words = fm_swift_words[node->kind];
    if (words[0] == '?') { /* printed by code, which found the node malformed */
        p->bad = true;
        return;
    }
    for (;;) {
        const char *end = words;
        while (*end && *end != '%') end++;
        fm_swift_put(p, fm_str(words, (size_t)(end - words)));
        if (*end == 0 || p->bad) return;
        print_placeholder(p, node, end[1], depth);
        words = end + 2;
    }
}

/* Prints a text in quotes, with escapes for characters that are not printable ASCII. */
static void print_quoted(struct fm_swift_printer *p, framemap_str text)
{
    static const char hexadecimal[] = "0123456789ABCDEF";
    FM_SWIFT_PUT(p, "\"");
    for (size_t i = 0; i < text.size && !p->bad; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        const char hex[4] = {'\\', 'x', hexadecimal[c >> 4], hexadecimal[c & 15]};
        const char plain = c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\\' || c == '"' ? (char)c : 0;
        const char escape[2] = {'\\', plain};
        if (plain)
            fm_swift_put(p, fm_str(escape, sizeof escape));
        else if (c < 0x20 || c >= 0x7f)
            fm_swift_put(p, fm_str(hex, sizeof hex));
        else
            fm_swift_put(p, fm_str_slice(text, i, i + 1));
    }
    FM_SWIFT_PUT(p, "\"");
}

static void print_suffix(struct fm_swift_printer *p, const struct fm_swift_node *node)
{
    if (!p->is_full) return;
    FM_SWIFT_PUT(p, " with unmangled suffix ");
    print_quoted(p, fm_swift_text_of(node));
}

static void print_private_name(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    struct fm_swift_node *name = fm_swift_child(node, 1);
    if (p->is_full) FM_SWIFT_PUT(p, "(");
    if (name != NULL) fm_swift_print(p, name, depth + 1);
    if (!p->is_full) return;
    if (name != NULL) FM_SWIFT_PUT(p, " ");
    FM_SWIFT_PUT(p, "in ");
    fm_swift_put(p, fm_swift_text_of(fm_swift_child(node, 0)));
    FM_SWIFT_PUT(p, ")");
}

static void print_local_name(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const struct fm_swift_node *index = fm_swift_child(node, 0);
    fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
    FM_SWIFT_PUT(p, " #");
    fm_swift_put_number(p, index->is.number + 1);
}

static void print_extension(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    if (p->is_full) {
        FM_SWIFT_PUT(p, "(extension in ");
        fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
        FM_SWIFT_PUT(p, "):");
    }
    fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
    if (node->count == 3) fm_swift_print(p, fm_swift_child(node, 2), depth + 1);
}

static void print_anonymous_context(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    struct fm_swift_node *types = fm_swift_child(node, 2);
    if (!p->is_full) return;
    fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
    FM_SWIFT_PUT(p, ".(unknown context at ");
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, ")");
    if (types == NULL || types->count == 0) return;
    FM_SWIFT_PUT(p, "<");
    fm_swift_print(p, types, depth + 1);
    FM_SWIFT_PUT(p, ">");
}

static void print_once_list(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    if (node->count != 1) FM_SWIFT_PUT(p, "(");
    fm_swift_print_list(p, node, FM_STR(", "), depth);
    if (node->count != 1) FM_SWIFT_PUT(p, ")");
}

/* Prints names, contexts and lists. Returns false if the node is of another kind. */
static bool print_name(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    switch (node->kind) {
    case FM_SWIFT_MODULE:
        if (p->is_full) fm_swift_put(p, fm_swift_text_of(node));
        break;
    case FM_SWIFT_LOCAL_NAME: print_local_name(p, node, depth); break;
    case FM_SWIFT_PRIVATE_NAME: print_private_name(p, node, depth); break;
    case FM_SWIFT_EXTENSION: print_extension(p, node, depth); break;
    case FM_SWIFT_ANONYMOUS_CONTEXT: print_anonymous_context(p, node, depth); break;
    case FM_SWIFT_SUFFIX: print_suffix(p, node); break;
    case FM_SWIFT_ASSOCIATED_PATH: fm_swift_print_list(p, node, FM_STR("."), depth); break;
    case FM_SWIFT_ONCE_LIST: print_once_list(p, node, depth); break;
    case FM_SWIFT_VALUE_WITNESS:
        fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
        fm_swift_put(p, p->is_full ? FM_STR(" value witness for ") : FM_STR(" for "));
        fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
        break;
    default: return false;
    }
    return true;
}

static struct fm_swift_node *print_any(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth,
                                       bool is_prefix)
{
    bool is_entity = false;
    if (node == NULL || depth > MOST_DEPTH || !fm_swift_work(p->pool, 1)) p->bad = true;
    if (p->bad) return NULL;
    if (node->kind == FM_SWIFT_TYPE) {
        print_any(p, fm_swift_child(node, 0), depth + 1, false);
        return NULL;
    }
    if (node->kind == FM_SWIFT_IDENTIFIER) {
        fm_swift_put(p, node->is.text);
        return NULL;
    }
    struct fm_swift_node *after = fm_swift_print_entity(p, node, depth, is_prefix, &is_entity);
    if (is_entity) return after;
    if ((fm_swift_flags[node->kind] & FM_SWIFT_IS_LONG_ONLY) != 0 && !p->is_full) return NULL;
    if (!print_name(p, node, depth) && !fm_swift_print_type(p, node, depth) &&
        !fm_swift_print_generic(p, node, depth) && !fm_swift_print_special(p, node, depth))
        print_words(p, node, depth);
    return NULL;
}

bool fm_swift_print_name(struct fm_swift_printer *p, struct fm_swift_pool *pool, struct fm_swift_node *name,
                         bool is_full)
{
    fm_swift_printer_init(p, pool, is_full, print_any);
    fm_swift_print(p, name, 0);
    return !p->bad && p->size > 0;
}
