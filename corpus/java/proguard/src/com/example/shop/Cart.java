package com.example.shop;

import java.util.ArrayList;
import java.util.List;

/** Overloads, private methods that ProGuard puts into their callers, a lambda and a loop. */
final class Cart {
    private final List<String> items = new ArrayList<>();
    private int total;

    static Cart of(String... names) {
        Cart cart = new Cart();
        for (String name : names) {
            cart.add(name);
        }
        return cart;
    }

    void add(String name) {
        add(name, 1);
    }

    void add(String name, int count) {
        for (int i = 0; i < count; i++) {
            items.add(name);
        }
    }

    void checkout(String customer) {
        requireItems(customer);
        try {
            total = items.stream().mapToInt(item -> price(item)).sum();
            pay(customer);
        } catch (IllegalStateException refused) {
            throw new CheckoutException("no order for " + customer, refused);
        }
    }

    private void requireItems(String customer) {
        if (items.isEmpty()) {
            fail(customer);
        }
    }

    private void fail(String customer) {
        throw new IllegalArgumentException("the cart of " + customer + " is empty");
    }

    private int price(String item) {
        return firstLetter(item) - 'a' + total;
    }

    private char firstLetter(String item) {
        return item.charAt(0);
    }

    private void pay(String customer) {
        try (Account account = new Account(customer)) {
            account.charge(total);
        }
    }
}
