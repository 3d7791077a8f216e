/* Implements sha1.h: hashes two texts one after the other, block by block, with the rounds and the padding of FIPS
 * 180-4. Neither text is copied as a whole. */
#include "core/hash/sha1.h"

#include <string.h>

enum { BLOCK = 64 };

static uint32_t turn(uint32_t value, unsigned bits) { return value << bits | value >> (32 - bits); }

static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999u;
    if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1u;
    if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu;
    return (b ^ c ^ d) + 0xca62c1d6u;
}

static void add_block(uint32_t state[5], const unsigned char *bytes)
{
    uint32_t words[80], s[5];
    for (unsigned i = 0; i < 16; i++, bytes += 4)
        words[i] = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    for (unsigned i = 16; i < 80; i++) words[i] = turn(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    memcpy(s, state, sizeof s);
    for (unsigned i = 0; i < 80; i++) {
        const uint32_t next = turn(s[0], 5) + mix(i, s[1], s[2], s[3]) + s[4] + words[i];
        s[4] = s[3];
        s[3] = s[2];
        s[2] = turn(s[1], 30);
        s[1] = s[0];
        s[0] = next;
    }
    for (unsigned i = 0; i < 5; i++) state[i] += s[i];
}

void fm_sha1(framemap_str head, framemap_str text, unsigned char out[FM_SHA1_SIZE])
{
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    unsigned char block[2 * BLOCK];
    const uint64_t bits = ((uint64_t)head.size + text.size) * 8;
    size_t size = head.size, at = 0;
    if (size) memcpy(block, head.data, size);
    if (size && size + text.size >= BLOCK) { /* fills the block that `head` has begun */
        at = BLOCK - size;
        if (at) memcpy(block + size, text.data, at);
        add_block(state, block);
        size = 0;
    }
    for (; size == 0 && text.size - at >= BLOCK; at += BLOCK) add_block(state, (const unsigned char *)text.data + at);
    if (text.size > at) memcpy(block + size, text.data + at, text.size - at);
    size += text.size - at;
    block[size++] = 0x80;
    const size_t end = size <= BLOCK - 8 ? BLOCK : 2 * BLOCK;
    memset(block + size, 0, end - size);
    for (unsigned i = 0; i < 8; i++) block[end - 1 - i] = (unsigned char)(bits >> 8 * i);
    add_block(state, block);
    if (end > BLOCK) add_block(state, block + BLOCK);
    for (unsigned i = 0; i < FM_SHA1_SIZE; i++) out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
