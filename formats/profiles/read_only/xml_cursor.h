/* A cursor over the elements of an XML document (https://www.w3.org/TR/xml) that a program wrote: elements with
 * attributes, and text. Declarations, comments and processing instructions are skipped; names keep their prefix;
 * only XML's own entities are known. Called by xctrace_samples.c. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_XML_CURSOR_H
#define FM_FORMATS_PROFILES_READ_ONLY_XML_CURSOR_H

#include "core/text/buffer.h"
#include "core/text/scan.h"

enum fm_xml_kind {
    FM_XML_END,    /* the rest of the text has no markup */
    FM_XML_OPEN,   /* an element begins; if `is_empty` is set, it also ends here, and no FM_XML_CLOSE follows */
    FM_XML_CLOSE,  /* an element ends */
    FM_XML_BROKEN, /* markup that does not end or has no name; `tag` begins with this markup */
};

struct fm_xml_token {
    enum fm_xml_kind kind;
    framemap_str before; /* the text before the markup; entities are not decoded */
    framemap_str tag;    /* the markup from '<' to '>' */
    framemap_str name, attributes;
    bool is_empty;
};

/* Moves over the next start or end of an element, and returns it. */
struct fm_xml_token fm_xml_next(struct fm_scan *s);
/* Returns the value of an attribute, in which entities are not decoded; empty if the element does not have the
 * attribute. */
framemap_str fm_xml_attribute(const struct fm_xml_token *token, framemap_str name);
/* Decodes the entities of a text. Returns the text itself if it has no entities, otherwise the contents of *buf, which
 * is cleared first. */
framemap_str fm_xml_decode(framemap_str text, struct fm_buf *buf);

#endif
