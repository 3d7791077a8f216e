/* framemap llvm-symbolizer and framemap llvm-addr2line: one program with two names, as in LLVM. Compatible with
 * release 19. */
#include "cli/cli.h"
#include "cli/fronts/llvm_options.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { QUEUE_MOST = 256 };

/* Returns LLVM's message for a file that cannot be opened. */
static const char *failure_words(const struct fm_front_image *module)
{
    if (module->status == FRAMEMAP_E_FORMAT) return "The file was not recognized as a valid object file";
    if (module->status != FRAMEMAP_E_IO) return module->message;
    struct stat about;
    int fd = open(module->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return strerror(errno);
    bool folder = fstat(fd, &about) == 0 && S_ISDIR(about.st_mode);
    close(fd);
    return folder ? strerror(EISDIR) : module->message;
}

static void report_fault(const struct fm_llvm *llvm, framemap_str what, const char *words)
{
    fm_stderr_print("%s: error: '%.*s': %s\n", llvm->tool, (int)what.size, what.data, words);
}

/* Reports that a file cannot be opened, but only once: later requests for that file get empty answers. Returns false
 * if an answer was written. */
static bool check_module(struct fm_llvm *llvm, const struct fm_llvm_request *request, struct fm_front_image *module)
{
    bool failed = module->status != FRAMEMAP_OK && module->status != FRAMEMAP_E_EMPTY;
    if (!failed) return true;
    bool first = !module->reported;
    module->reported = true;
    if (first && llvm->style == FM_LLVM_JSON) {
        fm_llvm_put_failure(llvm, request, failure_words(module));
        return false;
    }
    if (first) report_fault(llvm, request->module, failure_words(module));
    if (llvm->style != FM_LLVM_JSON || request->command != FM_LLVM_CODE) return true;
    fm_llvm_put_no_frames(llvm, request);
    return false;
}

/* Looks up the function at the address or, if no function is there, the data object: LLVM has both in one table. */
static void answer_code(struct fm_llvm *llvm, const struct fm_llvm_request *request, struct fm_front_image *module)
{
    framemap_frame frame;
    uint64_t address = request->address - llvm->adjust_vma;
    bool known = fm_front_image_lookup(&llvm->images, module, address, &frame);

    if (!known && !module->relocatable) known = fm_front_image_lookup_data(&llvm->images, module, address, &frame);
    fm_front_names_begin(&llvm->names);
    fm_llvm_put_code(llvm, request, known ? &frame : NULL);
    fm_front_names_end(&llvm->names, known && frame.over_limit);
}

/* Looks up the data object at the address or, if no data object is there, the function. */
static void answer_data(struct fm_llvm *llvm, const struct fm_llvm_request *request, struct fm_front_image *module)
{
    framemap_frame frame, object;
    uint64_t address = request->address - llvm->adjust_vma;
    bool known = fm_front_image_lookup_data(&llvm->images, module, address, &frame);

    if (!known && (known = fm_front_image_lookup(&llvm->images, module, address, &frame))) {
        object = frame.restored.frames[frame.restored.count - 1];
        object.line = 0; /* the line belongs to the object's declaration, not to the address */
        frame.restored = (framemap_frame_list){&object, 1};
    }
    fm_front_names_begin(&llvm->names);
    fm_llvm_put_data(llvm, request, known ? &frame : NULL);
    fm_front_names_end(&llvm->names, known && frame.over_limit);
}

/* Answers a line that is not a request. Callers send empty lines to check whether the tool is running. */
static void answer_unknown_module(struct fm_llvm *llvm, framemap_str module)
{
    struct fm_llvm_request request = {.module = module};
    fm_llvm_put_code(llvm, &request, NULL);
}

/* Prints a build id, in upper case as LLVM does. */
static void answer_build_id(struct fm_llvm *llvm, struct fm_llvm_request *request)
{
    char *id = fm_cli_copy(request->module.data, request->module.size);
    for (char *at = id; *at; at++)
        if (*at >= 'a' && *at <= 'f') *at = (char)(*at - 'a' + 'A');
    request->module = framemap_str_of(id);
    if (llvm->style == FM_LLVM_JSON) {
        fm_llvm_put_failure(llvm, request, "could not find build ID");
    } else {
        report_fault(llvm, request->module, "could not find build ID");
        fm_llvm_put_code(llvm, request, NULL);
    }
    free(id);
}

/* Returns the file with a build id in the debug directories; NULL: none. */
static struct fm_front_image *module_of_build_id(struct fm_llvm *llvm, framemap_str id)
{
    static const char *const system_folder[] = {"/usr/lib/debug"};
    const char *const *folders = llvm->images.debug_folder_count ? llvm->images.debug_folders : system_folder;
    size_t count = llvm->images.debug_folder_count ? llvm->images.debug_folder_count : 1;
    char path[4096];

    for (size_t i = 0; i < count && id.size > 2; i++) {
        int size = snprintf(path, sizeof path, "%s/.build-id/%.2s/%.*s.debug", folders[i], id.data, (int)id.size - 2,
                            id.data + 2);
        if (size > 0 && (size_t)size < sizeof path && access(path, R_OK) == 0)
            return fm_front_images_find(&llvm->images, framemap_str_of(path));
    }
    return NULL;
}

static void answer_llvm_request(struct fm_llvm *llvm, framemap_str text)
{
    struct fm_llvm_request request;
    if (text.size == 0) {
        answer_unknown_module(llvm, text);
        return;
    }
    const char *wrong = fm_llvm_parse(llvm, text, &request);
    if (wrong) {
        report_fault(llvm, text, wrong);
        answer_unknown_module(llvm, request.module);
        return;
    }
    struct fm_front_image *module = request.by_build_id ? module_of_build_id(llvm, request.module)
                                                        : fm_front_images_find(&llvm->images, request.module);
    if (!module)
        answer_build_id(llvm, &request);
    else if (!check_module(llvm, &request, module))
        return;
    else if (request.command == FM_LLVM_DATA)
        answer_data(llvm, &request, module);
    else if (request.command == FM_LLVM_FRAME)
        fm_llvm_put_locals(llvm, &request);
    else if (!request.has_address)
        fm_llvm_put_symbol(llvm, &request);
    else
        answer_code(llvm, &request, module);
}

/* --- answering lines of standard input --- */

/* Requests for code of one module that have arrived. They are answered in one batch before the next wait for input. */
struct request_queue {
    struct fm_front_image *module;
    size_t count;
    struct fm_llvm_request requests[QUEUE_MOST]; /* strings are borrowed from the input buffer until the next read */
    uint64_t addresses[QUEUE_MOST];
};

static void answer_queue(struct fm_llvm *llvm, struct request_queue *queue)
{
    framemap_location_list list = {.chain_count = 0};
    const bool together =
        queue->count && fm_front_image_lookup_many(&llvm->images, queue->module,
                                                   llvm->demangle ? FRAMEMAP_DEMANGLE_LLVM : FRAMEMAP_DEMANGLE_NONE,
                                                   queue->addresses, queue->count, &list);
    for (size_t i = 0; i < queue->count; i++) {
        if (together && list.chains[i].count)
            fm_llvm_put_locations(llvm, queue->requests[i].address, list.locations + list.chains[i].first,
                                  list.chains[i].count);
        else
            answer_code(llvm, &queue->requests[i], queue->module);
    }
    queue->count = 0;
}

/* Adds a line to the queue. Returns false if the line is not a request for code, or if its module needs more than
 * the batch call (fm_front_image_is_plain). */
static bool add_to_queue(struct fm_llvm *llvm, struct request_queue *queue, framemap_str line)
{
    struct fm_llvm_request *request = &queue->requests[queue->count];
    if (line.size == 0 || fm_llvm_parse(llvm, line, request) != NULL) return false;
    if (request->command != FM_LLVM_CODE || request->by_build_id || !request->has_address) return false;
    struct fm_front_image *module = fm_front_images_find(&llvm->images, request->module);
    if (!fm_front_image_is_plain(module)) return false;
    if (queue->count > 0 && module != queue->module) {
        const struct fm_llvm_request kept = *request;
        answer_queue(llvm, queue);
        queue->requests[0] = kept;
    }
    queue->module = module;
    queue->addresses[queue->count] = queue->requests[queue->count].address - llvm->adjust_vma;
    queue->count++;
    return true;
}

static void answer_llvm_input(struct fm_llvm *llvm)
{
    /* LLVM reads lines in parts of LONGEST bytes. */
    enum { LONGEST = 1023 };
    struct fm_in in;
    framemap_str line;
    struct request_queue *queue = fm_cli_resize(NULL, sizeof *queue);
    const bool brief = fm_llvm_needs_locations_only(llvm);

    queue->count = 0;
    fm_message_waiting("addresses, one per line,");
    fm_in_init(&in, STDIN_FILENO);
    while (!llvm->out.failed) {
        if (queue->count == QUEUE_MOST || !fm_in_has_line(&in, LONGEST)) answer_queue(llvm, queue);
        if (!fm_in_line(&in, &llvm->out, LONGEST, &line)) break;
        while (line.size && line.data[line.size - 1] == '\r') line.size--;
        if (brief && add_to_queue(llvm, queue, line)) continue;
        answer_queue(llvm, queue);
        answer_llvm_request(llvm, line);
    }
    answer_queue(llvm, queue);
    free(queue);
    fm_in_free(&in);
}

static void answer_arguments(struct fm_llvm_front *front)
{
    struct fm_llvm *llvm = &front->llvm;
    llvm->in_list = llvm->style == FM_LLVM_JSON;
    if (llvm->in_list) fm_put_char(&llvm->out, '[');
    for (size_t i = 0; i < front->input_count; i++) answer_llvm_request(llvm, framemap_str_of(front->inputs[i]));
    if (llvm->in_list) fm_put_text(&llvm->out, "]\n");
}

/* Checks the file of --obj; the program ends at once if it cannot be read. */
static bool open_object(struct fm_llvm *llvm)
{
    if (!llvm->object) return true;
    struct fm_front_image *module = fm_front_images_find(&llvm->images, framemap_str_of(llvm->object));
    if (module->status == FRAMEMAP_OK || module->status == FRAMEMAP_E_EMPTY) return true;
    struct fm_llvm_request request = {.module = framemap_str_of(llvm->object), .has_address = true};
    if (llvm->style == FM_LLVM_JSON)
        fm_llvm_put_failure(llvm, &request, failure_words(module));
    else
        report_fault(llvm, request.module, failure_words(module));
    return false;
}

/* Returns the addresses in the arguments, whichever files they are for, so that files need be compiled for these
 * only; owned by the caller. NULL: there are none, or addresses are read from standard input. */
static uint64_t *only_llvm_addresses(struct fm_llvm_front *front)
{
    struct fm_llvm *llvm = &front->llvm;
    struct fm_front_images *images = &llvm->images;
    if (front->input_count == 0) return NULL;
    uint64_t *addresses = fm_cli_resize(NULL, 2 * front->input_count * sizeof *addresses);
    for (size_t i = 0; i < front->input_count; i++) {
        struct fm_llvm_request request;
        const framemap_str text = framemap_str_of(front->inputs[i]);
        if (text.size == 0 || fm_llvm_parse(llvm, text, &request) || !request.has_address) continue;
        addresses[images->position_count++] = request.address - llvm->adjust_vma;
        addresses[images->position_count++] =
            (request.address - llvm->adjust_vma) & ~(uint64_t)1; /* the address without the Thumb bit */
    }
    if (images->position_count > 0) images->positions = addresses;
    return addresses;
}

static int run_llvm(struct fm_llvm_front *front)
{
    struct fm_llvm *llvm = &front->llvm;
    framemap_error error;

    llvm->images.debug_folders = front->debug_folders;
    llvm->images.bundles = front->bundles;
    if (fm_front_images_open(&llvm->images, &error)) return fm_message_error(NULL, &error);
    if (fm_front_names_open(&llvm->names, llvm->demangle ? FRAMEMAP_DEMANGLE_LLVM : FRAMEMAP_DEMANGLE_NONE, &error)) {
        fm_front_images_close(&llvm->images);
        return fm_message_error(NULL, &error);
    }
    uint64_t *addresses = only_llvm_addresses(front);
    bool good = open_object(llvm);
    if (good && front->input_count)
        answer_arguments(front);
    else if (good)
        answer_llvm_input(llvm);
    good = fm_out_flush(&llvm->out) && good && !llvm->images.symbols.changed;
    fm_front_names_close(&llvm->names);
    fm_front_images_close(&llvm->images);
    free(addresses);
    return good ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static int llvm_main(int argc, char **argv, bool addr2line)
{
    struct fm_llvm_front *front = fm_cli_resize(NULL, sizeof *front); /* the struct is too large for the stack */
    struct fm_args args;

    memset(front, 0, sizeof *front);
    fm_args_init(&args, argc, argv, getenv(addr2line ? "LLVM_ADDR2LINE_OPTS" : "LLVM_SYMBOLIZER_OPTS"));
    front->debug_folders = fm_cli_resize(NULL, (size_t)args.argc * sizeof *front->debug_folders);
    front->bundles = fm_cli_resize(NULL, (size_t)args.argc * sizeof *front->bundles);
    front->inputs = fm_cli_resize(NULL, (size_t)args.argc * sizeof *front->inputs);
    front->llvm.tool = argv[0];
    front->llvm.addr2line = addr2line;
    front->llvm.style = addr2line ? FM_LLVM_GNU : FM_LLVM_PLAIN;
    front->llvm.functions = addr2line ? FM_LLVM_NO_FUNCTIONS : FM_LLVM_LINKAGE;
    front->llvm.demangle = front->llvm.inlines = !addr2line;
    fm_out_init(&front->llvm.out, STDOUT_FILENO);

    int code = fm_llvm_read_options(front, &args);
    if (code < 0) code = run_llvm(front);
    free(front->debug_folders);
    free(front->bundles);
    free(front->inputs);
    fm_args_free(&args);
    free(front);
    return code;
}

int fm_cmd_llvm_symbolizer(int argc, char **argv) { return llvm_main(argc, argv, false); }
int fm_cmd_llvm_addr2line(int argc, char **argv) { return llvm_main(argc, argv, true); }
