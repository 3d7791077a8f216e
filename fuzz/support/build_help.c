/* Implements build_help.h: builds an index from the bytes of a fuzzer and verifies it. A failure without a message, an
 * internal error or a damaged index fails an assertion. */
#include "fuzz/support/build_help.h"
#include "core/text/text.h"
#include "index/read/view.h"

#include <assert.h>

framemap_status fuzz_build(const struct fm_mapper_host *host, const char *mapper, const char *file, framemap_str bytes,
                           struct fm_built *built)
{
    struct fm_builder *builder = NULL;
    const framemap_str name = framemap_str_of(file);
    const struct fm_mapper *row = fm_mapper_for(bytes, name, mapper);
    framemap_error error = {0};

    assert(row != NULL);
    if (fm_builder_create(host->heap, &builder, NULL) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    framemap_status status = row->build(bytes, name, host, builder, &error);
    assert(status == FRAMEMAP_OK || error.message[0] != 0);
    if (status == FRAMEMAP_OK) {
        status = fm_builder_finish(builder, built, &error);
        assert(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY || status == FRAMEMAP_E_LIMIT);
    }
    assert(status != FRAMEMAP_E_INTERNAL);
    fm_builder_free(builder);
    return status;
}

void fuzz_check_built(struct fm_heap *heap, const struct fm_built *built)
{
    struct fm_view *view = NULL;
    framemap_error error = {0};
    framemap_status status = fm_view_open(fm_str(built->data, built->size), heap, &view, &error);
    assert(status == FRAMEMAP_OK);
    status = fm_view_verify(view, &error);
    assert(status == FRAMEMAP_OK);
    fm_view_close(view);
}
