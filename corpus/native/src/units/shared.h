#pragma once
namespace shared {
struct Range { int low, high; };
inline int clamp(int value, Range range)
{
    if (value < range.low) return range.low;
    if (value > range.high)
        return range.high;
    return value;
}
inline int mix(const int *items, int count, Range range)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += clamp(items[i] * 31, range);
    return sum;
}
}
