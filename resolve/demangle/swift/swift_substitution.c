/* Reads references to earlier parts of a name, and the short names of the standard library's types. Called by
 * swift_operators.c. */
#include "resolve/demangle/swift/swift_parts.h"

struct library_type {
    const char *name;
    enum fm_swift_kind kind;
};

#define STRUCTURE(name) {name, FM_SWIFT_STRUCTURE}
#define PROTOCOL(name) {name, FM_SWIFT_PROTOCOL}
/* Types that are written as "S" and a letter, by the letter. */
static const struct library_type short_types[128] = {
    ['A'] = STRUCTURE("AutoreleasingUnsafeMutablePointer"),
    ['a'] = STRUCTURE("Array"),
    ['B'] = PROTOCOL("BinaryFloatingPoint"),
    ['b'] = STRUCTURE("Bool"),
    ['D'] = STRUCTURE("Dictionary"),
    ['d'] = STRUCTURE("Double"),
    ['E'] = PROTOCOL("Encodable"),
    ['e'] = PROTOCOL("Decodable"),
    ['F'] = PROTOCOL("FloatingPoint"),
    ['f'] = STRUCTURE("Float"),
    ['G'] = PROTOCOL("RandomNumberGenerator"),
    ['H'] = PROTOCOL("Hashable"),
    ['h'] = STRUCTURE("Set"),
    ['I'] = STRUCTURE("DefaultIndices"),
    ['i'] = STRUCTURE("Int"),
    ['J'] = STRUCTURE("Character"),
    ['j'] = PROTOCOL("Numeric"),
    ['K'] = PROTOCOL("BidirectionalCollection"),
    ['k'] = PROTOCOL("RandomAccessCollection"),
    ['L'] = PROTOCOL("Comparable"),
    ['l'] = PROTOCOL("Collection"),
    ['M'] = PROTOCOL("MutableCollection"),
    ['m'] = PROTOCOL("RangeReplaceableCollection"),
    ['N'] = STRUCTURE("ClosedRange"),
    ['n'] = STRUCTURE("Range"),
    ['O'] = STRUCTURE("ObjectIdentifier"),
    ['P'] = STRUCTURE("UnsafePointer"),
    ['p'] = STRUCTURE("UnsafeMutablePointer"),
    ['Q'] = PROTOCOL("Equatable"),
    ['q'] = {"Optional", FM_SWIFT_ENUM},
    ['R'] = STRUCTURE("UnsafeBufferPointer"),
    ['r'] = STRUCTURE("UnsafeMutableBufferPointer"),
    ['S'] = STRUCTURE("String"),
    ['s'] = STRUCTURE("Substring"),
    ['T'] = PROTOCOL("Sequence"),
    ['t'] = PROTOCOL("IteratorProtocol"),
    ['U'] = PROTOCOL("UnsignedInteger"),
    ['u'] = STRUCTURE("UInt"),
    ['V'] = STRUCTURE("UnsafeRawPointer"),
    ['v'] = STRUCTURE("UnsafeMutableRawPointer"),
    ['W'] = STRUCTURE("UnsafeRawBufferPointer"),
    ['w'] = STRUCTURE("UnsafeMutableRawBufferPointer"),
    ['X'] = PROTOCOL("RangeExpression"),
    ['x'] = PROTOCOL("Strideable"),
    ['Y'] = PROTOCOL("RawRepresentable"),
    ['y'] = PROTOCOL("StringProtocol"),
    ['Z'] = PROTOCOL("SignedInteger"),
    ['z'] = PROTOCOL("BinaryInteger"),
};
/* Types that are written as "Sc" and a letter, by the letter. */
static const struct library_type concurrency_types[128] = {
    ['A'] = PROTOCOL("Actor"),
    ['C'] = STRUCTURE("CheckedContinuation"),
    ['c'] = STRUCTURE("UnsafeContinuation"),
    ['E'] = STRUCTURE("CancellationError"),
    ['e'] = STRUCTURE("UnownedSerialExecutor"),
    ['F'] = PROTOCOL("Executor"),
    ['f'] = PROTOCOL("SerialExecutor"),
    ['G'] = STRUCTURE("TaskGroup"),
    ['g'] = STRUCTURE("ThrowingTaskGroup"),
    ['h'] = PROTOCOL("TaskExecutor"),
    ['I'] = PROTOCOL("AsyncIteratorProtocol"),
    ['i'] = PROTOCOL("AsyncSequence"),
    ['J'] = STRUCTURE("UnownedJob"),
    ['M'] = {"MainActor", FM_SWIFT_CLASS},
    ['P'] = STRUCTURE("TaskPriority"),
    ['S'] = STRUCTURE("AsyncStream"),
    ['s'] = STRUCTURE("AsyncThrowingStream"),
    ['T'] = STRUCTURE("Task"),
    ['t'] = STRUCTURE("UnsafeCurrentTask"),
};

