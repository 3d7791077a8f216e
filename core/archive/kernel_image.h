/* Compressed kernels for x86 (bzImage, "vmlinuz"), whose payload is an ELF file. Called by archive.c; member_file.c and
 * api_archive.c ask only whether a file is such a kernel. */
#ifndef FM_CORE_ARCHIVE_KERNEL_IMAGE_H
#define FM_CORE_ARCHIVE_KERNEL_IMAGE_H

#include <framemap/base.h>

/* Number of bytes that determine whether a file is a kernel image. */
#define FM_KERNEL_HEAD ((size_t)0x250)
bool fm_is_kernel_image(framemap_str bytes);
/* Finds the compressed data in a kernel image. *refused: a sentence that names the compression if it is not supported;
 * else NULL. false: the header leads outside of the file. */
bool fm_kernel_payload(framemap_str bytes, framemap_str *payload, const char **refused);

#endif
