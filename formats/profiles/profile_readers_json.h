/* Declares the readers of JSON profiles. The struct fm_profile_format of each is in the file that writes the format.
 * Each reader has two functions: the one with `read` in its name reads a whole document into a set, the one with
 * `looks` tests whether a text begins like such a document. */
#ifndef FM_FORMATS_PROFILES_PROFILE_READERS_JSON_H
#define FM_FORMATS_PROFILES_PROFILE_READERS_JSON_H

#include "formats/profiles/profile_format.h"

framemap_status fm_samples_read_speedscope(framemap_sample_set *set, framemap_str text, framemap_error *error);
bool fm_samples_is_speedscope(framemap_str head);
framemap_status fm_samples_read_chrome(framemap_sample_set *set, framemap_str text, framemap_error *error);
bool fm_samples_is_chrome(framemap_str head);
framemap_status fm_samples_read_firefox(framemap_sample_set *set, framemap_str text, framemap_error *error);
bool fm_samples_is_firefox(framemap_str head);

#endif
