#include "photo.h"

__attribute__((objc_root_class)) @interface PhotoEditor
+ (void)startWithPixels:(const photo::pixel *)pixels;
- (int)applyFiltersTo:(const photo::image *)source;
- (void)failWithReason:(const char *)reason;
@end

extern "C" __attribute__((noreturn)) void objc_exception_throw(const void *exception);

static int checked(int total)
{
    return total < 0 ? 0 : total;
}

@implementation PhotoEditor
+ (void)startWithPixels:(const photo::pixel *)pixels
{
    photo::image source(pixels, 64, 64);
    [(PhotoEditor *)self applyFiltersTo:&source];
}

- (int)applyFiltersTo:(const photo::image *)source
{
    photo::blur_filter blur;
    const photo::filter *filters[] = {&blur};
    int total = checked(photo::apply_all(filters, 1, *source));
    if (total == 0) [self failWithReason:"nothing to draw"];
    return total + 1;
}

- (void)failWithReason:(const char *)reason
{
    objc_exception_throw(reason);
}
@end

extern "C" int main(int argc, char **)
{
    [PhotoEditor startWithPixels:nullptr];
    return argc - 1;
}

extern "C" void __cxa_pure_virtual() { __builtin_trap(); }
