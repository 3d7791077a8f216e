/* Implements name_key.h: normalizes the names of functions, paths, modules and messages for the comparison of stacks:
 * drops counters, hashes, versions and parameters, and puts '*' for numbers and quotations in messages. */
#include "api/group/name_key.h"
#include "core/text/scan.h"

#include <string.h>

enum { NAME_MOST = 4096 }; /* maximum number of bytes of a name that a key depends on */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_hex(char c) { return fm_hex_digits[(unsigned char)c] != 0; }

/* --- removing from names of functions what differs from build to build --- */

/* Words after which compilers and runtimes write a counter. The counter is a run of the bytes in `skipped`. */
static const struct {
    framemap_str word;
    const char *skipped; /* the bytes of which the counter consists */
    bool needs_digit;    /* the counter begins with a digit */
} counters[] = {
    {FM_STR_INIT("$$Lambda"), "$/0123456789abcdefx.", false}, /* lambdas of Java: "$$Lambda$14/0x0000800100066a88" */
    {FM_STR_INIT("$lambda"), "$-0123456789", false},          /* lambdas of Kotlin: "f$lambda$3", "f$lambda-3" */
    {FM_STR_INIT("ExternalSyntheticLambda"), "0123456789", false},
    {FM_STR_INIT("ExternalSyntheticApiModelOutline"), "0123456789", false},
    {FM_STR_INIT("BySpringCGLIB$$"), "0123456789abcdef", false},
    {FM_STR_INIT("ByCGLIB$$"), "0123456789abcdef", false},
    {FM_STR_INIT("$Proxy"), "0123456789", false},
    {FM_STR_INIT("Accessor"), "0123456789", false}, /* classes of Java's reflection: "GeneratedMethodAccessor12" */
    {FM_STR_INIT("block_invoke"), "_.0123456789", false},
    {FM_STR_INIT("'lambda"), "0123456789", false},
    {FM_STR_INIT(".func"), ".0123456789", false}, /* closures of Go: "f.func1" */
    {FM_STR_INIT("DisplayClass"), "_0123456789", false},
    {FM_STR_INIT(">b__"), "_0123456789", false}, /* lambdas of C#: "<F>b__0" */
    {FM_STR_INIT(">d__"), "_0123456789", false},
    {FM_STR_INIT("|"), "_0123456789", true}, /* local functions of C#: "<F>g__G|3_0" */
    {FM_STR_INIT("$_"), "0123456789", false},
    {FM_STR_INIT("$"), "0123456789", true}, /* classes and methods that javac makes: "Shop$1", "access$000" */
    {FM_STR_INIT("#"), "0123456789", true}, /* lambdas of C++ and closures of Swift: "{lambda()#2}", "closure #1 in" */
    {FM_STR_INIT("0x"), "0123456789abcdefABCDEF", true},
};
enum { COUNTERS = sizeof counters / sizeof *counters };

/* Returns the size of a word of `counters` at the start of a text together with the counter after it; 0: the text does
 * not start with such a word. *kept: size of the word, which stays in the key. */
static size_t counter_size(framemap_str text, size_t *kept)
{
    for (size_t i = 0; i < COUNTERS; i++) {
        const framemap_str word = counters[i].word;
        if (!fm_str_starts(text, word)) continue;
        size_t size = word.size;
        if (counters[i].needs_digit && (size == text.size || !fm_is_digit(text.data[size]))) continue;
        while (size < text.size && text.data[size] && strchr(counters[i].skipped, text.data[size])) size++;
        *kept = word.size;
        return size;
    }
    return 0;
}

/* Returns the size of the hash that ends the name of a Rust function ("::h0123456789abcdef"), or 0. */
static size_t rust_hash_size(framemap_str text)
{
    enum { SIZE = 19 };
    if (text.size < SIZE || !fm_str_starts(text, FM_STR("::h"))) return 0;
    for (size_t i = 3; i < SIZE; i++)
        if (!is_hex(text.data[i])) return 0;
    return text.size == SIZE || !is_hex(text.data[SIZE]) ? SIZE : 0;
}

