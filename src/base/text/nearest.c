/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/nearest.h"

#include <stdint.h>
#include <string.h>

#define SIZE_MAX_OF_WORD 31u
#define STEPS_MAX 2u

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned nearest_distance(const char *a, const char *b)
{
    uint8_t steps[SIZE_MAX_OF_WORD + 1][SIZE_MAX_OF_WORD + 1]; /* from a's first i to b's first k letters */
    size_t a_size = strlen(a), b_size = strlen(b);
    if (a_size > SIZE_MAX_OF_WORD || b_size > SIZE_MAX_OF_WORD)
        return SIZE_MAX_OF_WORD;
    for (unsigned i = 0; i <= a_size; i++)
        for (unsigned k = 0; k <= b_size; k++) {
            if (i == 0 || k == 0) {
                steps[i][k] = (uint8_t)(i + k);
                continue;
            }
            unsigned best = steps[i - 1][k - 1] + (a[i - 1] != b[k - 1]);
            best = least(best, least(steps[i - 1][k], steps[i][k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                best = least(best, steps[i - 2][k - 2] + 1);
            steps[i][k] = (uint8_t)best;
        }
    return steps[a_size][b_size];
}

const char *nearest_word(const char *word, const char *const *words, size_t count)
{
    const char *found = NULL;
    unsigned closest = STEPS_MAX + 1;
    for (size_t i = 0; i < count; i++) {
        unsigned distance = nearest_distance(word, words[i]);
        if (distance < closest && distance < strlen(words[i])) {
            closest = distance;
            found = words[i];
        }
    }
    return found;
}
