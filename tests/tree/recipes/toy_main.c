/* Uses the toy mapper, format and output through the public calls; prints the results. */
#include <framemap/framemap.h>
#include <stdio.h>

static bool to_stdout(void *context, const char *data, size_t size)
{
    (void)context;
    return fwrite(data, 1, size, stdout) == size;
}

int main(void)
{
    const framemap_str symbols = framemap_str_of("TOY\n1000 first\n2000 second\n");
    const framemap_str text = framemap_str_of("toy> 0x1008\ntoy> 0x2000\nend\n");
    framemap_error error;
    framemap_trace_list list = {0};
    framemap_bytes bytes = {0};
    framemap_index *index = NULL;
    framemap_status status = framemap_trace_parse(text, NULL, &list, &error);
    if (status == FRAMEMAP_OK)
        status = framemap_trace_print(text, list.traces, list.count, "toy-count", to_stdout, NULL, &error);
    framemap_trace_list_free(&list);
    if (status == FRAMEMAP_OK) status = framemap_index_build(symbols, framemap_str_of("app.toy"), NULL, &bytes, &error);
    if (status == FRAMEMAP_OK) status = framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error);
    if (status == FRAMEMAP_OK) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        framemap_scratch *scratch = NULL;
        framemap_frame frame;
        query.position = 0x1008;
        status = framemap_scratch_create(NULL, &scratch, &error);
        if (status == FRAMEMAP_OK) status = framemap_resolve(index, &query, scratch, &frame, &error);
        if (status == FRAMEMAP_OK && frame.restored.count > 0)
            printf("%.*s\n", (int)frame.restored.frames[0].function.size, frame.restored.frames[0].function.data);
        framemap_scratch_free(scratch);
    }
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    if (status != FRAMEMAP_OK) fprintf(stderr, "%s\n", error.message);
    return status != FRAMEMAP_OK;
}
