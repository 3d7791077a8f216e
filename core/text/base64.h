/* Writes base64 (RFC 4648, section 4, with padding). */
#ifndef FM_CORE_TEXT_BASE64_H
#define FM_CORE_TEXT_BASE64_H

#include "core/text/buffer.h"

bool fm_buf_base64(struct fm_buf *buf, framemap_str bytes);

#endif
