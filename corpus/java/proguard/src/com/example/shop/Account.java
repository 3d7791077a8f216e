package com.example.shop;

/** Fails when it is charged, and again when it is closed: the second failure is suppressed. */
final class Account implements AutoCloseable {
    private final String owner;

    Account(String owner) {
        this.owner = owner;
    }

    void charge(int amount) {
        if (amount > limit()) {
            throw new IllegalStateException(owner + " can't pay " + amount);
        }
    }

    private int limit() {
        return owner.length();
    }

    @Override
    public void close() {
        new Closer().close();
    }

    /** Reads a private field of the class around it, through a method that javac makes. */
    private final class Closer {
        void close() {
            throw new UnsupportedOperationException("the account of " + owner + " stays open");
        }
    }
}
