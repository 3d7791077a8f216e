/* Whether the code is compiled for AddressSanitizer. AddressSanitizer sees only faults at the borders of allocated
 * blocks, so code that divides one allocated block into smaller ones does it differently under AddressSanitizer. */
#ifndef FM_CORE_SANITIZER_H
#define FM_CORE_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define FM_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FM_HAS_ASAN 1
#endif
#endif
#ifndef FM_HAS_ASAN
#define FM_HAS_ASAN 0
#endif

#endif