/* Suffixes of functions that compilers divide or copy. */
static const framemap_str suffixes[] = {
    FM_STR_INIT(".cold"),       FM_STR_INIT(".part."),     FM_STR_INIT(".isra."),      FM_STR_INIT(".constprop."),
    FM_STR_INIT(".llvm."),      FM_STR_INIT(".lto_priv."), FM_STR_INIT(".localalias"), FM_STR_INIT(".warm"),
    FM_STR_INIT(".__uniq."),    FM_STR_INIT(".clone."),    FM_STR_INIT(".resume"),     FM_STR_INIT(" [clone "),
    FM_STR_INIT(" (.cold"),     FM_STR_INIT(" (.part."),   FM_STR_INIT(" (.isra."),    FM_STR_INIT(" (.llvm."),
    FM_STR_INIT(" (.constprop")};

static framemap_str without_suffixes(framemap_str name)
{
    size_t end = name.size;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        const size_t at = fm_str_find(fm_str_slice(name, 0, end), suffixes[i]);
        if (at != FM_NOT_FOUND && at > 0) end = at;
    }
    return fm_str_slice(name, 0, end);
}

/* Whether a bracket after `before`, the start of a name, still belongs to the name, and does not enclose parameters. */
static bool goes_on(framemap_str before)
{
    return before.size == 0 || fm_str_ends(before, FM_STR("operator")) || fm_str_ends(before, FM_STR("::")) ||
           fm_str_ends(before, FM_STR(" "));
}

/* Returns a name without its parameters and the text after them: "a::f" for "a::f(int, char) const". The parameters are
 * in the last brackets that are not within other brackets. */
static framemap_str without_parameters(framemap_str name)
{
    size_t depth = 0, open = 0, end = name.size;
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i];
        if (c == '(' && depth++ == 0) open = i;
        if (c == ')' && depth > 0 && --depth == 0 && !goes_on(fm_str_slice(name, 0, open))) end = open;
        if (c == '<' || c == '{') depth++;
        if ((c == '>' || c == '}') && depth > 0) depth--;
    }
    return fm_str_slice(name, 0, end);
}

void fm_put_name_key(struct fm_buf *out, framemap_str name, bool native)
{
    name = fm_str_slice(name, 0, NAME_MOST);
    if (native) name = without_suffixes(name);
    if (native && !fm_str_begins(name, FM_STR("-[")) && !fm_str_begins(name, FM_STR("+[")))
        name = without_parameters(name);
    for (size_t at = 0; at < name.size;) {
        const framemap_str rest = fm_str_from(name, at);
        size_t kept = 0, size = rust_hash_size(rest);
        if (size == 0) size = counter_size(rest, &kept);
        if (size == 0) size = kept = 1;
        fm_buf_str(out, fm_str_slice(rest, 0, kept));
        at += size;
    }
}

/* --- removing from paths and names of images what differs from build to build --- */

struct part_facts {
    bool all_digits, all_hex, has_digit, has_letter;
};

static struct part_facts facts_of(framemap_str part)
{
    struct part_facts facts = {.all_digits = part.size > 0, .all_hex = part.size > 0};
    for (size_t i = 0; i < part.size; i++) {
        facts.all_digits = facts.all_digits && fm_is_digit(part.data[i]);
        facts.all_hex = facts.all_hex && is_hex(part.data[i]);
        facts.has_digit = facts.has_digit || fm_is_digit(part.data[i]);
        facts.has_letter = facts.has_letter || is_letter(part.data[i]);
    }
    return facts;
}

/* Whether a part of a name is a number, or a hash that a bundler added: at least six hexadecimal digits, one of them a
 * decimal digit, or 8 to 64 letters and digits, at least one of each. */
