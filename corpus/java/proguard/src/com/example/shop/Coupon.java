package com.example.shop;

/** A generic method: javac makes a bridge method, which has the same name as the method that it calls. */
class Coupon<T extends Number> implements Comparable<Coupon<T>> {
    private final T value;

    Coupon(T value) {
        this.value = value;
    }

    int apply(int amount) {
        return amount * sign(this);
    }

    private static int sign(Comparable<?> coupon) {
        return compare(coupon, coupon);
    }

    @SuppressWarnings("unchecked")
    private static <C> int compare(Comparable<C> left, Object right) {
        return left.compareTo((C) right);
    }

    @Override
    public int compareTo(Coupon<T> other) {
        return value.intValue() - other.value.intValue();
    }
}
