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

/* Marks memory that must not be used, within an allocated block, and memory that may be used again. */
#if FM_HAS_ASAN
#include <sanitizer/asan_interface.h>
#define FM_POISON(ptr, size) ASAN_POISON_MEMORY_REGION(ptr, size)
#define FM_UNPOISON(ptr, size) ASAN_UNPOISON_MEMORY_REGION(ptr, size)
#else
#define FM_POISON(ptr, size) ((void)(ptr), (void)(size))
#define FM_UNPOISON(ptr, size) ((void)(ptr), (void)(size))
#endif

#endif
