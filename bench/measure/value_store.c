/* Implements value_store.h: splits the indexes of a folder into values, each with the keys of a key-value store. Keeps
 * the values in a hash table with open addressing, whose hash function is FNV-1a. */
#include "value_store.h"

#include "bench_help.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct stored_value {
    char *copy; /* memory of the three strings that follow; NULL: an empty slot */
    framemap_str build, field, bytes;
};

/* Adds a text to a hash (FNV-1a). */
static uint64_t add_hash(uint64_t hash, framemap_str text)
{
    for (size_t i = 0; i < text.size; i++) hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static bool equal(framemap_str a, framemap_str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* Returns the slot that has a key, or the empty slot for it. */
static struct stored_value *slot_of(const struct value_store *store, framemap_str build, framemap_str field)
{
    const uint64_t hash = add_hash(add_hash(UINT64_C(0xcbf29ce484222325), build), field);
    for (size_t at = (size_t)hash & (store->slot_count - 1);; at = (at + 1) & (store->slot_count - 1)) {
        struct stored_value *value = &store->values[at];
        if (value->copy == NULL || (equal(value->build, build) && equal(value->field, field))) return value;
    }
}

static void *need(void *memory)
{
    if (memory == NULL) die("value store", "out of memory");
    return memory;
}

static void grow(struct value_store *store)
{
    const struct value_store old = *store;
    if (2 * (store->value_count + 1) <= store->slot_count) return;
    store->slot_count = old.slot_count ? 2 * old.slot_count : 1024;
    store->values = need(calloc(store->slot_count, sizeof *store->values));
    for (size_t i = 0; i < old.slot_count; i++) {
        const struct stored_value *value = &old.values[i];
        if (value->copy) *slot_of(store, value->build, value->field) = *value;
    }
    free(old.values);
}

static framemap_str append(char **to, framemap_str bytes)
{
    const framemap_str copy = {*to, bytes.size};
    if (bytes.size) memcpy(*to, bytes.data, bytes.size);
    *to += bytes.size;
    return copy;
}

static bool put(void *context, const framemap_value_key *key, framemap_str bytes)
{
    struct value_store *store = context;
    grow(store);
    char *copy = need(malloc(key->build.size + key->field.size + bytes.size)), *to = copy;
    struct stored_value value = {.copy = copy};
    value.build = append(&to, key->build);
    value.field = append(&to, key->field);
    value.bytes = append(&to, bytes);
    *slot_of(store, key->build, key->field) = value;
    store->value_count++;
    return true;
}

framemap_status value_store_fetch(void *context, const framemap_value_key *keys, size_t count, framemap_fetched *out,
                                  framemap_error *error)
{
    const struct value_store *store = context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        const struct stored_value *value = slot_of(store, keys[i].build, keys[i].field);
        if (value->copy) framemap_fetched_put(out, i, value->bytes);
    }
    return FRAMEMAP_OK;
}

static void add_index(struct value_store *store, const char *path, const char *name, bool with_values)
{
    framemap_index *index;
    framemap_index_info info;
    framemap_error error;
    check(framemap_index_open_file(path, NULL, &index, &error), path, &error);
    framemap_index_describe(index, &info);
    const framemap_str plain = {name, strlen(name) - strlen(".fmx")}, id = info.id.size ? info.id : plain;
    const framemap_split_options options = {.size = sizeof options, .id = id};
    store->indexes = need(realloc(store->indexes, (store->index_count + 1) * sizeof *store->indexes));
    store->indexes[store->index_count++] =
        (struct stored_index){.id = need(strndup(id.data, id.size)), .is_id = info.id.size > 0};
    if (with_values) check(framemap_index_split(index, &options, put, store, &error), path, &error);
    framemap_index_close(index);
}

enum { DEPTH_MOST = 16 };

/* Adds the indexes of a folder and of its subfolders, in the order of their names. root_size: bytes of the path that
 * are not part of an index's name. */
static void add_folder(struct value_store *store, const char *folder, size_t root_size, bool with_values,
                       unsigned depth)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) die(folder, "cannot be listed");
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const size_t size = strlen(folder) + 1 + strlen(name);
        char *path = need(malloc(size + 1));
        struct stat about;
        snprintf(path, size + 1, "%s/%s", folder, name);
        const bool is_there = name[0] != '.' && lstat(path, &about) == 0;
        if (is_there && S_ISDIR(about.st_mode) && depth < DEPTH_MOST)
            add_folder(store, path, root_size, with_values, depth + 1);
        else if (is_there && S_ISREG(about.st_mode) && size > root_size + 4 && strcmp(path + size - 4, ".fmx") == 0)
            add_index(store, path, path + root_size, with_values);
        free(path);
        free(entries[i]);
    }
    free(entries);
}

void value_store_fill(struct value_store *store, const char *folder, bool with_values)
{
    add_folder(store, folder, strlen(folder) + 1, with_values, 0);
}

void value_store_free(struct value_store *store)
{
    for (size_t i = 0; i < store->index_count; i++) free(store->indexes[i].id);
    for (size_t i = 0; i < store->slot_count; i++) free(store->values[i].copy);
    free(store->indexes);
    free(store->values);
}
