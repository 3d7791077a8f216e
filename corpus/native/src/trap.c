/* A WebAssembly module in C: it calls a function of the host, which calls back; inlined calls end in a trap. */
__attribute__((import_module("env"), import_name("host"))) int host(int x);

static inline __attribute__((always_inline)) int check(const int *values, int at)
{
    if (at > 2) __builtin_trap();
    return values[at];
}

__attribute__((noinline, export_name("back"))) int back(int x)
{
    static const int values[3] = {3, 1, 4};
    return check(values, x) * 2;
}

__attribute__((noinline)) static int through(int x) { return host(x + 1) + 1; }

__attribute__((export_name("run"))) int run(int x) { return through(x * 2) ^ 5; }
