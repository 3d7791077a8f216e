package com.example.shop;

/** A static initialiser that fails: the failure is the cause of another. */
final class Warehouse {
    private final String name;

    Warehouse(String name) {
        this.name = name;
    }

    void reserve(String item, int count) {
        try {
            Shelf.find(name).take(item, count);
        } catch (ExceptionInInitializerError failed) {
            throw new CheckoutException("the warehouse " + name + " has no shelves", failed);
        }
    }

    private static final class Shelf {
        private static final int[] SLOTS = new int[Integer.getInteger("slots", -1)];

        private int free = SLOTS[0];

        static Shelf find(String name) {
            return name.isEmpty() ? null : new Shelf();
        }

        void take(String item, int count) {
            free -= count;
            if (free < 0) {
                throw new CheckoutException("no more " + item, null);
            }
        }
    }
}
