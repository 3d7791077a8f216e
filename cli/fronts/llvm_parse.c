/* Parses the requests of llvm-symbolizer's protocol. All rules and messages follow the observed behaviour of
 * release 19. */
#include "cli/fronts/llvm.h"

#include <string.h>

static bool consume(framemap_str *text, const char *word)
{
    size_t size = strlen(word);
    if (text->size < size || memcmp(text->data, word, size) != 0) return false;
    *text = (framemap_str){text->data + size, text->size - size};
    return true;
}

static bool is_one_of(char byte, const char *set) { return byte != '\0' && strchr(set, byte) != NULL; }

static framemap_str skip_blanks(framemap_str text)
{
    while (text.size && is_one_of(text.data[0], " \t\n\v\f\r")) text = (framemap_str){text.data + 1, text.size - 1};
    return text;
}

static framemap_str trim(framemap_str text)
{
    text = skip_blanks(text);
    while (text.size && is_one_of(text.data[text.size - 1], " \t\n\v\f\r")) text.size--;
    return text;
}

/* Takes the next word, which is quoted if it contains blanks; empty if no word is left, or its quote is not closed. */
static framemap_str next_word(framemap_str *text)
{
    size_t at = 0, begin;
    while (at < text->size && is_one_of(text->data[at], " \n\r")) at++;
    begin = at;
    if (at < text->size && is_one_of(text->data[at], "\"'")) {
        const char *end = memchr(text->data + at + 1, text->data[at], text->size - at - 1);
        if (!end) return (framemap_str){0};
        framemap_str word = {text->data + at + 1, (size_t)(end - text->data) - at - 1};
        at = (size_t)(end - text->data) + 1;
        *text = (framemap_str){text->data + at, text->size - at};
        return word;
    }
    while (at < text->size && !is_one_of(text->data[at], " \n\r")) at++;
    framemap_str word = {text->data + begin, at - begin};
    *text = (framemap_str){text->data + at, text->size - at};
    return word;
}

static bool parse_base(framemap_str text, unsigned base, uint64_t *out)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        unsigned digit = byte >= '0' && byte <= '9'                     ? (unsigned)(byte - '0')
                         : (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' ? (unsigned)((byte | 0x20) - 'a') + 10
                                                                        : 36;
        if (digit >= base || value > (UINT64_MAX - digit) / base) return false;
        value = value * base + digit;
    }
    *out = value;
    return text.size > 0;
}

bool fm_llvm_number(framemap_str text, uint64_t *out)
{
    if (consume(&text, "0x") || consume(&text, "0X")) return parse_base(text, 16, out);
    if (consume(&text, "0b") || consume(&text, "0B")) return parse_base(text, 2, out);
    if (consume(&text, "0o")) return parse_base(text, 8, out);
    if (text.size > 1 && text.data[0] == '0' && text.data[1] >= '0' && text.data[1] <= '9') {
        consume(&text, "0");
        return parse_base(text, 8, out);
    }
    return parse_base(text, 10, out);
}

static bool is_build_id(framemap_str text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!is_one_of(text.data[i], "0123456789abcdefABCDEF")) return false;
    return text.size > 0 && text.size % 2 == 0;
}

static const char *parse_module(const struct fm_llvm *llvm, framemap_str *text, struct fm_llvm_request *out)
{
    bool by_file = false;
    for (*text = skip_blanks(*text); text->size; *text = skip_blanks(*text)) {
        bool file = consume(text, "FILE:");
        if (!file && !consume(text, "BUILDID:")) break;
        if (by_file || out->by_build_id) return "duplicate input file specification prefix";
        by_file = file;
        out->by_build_id = !file;
    }
    bool given = llvm->object || llvm->build_id;
    if (!by_file && !out->by_build_id) {
        if (given) {
            out->module = framemap_str_of(llvm->object ? llvm->object : llvm->build_id);
            out->by_build_id = !llvm->object;
            return NULL;
        }
        out->module = next_word(text);
        return out->module.size ? NULL : "no input filename has been specified";
    }
    if (text->size == 0) return by_file ? "must be followed by an input file" : "must be followed by a hash";
    if (given) return "input file has already been specified";
    out->module = next_word(text);
    if (out->module.size == 0) return "unbalanced quotes in input file name";
    if (by_file || is_build_id(out->module)) return NULL;
    out->module = (framemap_str){0};
    return "wrong format of build-id";
}

static const char *parse_llvm_location(const struct fm_llvm *llvm, framemap_str text, struct fm_llvm_request *out)
{
    text = trim(text);
    if (text.size == 0) return "no module offset has been specified";
    size_t size = 0;
    while (size < text.size && !is_one_of(text.data[size], " \n\r")) size++;
    text.size = size; /* text after the number is ignored, as in addr2line */

    bool digit = text.data[0] >= '0' && text.data[0] <= '9';
    if (llvm->addr2line && !consume(&text, "0x")) consume(&text, "0X");
    if (llvm->addr2line ? parse_base(text, 16, &out->address) : fm_llvm_number(text, &out->address)) {
        out->has_address = true;
        return NULL;
    }
    if (digit || text.size == 0) return "expected a number as module offset";
    out->symbol = text;
    for (size_t at = text.size; at-- > 1;) {
        uint64_t offset;
        if (text.data[at] != '+') continue;
        if (fm_llvm_number((framemap_str){text.data + at + 1, text.size - at - 1}, &offset)) out->symbol.size = at;
        break;
    }
    return NULL;
}

/* Parses a line that is only an address, "0x1a2b", when --obj is given. Nearly all piped input is of this form, so it
 * has this fast path. */
static bool parse_bare(const struct fm_llvm *llvm, framemap_str text, struct fm_llvm_request *out)
{
    uint64_t address = 0;
    if (!llvm->object || text.size < 3 || text.size > 18 || text.data[0] != '0' || text.data[1] != 'x') return false;
    for (size_t i = 2; i < text.size; i++) {
        const unsigned decimal = (unsigned)(unsigned char)text.data[i] - '0',
                       letter = ((unsigned)(unsigned char)text.data[i] | 0x20) - 'a';
        if (decimal > 9 && letter > 5) return false;
        address = address << 4 | (decimal <= 9 ? decimal : letter + 10);
    }
    *out = (struct fm_llvm_request){
        .module = {llvm->object, strlen(llvm->object)}, .has_address = true, .address = address};
    return true;
}

const char *fm_llvm_parse(const struct fm_llvm *llvm, framemap_str text, struct fm_llvm_request *out)
{
    if (parse_bare(llvm, text, out)) return NULL;
    *out = (struct fm_llvm_request){.module = framemap_str_of(llvm->object)};
    if (consume(&text, "DATA "))
        out->command = FM_LLVM_DATA;
    else if (consume(&text, "FRAME "))
        out->command = FM_LLVM_FRAME;
    else
        consume(&text, "CODE ");
    const char *wrong = parse_module(llvm, &text, out);
    return wrong ? wrong : parse_llvm_location(llvm, text, out);
}
