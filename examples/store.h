/* The code that the examples of stores share: two commands, and the conversion of symbol files to values. An example
 * opens its store, puts values into it and gets them out; everything else is here.
 *
 *     store_NAME put STORE FILE...     compiles symbol files and puts them into the store
 *     store_NAME restore STORE         restores standard input with what is in the store */
#ifndef FRAMEMAP_EXAMPLES_STORE_H
#define FRAMEMAP_EXAMPLES_STORE_H

#include <framemap/framemap.h>

struct store; /* defined by each example */

/* Opens a store, and creates it if it does not exist. NULL: failed; a message was printed. */
struct store *store_open(const char *path);
void store_close(struct store *store);
/* store_begin starts and store_commit ends the values of one build: readers see either all of them or none. false:
 * failed; a message was printed. */
bool store_begin(struct store *store);
bool store_commit(struct store *store);
void store_abort(struct store *store); /* drops the values since store_begin */
bool store_put(struct store *store, const char *key, size_t key_size, framemap_str value);
/* Looks up `count` keys at once, and calls found(context, number, value) for each that the store has. */
typedef void store_found(void *context, size_t number, framemap_str value);
bool store_get(struct store *store, const framemap_str *keys, size_t count, store_found *found, void *context);

#endif
