/* What the examples of stores share: two commands, and the symbol files that become values. An example opens its store,
 * puts values into it and gets them out; everything else is here.
 *
 *     store_NAME put STORE FILE...     compiles symbol files and puts them into the store
 *     store_NAME restore STORE         restores standard input with what is in the store */
#ifndef FRAMEMAP_EXAMPLES_STORE_H
#define FRAMEMAP_EXAMPLES_STORE_H

#include <framemap/framemap.h>

struct store; /* the example's own */

/* Opens a store, which is made if it is not there. NULL: a message was printed. */
struct store *store_open(const char *path);
void store_close(struct store *store);
/* Begins and ends the values of one build: they appear together, or not at all. false: a message was printed. */
bool store_begin(struct store *store);
bool store_commit(struct store *store);
bool store_put(struct store *store, const char *key, size_t key_size, framemap_str value);
/* Calls found(context, number, value) for each key that the store has; `count` keys, in one look at the store. */
typedef void store_found(void *context, size_t number, framemap_str value);
bool store_get(struct store *store, const framemap_str *keys, size_t count, store_found *found, void *context);

#endif
