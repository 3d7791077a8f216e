package com.example.shop;

/* Makes the shop fail in all ways that give a stack of a different form, and prints the stacks. */
public final class Main {
    private Main() {
    }

    private interface Scene {
        void play();
    }

    public static void main(String[] arguments) {
        print(() -> new Cart().checkout("nobody"));
        print(() -> Cart.of("tea", "").checkout("alice"));
        print(() -> Cart.of("tea", "cake").checkout("bob"));
        print(() -> new Warehouse("north").reserve("tea", -1));
        print(Main::circle);
        print(() -> new Coupon<Integer>(null).apply(3));
    }

    private static void print(Scene scene) {
        try {
            scene.play();
        } catch (RuntimeException failure) {
            failure.printStackTrace(System.out);
            System.out.println();
        }
    }

    /** A failure that is its cause's cause. */
    private static void circle() {
        CheckoutException first = new CheckoutException("the first failure", null);
        CheckoutException second = new CheckoutException("the second failure", first);
        first.initCause(second);
        throw first;
    }
}
