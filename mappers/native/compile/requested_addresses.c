/* Lists the requested addresses and the starts of their symbols. See requested_addresses.h. */
#include "mappers/native/compile/requested_addresses.h"

#include "mappers/native/image/sorted_keys.h"

/* Returns the start of the nearest code symbol at or below an address, or the address itself. */
static uint64_t symbol_start(const struct fm_address_segments *code, uint64_t address)
{
    const size_t at = fm_address_segments_from(code, address);

    if (at < code->count && code->items[at].low <= address) return code->items[at].low;
    return at > 0 ? code->items[at - 1].low : address;
}

static void sort_addresses(struct fm_compile_job *job, struct fm_key *keys)
{
    size_t kept = 0;

    for (size_t i = 0; i < job->address_count; i++) {
        if (kept == 0 || job->addresses[kept - 1] != keys[i].key) job->addresses[kept++] = keys[i].key;
    }
    job->address_count = kept;
}

/* Lists the requested addresses, and for each the start of its symbol, because the symbol's names are recorded there.
 * Relocatable files have no addresses, so nothing is listed for them. */
bool fm_compile_list_addresses(struct fm_compile_job *job)
{
    const struct fm_mapper_host *host = job->host;
    const size_t most = host->position_count;

    if (host->positions == NULL || job->image->relocatable || most > SIZE_MAX / 4) return true;
    struct fm_key *keys = fm_heap_zalloc(job->heap, 2 * most, sizeof *keys);
    job->addresses = fm_heap_zalloc(job->heap, 2 * most, sizeof *job->addresses);
    if (job->addresses != NULL) job->address_capacity = 2 * most;
    bool good = keys != NULL && job->addresses != NULL;
    for (size_t i = 0; i < most && good; i++) {
        if (host->positions[i] == UINT64_MAX) continue;
        keys[job->address_count++].key = host->positions[i];
        keys[job->address_count++].key = symbol_start(&job->symbols.code, host->positions[i]);
    }
    good = good && fm_keys_sort(job->heap, keys, job->address_count, NULL, NULL);
    if (good) sort_addresses(job, keys);
    fm_heap_free(job->heap, keys, 2 * most * sizeof *keys);
    job->owners.addresses = job->addresses;
    job->owners.address_count = job->address_count;
    return good;
}
