/* Reads a text that is one JSON document, or has one JSON document per line, and passes each document to the reader
 * of a format. Called by the readers of this folder. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_PROFILE_DOCUMENTS_H
#define FM_FORMATS_PROFILES_READ_ONLY_PROFILE_DOCUMENTS_H

#include "core/json/json.h"
#include "formats/profiles/profile_format.h"

/* A document while it is being read. */
struct fm_profile_document {
    framemap_sample_set *set;
    const struct fm_json *json;
    struct fm_arena *arena; /* memory that is freed when the document has been read */
    framemap_str text;      /* the whole text with all documents; offsets in errors are offsets in it */
    framemap_error *error;
    framemap_status status; /* status of the first error */
};

/* Adds the samples of a document to its sample set. Returns false if the document is not in the format. Errors are
 * put in document->status. */
typedef bool fm_profile_document_reader(struct fm_profile_document *document);

/* Reads all documents of a text. If the first line is a whole document, each line is treated as one, and lines that are
 * not objects are skipped. what: name of the documents that are expected, for the error message. Errors: FORMAT (no
 * document is in the format), CORRUPT, LIMIT, MEMORY. */
framemap_status fm_profile_read_documents(framemap_sample_set *set, framemap_str text, fm_profile_document_reader *read,
                                          const char *what, framemap_error *error);

/* Records an error. what: the fault of the value; the position of the error is that of the value. Only the first error
 * is kept. Returns false. */
bool fm_profile_document_wrong(struct fm_profile_document *document, int32_t value, const char *what);

/* The elements of an array. */
struct fm_profile_items {
    int32_t *values;
    uint32_t count;
};
/* Lists the elements of an array; the list is empty if the value is not an array. Returns false if out of memory, which
 * the document records. */
bool fm_profile_items_of(struct fm_profile_document *document, int32_t array, struct fm_profile_items *items);

/* The members of an object by name. Names are compared without decoding escapes. Of several members with the same
 * name, the first is kept. */
struct fm_profile_members {
    const struct fm_json *json;
    struct fm_profile_items keys;
    struct fm_table table; /* hash table of the numbers of the keys */
    uint64_t hash_key;
};
/* Lists the members of an object; the list is empty if the value is not an object. Free the list even if the call
 * fails. Returns false if out of memory, which the document records. */
bool fm_profile_members_of(struct fm_profile_document *document, int32_t object, struct fm_profile_members *members);
void fm_profile_members_free(struct fm_profile_members *members);
/* Returns the value of the member with this name; -1: not found. */
int32_t fm_profile_member(const struct fm_profile_members *members, framemap_str name);

#endif
