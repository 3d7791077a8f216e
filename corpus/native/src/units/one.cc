#include "shared.h"
extern "C" int sink(int);
namespace one {
__attribute__((noinline)) int first(const int *items, int count)
{
    return sink(shared::mix(items, count, {1, 300}));
}
__attribute__((noinline)) int second(int value)
{
    if (value > 3)
        return sink(shared::clamp(value, {2, 30}));
    return value * 3;
}
__attribute__((noinline)) int third(const int *items)
{
    return second(items[0]) + sink(shared::clamp(items[1], {-3, 9}));
}
static __attribute__((noinline)) int same(int value)
{
    return sink(value + 5) * 7;
}
int last(const int *items) { return same(items[0]) + first(items, 3); }
}
