/* Finds URLs of stores in texts, and removes the user and password from what the command prints. Called by cli.c for
 * messages, by stores.c, and by commands that print what the user gave. It prints nothing. */
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
