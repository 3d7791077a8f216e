/* What llvm-symbolizer and llvm-addr2line share: how they are asked and how they print. */
#ifndef FM_CLI_FRONTS_LLVM_H
#define FM_CLI_FRONTS_LLVM_H

#include "cli/cli_io.h"
#include "cli/fronts/front_images.h"
#include "cli/fronts/front_names.h"

enum fm_llvm_style { FM_LLVM_PLAIN, FM_LLVM_GNU, FM_LLVM_JSON };
enum fm_llvm_functions { FM_LLVM_NO_FUNCTIONS, FM_LLVM_SHORT, FM_LLVM_LINKAGE };

struct fm_llvm {
    const char *tool; /* argv[0] */
    bool addr2line;   /* addresses are hexadecimal without a prefix too */
    enum fm_llvm_style style;
    enum fm_llvm_functions functions;
    bool demangle, inlines, basenames, pretty, addresses, verbose;
    uint64_t context_lines; /* of source, around each location */
    uint64_t adjust_vma;
    const char *object;   /* --obj */
    const char *build_id; /* --build-id */

    struct fm_front_images images;
    struct fm_front_names names;
    bool in_list; /* JSON: the answers are members of one list */
    bool any;     /* of them */
    struct fm_out out;
};

enum fm_llvm_command { FM_LLVM_CODE, FM_LLVM_DATA, FM_LLVM_FRAME };

/* One question, read from a line or an argument. */
struct fm_llvm_request {
    enum fm_llvm_command command;
    framemap_str module; /* path, or build id */
    bool by_build_id;
    bool has_address;
    uint64_t address;
    framemap_str symbol; /* asked for by name */
};

/* Reads a question; NULL, or why it is none. */
const char *fm_llvm_parse(const struct fm_llvm *llvm, framemap_str text, struct fm_llvm_request *out);
/* A number with the prefix that says its base: 0x, 0b, 0o, 0, none. */
bool fm_llvm_number(framemap_str text, uint64_t *out);

/* The printers. answer NULL: nothing is known. */
void fm_llvm_put_code(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer);
/* The same for an answer in brief, of at least one frame, whose names are as llvm->names shows them; where
 * fm_llvm_is_brief. */
void fm_llvm_put_brief(struct fm_llvm *llvm, uint64_t address, const framemap_brief_frame *frames, size_t count);
/* What is printed for code needs no more than answers in brief tell. */
bool fm_llvm_is_brief(const struct fm_llvm *llvm);
void fm_llvm_put_data(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer);
void fm_llvm_put_locals(struct fm_llvm *llvm,
                        const struct fm_llvm_request *request); /* FRAME: framemap keeps no locals */
void fm_llvm_put_symbol(struct fm_llvm *llvm, const struct fm_llvm_request *request); /* by name: not kept either */
/* JSON only: in the place of an answer. */
void fm_llvm_put_failure(struct fm_llvm *llvm, const struct fm_llvm_request *request, const char *message);
void fm_llvm_put_no_frames(struct fm_llvm *llvm, const struct fm_llvm_request *request);

/* llvm_answer.c: the name and file of frame i of an answer as the options want them; empty: unknown. */
framemap_str fm_llvm_name(struct fm_llvm *llvm, const framemap_frame *answer, size_t i);
framemap_str fm_llvm_file(const struct fm_llvm *llvm, framemap_str file);
/* Where the function or data object of an answer begins, as linked; 0: unknown. */
uint64_t fm_llvm_start(const framemap_frame *answer);

/* llvm_json.c */
void fm_llvm_json_code(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer);
void fm_llvm_json_data(struct fm_llvm *llvm, const struct fm_llvm_request *request, const framemap_frame *answer);
void fm_llvm_json_empty(struct fm_llvm *llvm, const struct fm_llvm_request *request,
                        const char *member); /* "Frame", "Symbol": an empty list */

#endif
