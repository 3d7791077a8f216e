/* Runs a demangler within limits: it counts the demangler's memory and output. The limit of output also bounds the
 * time, and the length of a name bounds the stack. Called by demangle.c. */
#include "resolve/demangle/demangle_limits.h"

#include "core/limits.h"
#include "core/thread.h"

#include <setjmp.h>
#include <string.h>

/* Size of a buffer on the caller's stack. Most names need less, so that they take no arena memory while they are
 * demangled. */
#define LOCAL_BYTES 8192
/* Memory limit of one call. LLVM's tree takes about 40 bytes for each byte of a name, and its output buffer doubles. */
#define BUDGET_BYTES ((size_t)8 << 20)
/* Stack per byte of the name: the largest measured value is 250 (docs/demangling.md). Names up to DIRECT_BYTES bytes
 * are demangled on the caller's stack, which must have some 300 KiB left for the worst of them; longer names are
 * demangled on a stack that is allocated for the call. */
#define STACK_PER_BYTE 512
#define STACK_LEAST ((size_t)512 << 10)
#define DIRECT_BYTES 1024
/* How much of a stack that is allocated for a call counts as used memory: TOUCHED_LEAST plus TOUCHED_PER_BYTE for each
 * byte of the name. The worst name that was found uses 10 KiB and 161 bytes for each byte. */
#define TOUCHED_PER_BYTE 192
#define TOUCHED_LEAST ((size_t)64 << 10)

struct call {
    fm_demangler *run;
    framemap_str name;
    int options;
    struct fm_arena *arena;
    /* memory that does not fit into `local`; it can be many times the size of the result, and is freed when the call
     * returns */
    struct fm_arena own;
    framemap_str text; /* the result, in the arena */
    enum fm_demangled ending;
    jmp_buf give_up;
    size_t spent;
    unsigned char *last; /* the newest block; only this block can grow in place */
    char *collected;
    size_t collected_size, collected_room;
    size_t local_used;
    _Alignas(max_align_t) unsigned char local[LOCAL_BYTES];
};

/* The demanglers' allocation calls carry no context, so the running call is found through its thread. This is the only
 * thread-local variable in the library. It is set on entry and cleared on return. */
static _Thread_local struct call *running;

/* Each block starts with its size, so that it can be copied when it grows. */
struct block_head {
    _Alignas(max_align_t) size_t size;
};

void *fm_vendor_malloc(size_t size);
void *fm_vendor_realloc(void *ptr, size_t size);
void fm_vendor_free(void *ptr);
_Noreturn void fm_vendor_abort(void);
_Noreturn void fm_vendor_abort(void) { longjmp(running->give_up, 1); }

/* Defines a function that gives up the running call. LLVM's demangler calls some of these functions to abort; the
 * others are C++ run-time functions that it refers to but never calls. */
#define GIVES_UP(name)                                           \
    _Noreturn void fm_vendor_##name(void);                       \
    _Noreturn void fm_vendor_##name(void) { fm_vendor_abort(); } \
    _Static_assert(1, "takes the semicolon")
GIVES_UP(message);
GIVES_UP(message_inner);
GIVES_UP(verbose);
GIVES_UP(terminate);
GIVES_UP(delete);
GIVES_UP(delete_sized);
GIVES_UP(catch);
GIVES_UP(pure);
GIVES_UP(personality);
GIVES_UP(unwind);
GIVES_UP(end_cleanup);
/* Replacements for C++'s tables of run-time type information, which nothing reads. */
extern const char fm_vendor_typeinfo[64], fm_vendor_typeinfo_si[64], fm_vendor_typeinfo_vmi[64];
const char fm_vendor_typeinfo[64], fm_vendor_typeinfo_si[64], fm_vendor_typeinfo_vmi[64];

void *fm_vendor_malloc(size_t size)
{
    struct call *call = running;
    const size_t unit = sizeof(max_align_t);
    if (size > BUDGET_BYTES || call->spent > BUDGET_BYTES - size) fm_vendor_abort();
    size_t bytes = sizeof(struct block_head) + (size + unit - 1) / unit * unit;
    struct block_head *head;
    if (bytes <= LOCAL_BYTES - call->local_used) {
        head = (struct block_head *)(void *)(call->local + call->local_used);
        call->local_used += bytes;
    } else {
        head = fm_arena_alloc(&call->own, bytes);
        if (head == NULL) fm_vendor_abort();
    }
    call->spent += bytes;
    head->size = bytes - sizeof *head;
    call->last = (unsigned char *)(head + 1);
    return call->last;
}

