/* The options --in-app and --owners: which frames are the app's own, and who owns them. Used by the commands that
 * mark frames and stacks by these rules. */
#ifndef FM_CLI_RULE_OPTIONS_H
#define FM_CLI_RULE_OPTIONS_H

#include "cli/cli.h"

struct fm_rule_options {
    const char *in_app, *owners, *prefix; /* values of the options; NULL: the option was not given */
};

/* Ids of the options; they differ from the ids that commands define. */
enum { FM_RULES_IN_APP = 1100, FM_RULES_OWNERS, FM_RULES_PREFIX };
/* Rows of the options for rules in the table of a command. */
#define FM_RULE_ROWS                                                                  \
    {FM_RULES_IN_APP, 0, "in-app", FM_TAKES_VALUE, "RULES", FM_IN_APP_HELP},          \
        {FM_RULES_OWNERS, 0, "owners", FM_TAKES_VALUE, "CODEOWNERS", FM_OWNERS_HELP}, \
    {                                                                                 \
        FM_RULES_PREFIX, 0, "path-prefix", FM_TAKES_VALUE, "PREFIX", FM_PREFIX_HELP   \
    }
#define FM_IN_APP_HELP \
    "file that says which frames are the app's own: lines such as '+package:com.example.' and '-module:libvendor.so'"
#define FM_OWNERS_HELP "file that says who owns which source files, in the syntax of GitHub's CODEOWNERS"
#define FM_PREFIX_HELP "for --owners: the folder of the repository where the app was built, such as /home/ci/src/app"

/* Applies an option for rules. Returns false if the id belongs to another option. */
bool fm_rules_take_option(struct fm_rule_options *options, int id, const char *value);
/* Opens the rules; if none of the options was given, these are the built-in rules. Reports errors and returns false.
 * warning: called with `context` for each line of a rule file that is skipped. */
bool fm_rules_open(const struct fm_rule_options *options, framemap_warning warning, void *context,
                   framemap_rules **out);

#endif
