/* The stack of an error page of ASP.NET, whose rows have no word "at":
 *
 *     Stack Trace:
 *
 *     [NullReferenceException: no cart]
 *        Shop.Cart.Load(String path) in C:\src\Cart.cs:13
 *        System.Web.UI.Control.LoadRecursive() +90
 *
 *     [HttpUnhandledException (0x80004005): thrown]
 *        System.Web.UI.Page.HandleError(Exception e) +12
 *
 * The number after "+" is an offset in the method's code. Rows are accepted only below a title. The innermost frame is
 * first. */
#include "formats/other/dotnet_row.h"
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "aspnet";

/* Parses the title of a stack in an error page, "[NullReferenceException: no cart]" or "[HttpException (0x80004005): no
 * cart]". The message may go on below, so the bracket at its end may be missing; or it begins there, so the title is
 * "[MappingException:". */
static bool read_page_title(framemap_str text, struct fm_other_line *out)
{
    if (!fm_str_starts(text, FM_STR("["))) return false;
    framemap_str rest = fm_str_from(text, 1);
    const size_t end = fm_str_find(rest, FM_STR(": "));
    if (fm_str_ends(rest, FM_STR("]"))) rest.size--;
    framemap_str type = fm_str_slice(rest, 0, end), code;
    if (end == FM_NOT_FOUND && fm_str_ends(type, FM_STR(":"))) type.size--;
    (void)fm_row_group(&type, &code);
    out->exception = rest;
    return fm_other_is_name(type, ".+`") && fm_str_ends(type, FM_STR("Exception"));
}

static enum fm_other_kind aspnet_parse(framemap_str text, struct fm_other_line *out)
{
    struct fm_dotnet_row row;
    if (fm_str_equal(text, FM_STR("Stack Trace:")) || read_page_title(text, out)) return FM_OTHER_TITLE;
    if (!fm_dotnet_page_row_parse(text, &row)) return FM_OTHER_NONE;
    out->frame.function = row.function;
    out->frame.file = row.file;
    out->frame.line = row.line;
    out->frame.has_function_offset = row.has_offset;
    out->frame.function_offset = row.offset;
    return FM_OTHER_ROW;
}

static const struct fm_other_rules rules = {.name = name, .parse = aspnet_parse};

/* Whether a line begins a page's stacks: "Stack Trace:", or the title of one of the most frequent exceptions. A title
 * with another exception is accepted below such a line. */
static bool begins_page(framemap_str text)
{
    static const framemap_str starts[] = {FM_STR_INIT("[NullReferenceException: "), FM_STR_INIT("[HttpException"),
                                          FM_STR_INIT("[HttpUnhandledException"), FM_STR_INIT("[SqlException")};
    struct fm_other_line ignored = {.frame = {.index = -1}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (fm_str_starts(text, starts[i])) return read_page_title(text, &ignored);
    return fm_str_equal(text, FM_STR("Stack Trace:"));
}

/* Offers a line to the parser of error pages. A page has the innermost exception first, so a stack below another one is
 * that of the exception whose cause is above. */
static enum fm_line_role aspnet_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_other_stack *page = memory;
    const bool near = page->number1 && line->number1 - page->number1 <= FM_OTHER_GAP;
    framemap_str code;
    if (!near && !begins_page(fm_str_trim(line->body))) return FM_ROLE_NONE;
    const framemap_trace *above = near && page->has_trace ? fm_document_open(doc, name) : NULL;
    const uint64_t cause = above ? above->number : 0;
    const enum fm_line_role role = fm_other_stack_offer(&rules, page, doc, line);
    if (role == FM_ROLE_CONTEXT && above && line->first == '[') {
        page->rethrows = true;
        page->cause = cause;
    }
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1) (void)fm_row_group(&trace->exception_type, &code);
    return role;
}

static bool aspnet_is_significant(const struct fm_line *line) { return begins_page(fm_str_trim(line->body)); }

static const struct fm_needle aspnet_needles[] = {
    FM_NEEDLE("Stack Trace:", 0, 1),
    FM_NEEDLE("[NullReferenceException: ", 1, 15),
    FM_NEEDLE("[Http", 0, 1),
    FM_NEEDLE("[SqlException", 0, 1),
};

const struct fm_format fm_aspnet = {.info = {name, "error pages of ASP.NET", true, false},
                                    FM_NEEDLES(aspnet_needles),
                                    .marks = FM_MARK_WORD,
                                    .firsts = "[S",
                                    .state_size = sizeof(struct fm_other_stack),
                                    .offer = aspnet_offer,
                                    .is_significant = aspnet_is_significant,
                                    .keeps_state = true};
