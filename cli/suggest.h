/* Suggests the known word (a command, an option) that is most similar to a mistyped one. */
#ifndef FM_CLI_SUGGEST_H
#define FM_CLI_SUGGEST_H

#include <stddef.h>

struct fm_suggestion {
    const char *word; /* word as typed; `size` bytes */
    size_t size;
    const char *best; /* the best candidate so far; NULL: none was similar enough */
    size_t distance;
};

void fm_suggest_begin(struct fm_suggestion *suggestion, const char *word, size_t size);
/* Keeps the candidate if it is more similar than those before it. It must start with the word (of at least three
 * letters), or its Damerau-Levenshtein distance must be at most a third of the word's length, rounded. */
void fm_suggest_offer(struct fm_suggestion *suggestion, const char *candidate);

#endif
