/* Shared by the files of llvm-symbolizer and llvm-addr2line: options, requests and printers. */
#ifndef FM_CLI_FRONTS_LLVM_H
#define FM_CLI_FRONTS_LLVM_H

#include "cli/cli_io.h"
#include "cli/fronts/front_images.h"
#include "cli/fronts/front_names.h"

enum fm_llvm_style { FM_LLVM_PLAIN, FM_LLVM_GNU, FM_LLVM_JSON };
enum fm_llvm_functions { FM_LLVM_NO_FUNCTIONS, FM_LLVM_SHORT, FM_LLVM_LINKAGE };

struct fm_llvm {
    const char *tool; /* argv[0] */
    bool addr2line;   /* the tool is llvm-addr2line: addresses without a prefix are hexadecimal */
    enum fm_llvm_style style;
    enum fm_llvm_functions functions;
    bool demangle, inlines, basenames, pretty, addresses, verbose;
    uint64_t context_lines; /* lines of source to print around each location */
    uint64_t adjust_vma;
    const char *object;   /* value of --obj */
    const char *build_id; /* value of --build-id */

    struct fm_front_images images;
    struct fm_front_names names;
    bool in_list; /* JSON output: the answers are elements of one list */
    bool any;     /* at least one element of the list was printed */
    struct fm_out out;
};

enum fm_llvm_command { FM_LLVM_CODE, FM_LLVM_DATA, FM_LLVM_FRAME };

/* A request, parsed from a line or an argument. */
struct fm_llvm_request {
    enum fm_llvm_command command;
    framemap_str module; /* path, or build id */
    bool by_build_id;
    bool has_address;
    uint64_t address;
    framemap_str symbol; /* name, if the request is for a symbol by name */
};

/* Parses a request. Returns NULL, or the reason why the text is not a request. */
const char *fm_llvm_parse(const struct fm_llvm *llvm, framemap_str text, struct fm_llvm_request *out);
/* Parses a number: decimal, or in another base if it has the prefix 0x, 0b, 0o or 0. Returns
 * false if the text is not such a number. */
bool fm_llvm_number(framemap_str text, uint64_t *out);

/* The functions fm_llvm_put_… below print one answer each. answer NULL: nothing is known about the address. */
void fm_llvm_put_code(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer);
/* Prints an answer that consists only of locations (framemap_location), at least one, with demangled names. May be
 * called only if fm_llvm_needs_locations_only returns true. */
void fm_llvm_put_locations(struct fm_llvm *llvm, uint64_t address, const framemap_location *frames, size_t count);
/* Whether printing code needs only the locations of an answer. */
bool fm_llvm_needs_locations_only(const struct fm_llvm *llvm);
void fm_llvm_put_data(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer);
/* Answers a request FRAME: with an empty answer, since framemap does not store local variables. */
void fm_llvm_put_locals(struct fm_llvm *llvm, const struct fm_llvm_request *request);
/* Answers a lookup by name: always as unknown. */
void fm_llvm_put_symbol(struct fm_llvm *llvm, const struct fm_llvm_request *request);
/* Prints an error instead of an answer; only for JSON output. */
void fm_llvm_put_failure(struct fm_llvm *llvm, const struct fm_llvm_request *request, const char *message);
void fm_llvm_put_no_frames(struct fm_llvm *llvm, const struct fm_llvm_request *request);

/* Return the name and the file of frame i, in the form that the options select; empty: unknown. Defined in
 * llvm_answer.c. */
framemap_str fm_llvm_name(struct fm_llvm *llvm, const framemap_frame *answer, size_t i);
framemap_str fm_llvm_file(const struct fm_llvm *llvm, framemap_str file);
/* Returns the linked start address of the function or data object of an answer; 0: unknown. */
uint64_t fm_llvm_start(const framemap_frame *answer);

/* The functions below print JSON. Defined in llvm_json.c. */
void fm_llvm_json_code(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer);
void fm_llvm_json_data(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer);
void fm_llvm_json_empty(struct fm_llvm *llvm, const struct fm_llvm_request *request,
                        const char *member); /* member: "Frame" or "Symbol", which is written as an empty list */

#endif
