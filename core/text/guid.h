/* Writes GUIDs, the form of debug ids, from their hexadecimal digits. */
#ifndef FM_CORE_TEXT_GUID_H
#define FM_CORE_TEXT_GUID_H

#include <stddef.h>

#define FM_GUID_DIGITS 32
#define FM_GUID_SIZE 36 /* size of a GUID in text, with the dashes */

/* Reverses the bytes of the first three numbers, which are in the byte order of the machine. */
void fm_guid_swap(char digits[FM_GUID_DIGITS]);
/* Writes "8c17697f-2e84-39e5-b491-fcf5169106ff" and a NUL byte; returns FM_GUID_SIZE. out: room for FM_GUID_SIZE + 1.
 */
size_t fm_guid_put(const char digits[FM_GUID_DIGITS], char *out);

#endif
