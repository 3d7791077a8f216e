// C++: namespaces, templates, lambdas, a virtual call, constructors, operators and the anonymous namespace.
#include "geometry/shape.h"

extern "C" int chain_entry(int x);

namespace
{
volatile int seen;

int weigh(const geometry::shape &s) { return s.area() + 1; }

template <typename Call> __attribute__((noinline)) int apply(Call call, int times)
{
    int sum = 0;
    for (int i = 0; i < times; i++)
        sum += call(i);
    return sum;
}
} // namespace

namespace geometry
{
__attribute__((noinline)) int square::area() const
{
    seen = clamp<int>::between(side, 1, 9);
    return seen * seen;
}

__attribute__((noinline)) int rectangle::area() const { return clamp<long>::between(wide, 2, 99) * high; }

vec operator+(vec a, vec b)
{
    seen = a.x;
    return {a.x + b.x, a.y + b.y};
}
} // namespace geometry

#ifdef __APPLE__
#define COLD __attribute__((section("__TEXT,__cold"), noinline))
#else
#define COLD __attribute__((section(".text.cold_part"), noinline))
#endif

// Kept out of the unit's own section, so that one unit has several ranges.
COLD int give_up(int code)
{
    seen = code;
    return -code;
}

extern "C" int shapes_entry(int x)
{
    geometry::square s(x);
    geometry::rectangle r(x, 3);
    int total = weigh(s) + weigh(r);
    total += apply([x](int i) { return geometry::clamp<int>::between(i * x, 0, 50); }, 4);
    total += apply([&](int i) { return total ^ i; }, 2);
    geometry::vec v = geometry::vec{x, 1} + geometry::vec{2, x};
    if (total > 1000) return give_up(total);
    return total + v.x + v.y + chain_entry(x);
}