static bool is_generated(framemap_str part)
{
    const struct part_facts facts = facts_of(part);
    if (facts.all_digits) return true;
    if (facts.all_hex && facts.has_digit) return part.size >= 6;
    return facts.has_digit && facts.has_letter && part.size >= 8 && part.size <= 64;
}

/* Whether the name of a folder is a version: "v1.2.3", "1.2", "10". */
static bool is_version(framemap_str name)
{
    const size_t begin = name.size > 1 && (name.data[0] == 'v' || name.data[0] == 'V');
    for (size_t i = begin; i < name.size; i++)
        if (!fm_is_digit(name.data[i]) && name.data[i] != '.' && name.data[i] != '-') return false;
    return name.size > 0;
}

static bool divides(char c) { return c == '.' || c == '-' || c == '_' || c == '@' || c == '~'; }

/* Whether the whole name of a folder is generated. */
static bool is_hash(framemap_str name)
{
    for (size_t i = 0; i < name.size; i++)
        if (divides(name.data[i])) return false;
    return is_generated(name);
}

/* Appends one name of a path, without its generated parts. The first part is kept even if it looks generated. */
static void put_parts(struct fm_buf *out, framemap_str name)
{
    size_t end = 0;
    for (size_t at = 0; at < name.size; at = end) {
        end = at + 1;
        while (end < name.size && !divides(name.data[end])) end++;
        const framemap_str part = fm_str_slice(name, at, end);
        if (at == 0 || !is_generated(fm_str_from(part, 1))) fm_buf_str(out, part);
    }
}

static framemap_str without_query(framemap_str path)
{
    size_t end = 0;
    while (end < path.size && path.data[end] != '?' && path.data[end] != '#') end++;
    return fm_str_slice(path, 0, end);
}

void fm_put_path_key(struct fm_buf *out, framemap_str path)
{
    path = without_query(fm_str_slice(path, 0, NAME_MOST));
    const framemap_str name = fm_str_basename(path);
    framemap_str folder = fm_str_basename(fm_str_slice(path, 0, path.size - name.size - (path.size > name.size)));
    if (folder.size && folder.data[folder.size - 1] != ':' && !is_version(folder) && !is_hash(folder)) {
        put_parts(out, folder);
        fm_buf_byte(out, '/');
    }
    put_parts(out, name);
}

void fm_put_module_key(struct fm_buf *out, framemap_str module)
{
    put_parts(out, fm_str_basename(fm_str_slice(module, 0, NAME_MOST)));
}

/* --- removing from messages what differs from stack to stack --- */

static bool name_key_is_word(char c) { return is_letter(c) || fm_is_digit(c) || c == '_' || (unsigned char)c >= 0x80; }

/* Returns the size of a quoted text at the start of a text; 0: none. */
static size_t quoted_size(framemap_str text)
{
    const char quote = text.data[0];
    if (quote != '"' && quote != '\'' && quote != '`') return 0;
    const size_t end = fm_str_find_byte(fm_str_from(text, 1), quote);
    return end == FM_NOT_FOUND ? 0 : end + 2;
}

void fm_put_message_key(struct fm_buf *out, framemap_str message)
{
    size_t size = 0;
    message = fm_str_slice(message, 0, NAME_MOST);
    for (size_t at = 0; at < message.size; at += size) {
        const framemap_str rest = fm_str_from(message, at);
        const bool within = at > 0 && name_key_is_word(message.data[at - 1]);
        size = within ? 0 : quoted_size(rest);
        if (size) {
            fm_buf_byte(out, '*');
            continue;
        }
        while (size < rest.size && name_key_is_word(rest.data[size])) size++;
        if (size == 0) size = 1;
        const framemap_str word = fm_str_slice(rest, 0, size);
        const struct part_facts facts = facts_of(word);
        if (facts.has_digit)
            fm_buf_byte(out, '*');
        else
            fm_buf_str(out, word);
    }
}
