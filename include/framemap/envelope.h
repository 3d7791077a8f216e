/* Restores documents that state the size of each of their parts, such as an envelope of Sentry: if restoring changes a
 * part, its stated size is updated. */
#ifndef FRAMEMAP_ENVELOPE_H
#define FRAMEMAP_ENVELOPE_H

#include <framemap/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Restores one whole document. In an envelope of Sentry (header lines, and payloads of given lengths, which may contain
 * line ends) it restores each payload separately, so that stacks of different items never mix, and updates the `length`
 * of an item whose payload changes. Attachments with NUL bytes, and everything after a damaged item, are unchanged. A
 * text that is not such an envelope, or for which options request another output than "text", is restored as by
 * framemap_session_restore. document: borrowed for the call. options, write, summary and errors are those of
 * framemap_session_restore. Any thread. */
FRAMEMAP_API framemap_status framemap_document_restore(framemap_session *session, framemap_str document,
                                                       const framemap_restore_options *options, framemap_write write,
                                                       void *context, framemap_restore_summary *summary,
                                                       framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
