/* Reads texts that are one JSON document, or a document a line, and gives a reader of one format its values. Called by
 * the readers of this folder. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_PROFILE_DOCUMENTS_H
#define FM_FORMATS_PROFILES_READ_ONLY_PROFILE_DOCUMENTS_H

#include "core/json/json.h"
#include "formats/profiles/profile_format.h"

/* A document while it is read. */
struct fm_profile_document {
    framemap_sample_set *set;
    const struct fm_json *json;
    struct fm_arena *arena; /* memory until the document is read */
    framemap_str text;      /* the whole text, with all documents: errors have offsets in it */
    framemap_error *error;
    framemap_status status; /* the first error */
};

/* Adds the samples of a document to its set. Returns false if the document is not of the format; errors are put in
 * document->status. */
typedef bool fm_profile_document_reader(struct fm_profile_document *document);

/* Reads all documents of a text. Lines that are not objects are skipped if the first line is a whole document. what:
 * what a document should be, for the message. Errors: FORMAT (no document is of the format), CORRUPT, LIMIT, MEMORY. */
framemap_status fm_profile_read_documents(framemap_sample_set *set, framemap_str text, fm_profile_document_reader *read,
                                          const char *what, framemap_error *error);

/* Remembers that a value of the document is wrong, and where it is, if there is no earlier error. Returns false. */
bool fm_profile_document_wrong(struct fm_profile_document *document, int32_t value, const char *what);

/* The elements of an array. */
struct fm_profile_items {
    int32_t *values;
    uint32_t count;
};
/* Lists the elements of an array; of any other value none. false: out of memory, which the document remembers. */
bool fm_profile_items_of(struct fm_profile_document *document, int32_t array, struct fm_profile_items *items);

/* The members of an object by their names, of which escapes are not decoded; of equal ones the first. */
struct fm_profile_members {
    const struct fm_json *json;
    struct fm_profile_items keys;
    struct fm_table table; /* numbers of the keys */
    uint64_t hash_key;
};
/* Lists the members of an object; of any other value none. Free it in each case. false: out of memory, which the
 * document remembers. */
bool fm_profile_members_of(struct fm_profile_document *document, int32_t object, struct fm_profile_members *members);
void fm_profile_members_free(struct fm_profile_members *members);
/* Returns the value of a member; -1: there is none. */
int32_t fm_profile_member(const struct fm_profile_members *members, framemap_str name);

#endif
