/* Implements suggest.h: compares the mistyped word with each candidate by the Damerau-Levenshtein distance. A candidate
 * that begins with the word counts as distance 1; at most about a third of the letters may differ. */
#include "cli/suggest.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 32 }; /* longest word that gets a suggestion; no known word is longer */

void fm_suggest_begin(struct fm_suggestion *suggestion, const char *word, size_t size)
{
    *suggestion = (struct fm_suggestion){.word = word, .size = size};
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Returns the Damerau-Levenshtein distance (optimal string alignment) of two words of at most LONGEST bytes. */
static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t rows[3][LONGEST + 1]; /* only three rows of the table are kept: row i is in rows[i % 3] */
    for (size_t k = 0; k <= b_size; k++) rows[0][k] = k;
    for (size_t i = 1; i <= a_size; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t k = 1; k <= b_size; k++) {
            row[k] = least(least(row[k - 1], above[k]) + 1, above[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], two_above[k - 2] + 1);
        }
    }
    return rows[a_size % 3][b_size];
}

void fm_suggest_offer(struct fm_suggestion *suggestion, const char *candidate)
{
    enum { WHOLE_PREFIX = 3 }; /* a mistyped word of at least this many letters suggests words that begin with it */
    const size_t size = strlen(candidate);
    if (suggestion->size == 0 || suggestion->size > LONGEST || size > LONGEST) return;
    size_t far = distance(suggestion->word, suggestion->size, candidate, size);
    const bool begins = suggestion->size >= WHOLE_PREFIX && size > suggestion->size &&
                        memcmp(candidate, suggestion->word, suggestion->size) == 0;
    if (begins) far = 1;
    if (far > (suggestion->size + 1) / 3) return;
    if (suggestion->best && far >= suggestion->distance) return;
    suggestion->best = candidate;
    suggestion->distance = far;
}
