/* Parses text that users and tools pass to the command: lines of the symbolizer protocol, locations, names to
 * shorten. Properties: nothing outside the text is read, and what is parsed successfully is valid. */
#include "cli/fronts/front_names.h"
#include "cli/fronts/llvm.h"
#include "cli/query_text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_inside(framemap_str part, framemap_str whole)
{
    return part.size == 0 || (part.data >= whole.data && part.size <= whole.size &&
                              (size_t)(part.data - whole.data) <= whole.size - part.size);
}

static void ask_llvm(framemap_str text, const char *object, bool addr2line)
{
    static const struct fm_llvm blank; /* an object that is never changed; it is static, because it is large */
    struct fm_llvm *llvm = malloc(sizeof *llvm);
    struct fm_llvm_request request;

    if (!llvm) return;
    memcpy(llvm, &blank, sizeof blank);
    llvm->object = object;
    llvm->addr2line = addr2line;
    const char *wrong = fm_llvm_parse(llvm, text, &request);
    assert(is_inside(request.symbol, text));
    assert(object || is_inside(request.module, text));
    if (!wrong) {
        assert(request.has_address == (request.symbol.size == 0));
        assert(request.module.size > 0);
    }
    free(llvm);
}

static void ask_where(framemap_str text)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    enum fm_query_text_kind kind = fm_query_text_parse(text, text.size & 1, &query);
    if (kind == FM_QUERY_TEXT_SECTION || kind == FM_QUERY_TEXT_MEMBER)
        assert(query.scope.size > 0 && is_inside(query.scope, text));
    if (kind == FM_QUERY_TEXT_ADDRESS || kind == FM_QUERY_TEXT_OFFSET)
        assert(query.address_kind != FRAMEMAP_ADDRESS_NONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* the block has exactly the size of the text, so that a sanitizer detects a read past its end */
    char *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    if (size) memcpy(copy, data, size);
    framemap_str text = {copy, size};
    ask_llvm(text, NULL, false);
    ask_llvm(text, "object", true);
    ask_where(text);
    assert(is_inside(fm_front_name_short(text), text));
    free(copy);
    return 0;
}