struct fm_swift_node *fm_swift_library_type(struct fm_swift_reader *r, enum fm_swift_kind kind, framemap_str name)
{
    struct fm_swift_node *module = fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("Swift"));
    struct fm_swift_node *identifier = fm_swift_text(r->pool, FM_SWIFT_IDENTIFIER, name);
    return fm_swift_type(r, fm_swift_make2(r, kind, module, identifier));
}

/* Pushes a node all but one of `times` times, and returns it for the last one. times below 2: just returns it. */
static struct fm_swift_node *repeat(struct fm_swift_reader *r, struct fm_swift_node *node, int32_t times)
{
    if (times > FM_SWIFT_MOST_REPEATS || node == NULL) return NULL;
    if (times > 1 && !fm_swift_work(r->pool, (size_t)times)) return NULL;
    for (; times > 1; times--)
        if (!fm_swift_push(r, node)) return NULL;
    return node;
}

struct fm_swift_node *fm_swift_substitution(struct fm_swift_reader *r)
{
    int32_t number = -1;
    const struct fm_swift_list *table = &r->substitutions;
    for (;;) {
        const char c = fm_swift_peek(r);
        if (fm_swift_is_lower(c) || fm_swift_is_upper(c)) {
            const bool is_last = fm_swift_is_upper(c);
            const size_t entry = (size_t)(is_last ? c - 'A' : c - 'a');
            r->at++;
            struct fm_swift_node *node = entry < table->count ? repeat(r, table->nodes[entry], number) : NULL;
            if (node == NULL || is_last) return node;
            if (!fm_swift_push(r, node)) return NULL;
            number = -1;
        } else if (c == '_') { /* the number is no repetition: "_" is the entry 26, "N_" is N + 27 */
            r->at++;
            const size_t entry = (size_t)((int64_t)number + 27);
            return entry < table->count ? table->nodes[entry] : NULL;
        } else {
            number = fm_swift_natural(r);
            if (number < 0) return NULL;
        }
    }
}

/* Wraps the type on the stack in Optional. */
static struct fm_swift_node *optional(struct fm_swift_reader *r)
{
    struct fm_swift_node *arguments = fm_swift_make1(r, FM_SWIFT_TYPE_LIST, fm_swift_pop_type(r));
    struct fm_swift_node *nominal = fm_swift_library_type(r, FM_SWIFT_ENUM, FM_STR("Optional"));
    return fm_swift_substitutable(r, fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_BOUND_ENUM, nominal, arguments)));
}

struct fm_swift_node *fm_swift_standard(struct fm_swift_reader *r)
{
    if (fm_swift_take_if(r, 'o')) return fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("__C"));
    if (fm_swift_take_if(r, 'C')) return fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("__C_Synthesized"));
    if (fm_swift_take_if(r, 'g')) return optional(r);
    const int32_t times = fm_swift_natural(r);
    const struct library_type *types = fm_swift_take_if(r, 'c') ? concurrency_types : short_types;
    const unsigned char letter = (unsigned char)fm_swift_take(r);
    if (letter >= 128 || types[letter].name == NULL) return NULL;
    const framemap_str name = framemap_str_of(types[letter].name);
    return repeat(r, fm_swift_library_type(r, types[letter].kind, name), times);
}
