/* Implements rule_options.h: reads the files with the rules for the app's own frames and with the code owners, and
 * compiles both with framemap_rules_open. */
#include "cli/rule_options.h"

#include "cli/cli_io.h"

bool fm_rules_take_option(struct fm_rule_options *options, int id, const char *value)
{
    switch (id) {
    case FM_RULES_IN_APP: options->in_app = value; return true;
    case FM_RULES_OWNERS: options->owners = value; return true;
    case FM_RULES_PREFIX: options->prefix = value; return true;
    default: return false;
    }
}

/* Opens a file of rules, if one was given. */
static bool open_rule_file(const char *path, struct fm_file *file)
{
    framemap_error error;
    *file = (struct fm_file){.opened = NULL};
    if (path == NULL || fm_file_open(path, file, &error) == FRAMEMAP_OK) return true;
    fm_message_error(NULL, &error);
    return false;
}

bool fm_rules_open(const struct fm_rule_options *given, framemap_warning warning, void *context, framemap_rules **out)
{
    struct fm_file in_app, owners;
    framemap_error error;
    bool opened = false;
    if (!open_rule_file(given->in_app, &in_app)) return false;
    if (open_rule_file(given->owners, &owners)) {
        const framemap_rules_options options = {.size = sizeof options,
                                                .in_app = in_app.bytes,
                                                .owners = owners.bytes,
                                                .warning = warning,
                                                .context = context,
                                                .path_prefix = framemap_str_of(given->prefix)};
        const framemap_status status = framemap_rules_open(&options, out, &error);
        opened = status == FRAMEMAP_OK;
        if (!opened) fm_message_error(status == FRAMEMAP_E_FORMAT ? given->in_app : NULL, &error);
        if (given->owners) fm_file_close(&owners);
    }
    if (given->in_app) fm_file_close(&in_app);
    return opened;
}
