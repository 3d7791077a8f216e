#ifndef SHAPE_H
#define SHAPE_H

namespace geometry
{
struct vec {
    int x, y;
};

vec operator+(vec a, vec b);

template <typename T> struct clamp {
    static inline T between(T value, T low, T high)
    {
        return value < low    ? low
               : high < value ? high
                              : value;
    }
};

struct shape {
    virtual int area() const = 0;
};

struct square : shape {
    explicit square(int s) : side(s) {}
    int area() const override;
    int side;
};

struct rectangle : shape {
    rectangle(int w, int h) : wide(w), high(h) {}
    int area() const override;
    int wide, high;
};
} // namespace geometry

#endif
