/* The rules that say which frames are the app's own. Called by rules.c. */
#ifndef FM_API_GROUP_APP_RULES_H
#define FM_API_GROUP_APP_RULES_H

#include "core/heap.h"
#include "core/text/text.h"
#include <framemap/group.h>

enum fm_app_field { FM_APP_ANY, FM_APP_PACKAGE, FM_APP_FUNCTION, FM_APP_MODULE, FM_APP_PATH };

struct fm_app_rule {
    framemap_str pattern; /* the pattern, borrowed from the text of the rules */
    enum fm_app_field field;
    bool in_app;
    bool has_wildcards; /* false: the pattern must be the start of the text that it matches */
};

struct fm_app_rules {
    struct fm_heap *heap;
    struct fm_app_rule *rows;
    size_t count, capacity;
    framemap_warning warning; /* called for rules whose kind is probably mistyped; NULL: none */
    void *context;            /* passed to warning */
};

#define FM_APP_RULES_MOST ((size_t)1 << 16)

/* The built-in rules, in the syntax of the file. */
extern const char *const fm_app_defaults[];
extern const size_t fm_app_default_count;

/* Adds the rules of a text, which must outlive them. Errors: FORMAT, LIMIT, MEMORY. */
framemap_status fm_app_rules_read(struct fm_app_rules *rules, framemap_str text, framemap_error *error);
void fm_app_rules_free(struct fm_app_rules *rules);

/* Implements framemap_rules_in_app. */
bool fm_app_rules_in_app(const struct fm_app_rules *rules, const framemap_trace *trace, const framemap_frame *frame,
                         const framemap_frame *source);

#endif
