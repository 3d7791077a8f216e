/* URLs of stores in texts: where one begins, and how its user and password are kept out of what the command prints.
 * Called by cli.c for messages, by stores.c, and by commands that print what they were given. It prints nothing. */
#ifndef FM_CLI_STORE_URL_H
#define FM_CLI_STORE_URL_H

#include <stddef.h>

/* Returns the size of the scheme of a store's URL with which a text begins ("redis://"); 0: it does not begin with
 * one. */
size_t fm_store_url_scheme(const char *text, size_t size);
/* Removes the user and the password from every URL of a store in a text, in place: "redis://user:password@host" becomes
 * "redis://@host". Returns the new size, which is never greater. */
size_t fm_store_url_hide(char *text, size_t size);

#endif
