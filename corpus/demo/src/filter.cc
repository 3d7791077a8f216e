#include "photo.h"

namespace photo
{
namespace
{
__attribute__((always_inline)) inline int brightness(pixel p) { return p.red + p.green + p.blue; }

__attribute__((always_inline)) inline int weigh(const image &source, int x, int y)
{
    return brightness(source.at(x, y)) / 3;
}

template <int Radius> __attribute__((always_inline)) inline int sum_around(const image &source, int x, int y)
{
    int sum = 0;
    for (int dx = -Radius; dx <= Radius; dx++)
        sum += weigh(source, x + dx, y);
    return sum;
}
} // namespace

__attribute__((noinline)) int blur_filter::run(const image &source, int strength) const
{
    int total = 0;
    for (int y = 0; y < source.height(); y++)
        for (int x = 1; x + 1 < source.width(); x++)
            total += sum_around<1>(source, x, y) * strength;
    return total;
}

__attribute__((noinline)) int apply_all(const filter *const *filters, int count, const image &source)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += filters[i]->run(source, i + 1);
    return total;
}
} // namespace photo
