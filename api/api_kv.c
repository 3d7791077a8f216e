/* Implements framemap_index_split, which cuts an index into values for a key-value store. */
#include "api/index_handle.h"
#include "api/option_structs.h"
#include "api/value_keys.h"
#include "core/error.h"
#include "index/split/split.h"
#include <framemap/kv.h>

enum { ID_MOST = 1024 };

struct value_output {
    framemap_str build;
    framemap_put put;
    void *context;
};

static framemap_status put_value(void *context, framemap_str field, framemap_str value, framemap_error *error)
{
    const struct value_output *output = context;
    const framemap_value_key key = {output->build, field};
    if (output->put(output->context, &key, value)) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_IO, "the value was not accepted");
}

static framemap_status choose_id(const struct fm_view *view, const framemap_split_options *options, framemap_str *id,
                                 framemap_error *error)
{
    struct fm_view_about about;
    fm_view_about(view, &about);
    framemap_status status = fm_str_check(options->id, "id", error);
    if (status == FRAMEMAP_OK) status = fm_str_check(options->tenant, "tenant", error);
    if (status != FRAMEMAP_OK) return status;
    *id = options->id.size ? options->id : about.id.size ? about.id : about.name;
    if (id->size == 0)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the index has neither id nor name: state an id");
    if (id->size > ID_MOST || options->tenant.size > ID_MOST)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "an id or tenant has more than %d bytes", (int)ID_MOST);
    return FRAMEMAP_OK;
}

framemap_status framemap_index_split(const framemap_index *index, const framemap_split_options *options,
                                     framemap_put put, void *context, framemap_error *error)
{
    framemap_split_options given;
    framemap_str id;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (index == NULL || put == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = choose_id(index->view, &given, &id, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_heap heap;
    struct fm_buf build;
    fm_heap_init(&heap, &index->heap.hook, 0);
    fm_buf_init(&build, &heap);
    fm_build_key(&build, given.tenant, fm_key_family(index->view), id);
    struct value_output output = {fm_buf_view(&build), put, context};
    const struct fm_split_sink sink = {put_value, &output};
    status = build.failed ? fm_error_memory(error) : fm_split(index->view, &heap, &sink, error);
    fm_buf_free(&build);
    return status;
}
