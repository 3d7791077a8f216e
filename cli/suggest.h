/* The known word that a person most likely meant by one that is not known: commands, options, values. */
#ifndef FM_CLI_SUGGEST_H
#define FM_CLI_SUGGEST_H

#include <stddef.h>

struct fm_suggestion {
    const char *word; /* as typed; `size` bytes */
    size_t size;
    const char *best; /* of those offered; NULL: none is near */
    size_t distance;
};

void fm_suggest_begin(struct fm_suggestion *suggestion, const char *word, size_t size);
/* Keeps the candidate if it is nearer than those before it: it begins with the word, or differs from it by one
 * letter in each three (Damerau-Levenshtein distance). */
void fm_suggest_offer(struct fm_suggestion *suggestion, const char *candidate);

#endif
