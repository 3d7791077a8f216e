/* A cursor over the elements of an XML document (https://www.w3.org/TR/xml), as programs write them: elements with
 * attributes, and text. Declarations, comments and processing instructions are skipped; names have their prefix; there
 * are no entities but those of XML itself. Called by xctrace_samples.c. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_XML_CURSOR_H
#define FM_FORMATS_PROFILES_READ_ONLY_XML_CURSOR_H

#include "core/text/buffer.h"
#include "core/text/scan.h"

enum fm_xml_kind {
    FM_XML_END,    /* the text has no more markup */
    FM_XML_OPEN,   /* an element begins; `is_empty`: it ends at once, without FM_XML_CLOSE */
    FM_XML_CLOSE,  /* an element ends */
    FM_XML_BROKEN, /* markup that does not end, or has no name; `tag` begins there */
};

struct fm_xml_token {
    enum fm_xml_kind kind;
    framemap_str before; /* the text before the markup, with its entities */
    framemap_str tag;    /* the markup */
    framemap_str name, attributes;
    bool is_empty;
};

/* Moves to the next element that begins or ends. */
struct fm_xml_token fm_xml_next(struct fm_scan *s);
/* Finds an attribute; returns its value with its entities, empty if there is none. */
framemap_str fm_xml_attribute(const struct fm_xml_token *token, framemap_str name);
/* Decodes entities of a text. Returns the text itself if it has none, otherwise the contents of *buf, which is cleared
 * first. */
framemap_str fm_xml_decode(framemap_str text, struct fm_buf *buf);

#endif
