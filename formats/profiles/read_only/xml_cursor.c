/* Implements xml_cursor.h: returns the start tag, end tag or text that comes next, as slices of the document, looks up
 * an attribute, and decodes entities and character references. */
#include "formats/profiles/read_only/xml_cursor.h"

#include "core/text/utf8.h"
#include "formats/row_entity.h"

static bool is_space(char c) { return fm_is_blank(c) || c == '\n' || c == '\r'; }

static void skip_space(struct fm_scan *s)
{
    while (s->at < s->end && is_space(*s->at)) s->at++;
}

/* Moves to the position after the next `end`. If it is not found, moves to the end of the text and returns false. */
static bool skip_past(struct fm_scan *s, framemap_str end)
{
    const size_t found = fm_str_find(fm_scan_rest(s), end);
    s->at = found == FM_NOT_FOUND ? s->end : s->at + found + end.size;
    return found != FM_NOT_FOUND;
}

/* Moves to the position after the '>' that ends a tag. A '>' in the value of an attribute does not end it. */
static bool skip_tag(struct fm_scan *s)
{
    char quote = 0;
    for (; s->at < s->end; s->at++) {
        const char c = *s->at;
        if (quote) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            s->at++;
            return true;
        }
    }
    return false;
}

/* Skips markup that is not an element, such as a comment. *skipped: whether there was such markup. Returns false if the
 * markup does not end. */
static bool skip_other(struct fm_scan *s, bool *skipped)
{
    *skipped = true;
    if (fm_scan_text(s, FM_STR("<!--"))) return skip_past(s, FM_STR("-->"));
    if (fm_scan_text(s, FM_STR("<![CDATA["))) return skip_past(s, FM_STR("]]>"));
    if (fm_scan_text(s, FM_STR("<?"))) return skip_past(s, FM_STR("?>"));
    if (fm_scan_text(s, FM_STR("<!"))) return skip_tag(s);
    *skipped = false;
    return true;
}

/* Splits a tag, given without its angle brackets, into name and attributes. */
static void split_tag(framemap_str inner, struct fm_xml_token *token)
{
    struct fm_scan s = fm_scan_of(inner);
    while (s.at < s.end && !is_space(*s.at) && *s.at != '/') s.at++;
    token->name = fm_str(inner.data, (size_t)(s.at - inner.data));
    token->attributes = fm_scan_rest(&s);
    token->is_empty = inner.size > 0 && inner.data[inner.size - 1] == '/';
}

struct fm_xml_token fm_xml_next(struct fm_scan *s)
{
    struct fm_xml_token token = {.kind = FM_XML_END};
    const char *text = s->at;
    for (bool skipped = true; skipped;) {
        const size_t open = fm_str_find_byte(fm_scan_rest(s), '<');
        if (open == FM_NOT_FOUND) {
            s->at = s->end;
            return token;
        }
        s->at += open;
        token.before = fm_str(text, (size_t)(s->at - text));
        token.tag = fm_str(s->at, 1);
        token.kind = FM_XML_BROKEN;
        if (!skip_other(s, &skipped)) return token;
        if (skipped) text = s->at;
        token.kind = FM_XML_END;
    }
    const char *tag = s->at;
    token.kind = FM_XML_BROKEN;
    if (!skip_tag(s)) return token;
    token.tag = fm_str(tag, (size_t)(s->at - tag));
    const bool closes = token.tag.size > 2 && tag[1] == '/';
    split_tag(fm_str_slice(token.tag, closes ? 2 : 1, token.tag.size - 1), &token);
    if (token.name.size) token.kind = closes ? FM_XML_CLOSE : FM_XML_OPEN;
    return token;
}

framemap_str fm_xml_attribute(const struct fm_xml_token *token, framemap_str name)
{
    struct fm_scan s = fm_scan_of(token->attributes);
    while (!fm_scan_done(&s)) {
        framemap_str key, value;
        skip_space(&s);
        if (!fm_scan_until(&s, '=', &key)) break;
        s.at++;
        skip_space(&s);
        const char quote = s.at < s.end ? *s.at : 0;
        if ((quote != '"' && quote != '\'') || !fm_scan_byte(&s, quote) || !fm_scan_until(&s, quote, &value)) break;
        s.at++;
        if (fm_str_equal(fm_str_trim(key), name)) return value;
    }
    return fm_str(NULL, 0);
}

/* Reads a character reference, "&#1234;" or "&#x4d2;". Returns its size; 0: the text does not begin with a character
 * reference. */
static size_t read_number(framemap_str text, uint32_t *out)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number = 0;
    if (!fm_scan_text(&s, FM_STR("&#"))) return 0;
    if (fm_scan_byte(&s, 'x') ? !fm_scan_hex(&s, &number, NULL, NULL) : !fm_scan_dec(&s, &number, NULL)) return 0;
    if (!fm_scan_byte(&s, ';') || number > 0x10FFFF) return 0;
    *out = (uint32_t)number;
    return (size_t)(s.at - text.data);
}

framemap_str fm_xml_decode(framemap_str text, struct fm_buf *buf)
{
    if (text.size == 0 || fm_str_find_byte(text, '&') == FM_NOT_FOUND) return text;
    fm_buf_clear(buf);
    for (size_t at = 0; at < text.size;) {
        uint32_t number = 0;
        char bytes[FM_CHARACTER_MOST];
        size_t size = fm_row_entity(text, at, bytes), written = size ? 1 : 0;
        if (size == 0 && (size = read_number(fm_str_from(text, at), &number)) > 0) written = fm_utf8_put(number, bytes);
        if (size == 0) {
            bytes[0] = text.data[at];
            size = written = 1;
        }
        fm_buf_add(buf, bytes, written);
        at += size;
    }
    return fm_buf_view(buf);
}
