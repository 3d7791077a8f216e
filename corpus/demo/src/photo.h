// A small photo editor's core, shared by the Android and the iOS app of the demo.
#pragma once

namespace photo
{
struct pixel {
    unsigned char red, green, blue, alpha;
};

class image
{
  public:
    image(const pixel *pixels, int width, int height) : pixels_(pixels), width_(width), height_(height) {}

    __attribute__((always_inline)) pixel at(int x, int y) const
    {
        return pixels_[y * width_ + x]; // CRASH
    }

    int width() const { return width_; }
    int height() const { return height_; }

  private:
    const pixel *pixels_;
    int width_, height_;
};

struct filter {
    virtual int run(const image &source, int strength) const = 0;
};

struct blur_filter : filter {
    int run(const image &source, int strength) const override;
};

int apply_all(const filter *const *filters, int count, const image &source);
} // namespace photo