/* Grows the newest local block in place; LLVM's output buffer usually is the newest block. */
static bool grow_in_place(struct call *call, struct block_head *head, size_t size)
{
    const size_t unit = sizeof(max_align_t);
    unsigned char *data = (unsigned char *)(head + 1);
    if (data != call->last || data < call->local || data >= call->local + LOCAL_BYTES || size > LOCAL_BYTES)
        return false;
    size_t more = (size + unit - 1) / unit * unit - head->size;
    if (more > LOCAL_BYTES - call->local_used) return false;
    call->local_used += more;
    head->size += more;
    return true;
}

void *fm_vendor_realloc(void *ptr, size_t size)
{
    if (ptr == NULL) return fm_vendor_malloc(size);
    struct block_head *head = (struct block_head *)ptr - 1;
    if (size <= head->size || grow_in_place(running, head, size)) return ptr;
    void *grown = fm_vendor_malloc(size);
    memcpy(grown, ptr, head->size);
    return grown;
}

void fm_vendor_free(void *ptr) { (void)ptr; /* does nothing: memory is freed with the call or with the arena */ }

void fm_demangle_collect(const char *text, size_t size, void *unused)
{
    (void)unused;
    struct call *call = running;
    if (size == 0) return; /* `text` may be NULL here, which must not be passed to memcpy */
    if (size > FM_LIMIT_NAME - call->collected_size) fm_vendor_abort();
    if (call->collected_size + size + 1 > call->collected_room) {
        call->collected_room = (call->collected_size + size + 1) * 2;
        call->collected = fm_vendor_realloc(call->collected, call->collected_room);
    }
    memcpy(call->collected + call->collected_size, text, size);
    call->collected_size += size;
    call->collected[call->collected_size] = 0;
}

const char *fm_demangle_collected(void) { return running->collected; }

static void attempt(struct call *call)
{
    char *name = fm_vendor_malloc(call->name.size + 1);
    memcpy(name, call->name.data, call->name.size);
    name[call->name.size] = 0;
    const char *text = call->run(name, call->options);
    size_t size = text ? strlen(text) : 0;
    if (size == 0)
        call->ending = FM_DEMANGLE_NOT_MINE;
    else if (size <= FM_LIMIT_NAME && fm_arena_str(call->arena, (framemap_str){text, size}, &call->text))
        call->ending = FM_DEMANGLED;
}

static void *run_call(void *context)
{
    struct call *call = context;
    running = call;
    if (setjmp(call->give_up) == 0) attempt(call);
    running = NULL;
    return NULL;
}

/* Runs a call on a new stack, in a thread. Returns false if no thread could be created; the name is then left
 * unchanged. */
static bool run_on_own_stack(struct call *call)
{
    fm_thread thread;
    const uint64_t touched = TOUCHED_LEAST + call->name.size * TOUCHED_PER_BYTE;
    if (!fm_heap_reserve(call->arena->heap, touched)) return false;
    const bool started = fm_thread_start(&thread, run_call, call, STACK_LEAST + call->name.size * STACK_PER_BYTE);
    if (started) fm_thread_join(thread);
    fm_heap_unreserve(call->arena->heap, touched);
    return started;
}

enum fm_demangled fm_demangle_guarded(fm_demangler *run, framemap_str name, int options, struct fm_arena *arena,
                                      framemap_str *out)
{
    struct call call;
    call.run = run;
    call.name = name;
    call.options = options;
    call.arena = arena;
    fm_arena_init(&call.own, arena->heap);
    call.ending = FM_DEMANGLE_GAVE_UP; /* stays as it is if the demangler does not return normally */
    call.spent = call.local_used = call.collected_size = call.collected_room = 0;
    call.last = NULL;
    call.collected = NULL;
    if (name.size <= DIRECT_BYTES)
        run_call(&call);
    else if (!run_on_own_stack(&call))
        return FM_DEMANGLE_GAVE_UP;
    arena->passing += call.own.total;
    fm_arena_free(&call.own);
    if (call.ending == FM_DEMANGLED) *out = call.text;
    return call.ending;
}
