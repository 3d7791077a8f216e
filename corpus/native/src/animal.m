// Objective-C without headers or a runtime: its own root class, a category, class and instance methods.
__attribute__((objc_root_class)) @interface Animal
+ (int)legs;
- (int)speakTimes:(int)count loudly:(int)loud;
@end

static volatile int heard;

@implementation Animal
+ (int)legs
{
    return heard + 4;
}

- (int)speakTimes:(int)count loudly:(int)loud
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += heard + loud;
    return sum;
}
@end

@interface Animal (Tricks)
- (int)rollOver;
@end

@implementation Animal (Tricks)
- (int)rollOver
{
    return [Animal legs] + [self speakTimes:2 loudly:1];
}
@end

int animal_entry(Animal *animal)
{
    return [animal rollOver] + 1;
}
