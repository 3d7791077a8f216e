/* Makes names with equal XXH64 hashes. One round of XXH64 can be inverted: for each first half of an input lane, some
 * second half leads to a given state. One in about ten thousand of these second halves consists of letters only. */
#include "map_shapes.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, CHOICES_MOST = 16, HALF = 8, NAME_SIZE = 2 * LANES * HALF };

static const uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu;

struct choice {
    uint64_t first, second;
};

static uint64_t turn(uint64_t value, unsigned bits) { return (value << bits) | (value >> (64 - bits)); }

static uint64_t step(uint64_t state, uint64_t input) { return turn(state + input * prime2, 31) * prime1; }

/* Returns the multiplicative inverse of an odd number modulo 2^64. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t result = odd;
    for (int i = 0; i < 6; i++) result *= 2 - odd * result;
    return result;
}

/* Returns the input of a round that leads from one state to another. */
static uint64_t step_between(uint64_t from, uint64_t to)
{
    return (turn(to * inverse(prime1), 33) - from) * inverse(prime2);
}

static uint64_t random_letters(uint64_t *random)
{
    uint64_t letters = 0;
    for (int i = 0; i < HALF; i++) {
        *random = *random * 6364136223846793005u + 1442695040888963407u;
        letters = letters << 8 | ('a' + (*random >> 33) % 26);
    }
    return letters;
}

static bool all_of_a_name(uint64_t bytes)
{
    for (int i = 0; i < HALF; i++, bytes >>= 8) {
        const unsigned char byte = bytes & 0xff;
        const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        if (!letter && (byte < '0' || byte > '9') && byte != '_' && byte != '$') return false;
    }
    return true;
}

static void choose(uint64_t begin, struct choice *choices, size_t count)
{
    uint64_t random = begin;
    choices[0] = (struct choice){random_letters(&random), random_letters(&random)};
    const uint64_t end = step(step(begin, choices[0].first), choices[0].second);
    for (size_t i = 1; i < count;) {
        const uint64_t first = random_letters(&random), second = step_between(step(begin, first), end);
        if (all_of_a_name(second)) choices[i++] = (struct choice){first, second};
    }
}

static const struct choice *all_choices(void)
{
    static struct choice choices[LANES][CHOICES_MOST];
    const uint64_t begins[LANES] = {prime1 + prime2, prime2, 0, 0 - prime1};
    if (choices[0][0].first == 0)
        for (int lane = 0; lane < LANES; lane++) choose(begins[lane], choices[lane], CHOICES_MOST);
    return choices[0];
}

static void put(char *to, uint64_t bytes)
{
    for (int i = 0; i < HALF; i++, bytes >>= 8) to[i] = (char)(bytes & 0xff);
}

/* Writes name number `number` of the 65,536 names. */
static void colliding_name(char name[NAME_SIZE + 1], size_t number)
{
    const struct choice *choices = all_choices();
    for (int lane = 0; lane < LANES; lane++, number /= CHOICES_MOST) {
        const struct choice *choice = &choices[lane * CHOICES_MOST + (int)(number % CHOICES_MOST)];
        put(name + lane * HALF, choice->first);
        put(name + (LANES + lane) * HALF, choice->second);
    }
    name[NAME_SIZE] = 0;
}

void shape_colliding_classes(struct grown *text, size_t n)
{
    char name[NAME_SIZE + 1];
    for (size_t i = 0; i < n; i++) {
        colliding_name(name, i);
        grown_say(text, "%s -> %s:\n    void m() -> a\n", name, name);
    }
}

void shape_colliding_methods(struct grown *text, size_t n)
{
    char name[NAME_SIZE + 1];
    grown_say(text, "o.C -> a:\n");
    for (size_t i = 0; i < n; i++) {
        colliding_name(name, i);
        grown_say(text, "    1:5:%s %s(%s):1:5 -> %s\n", name, name, name, name);
    }
}

void shape_colliding_trace(struct grown *text, size_t n)
{
    char name[NAME_SIZE + 1];
    for (size_t i = 0; i < n; i++) {
        colliding_name(name, i);
        grown_say(text, "\tat %s.a(S:%zu)\n", name, i);
    }
}
