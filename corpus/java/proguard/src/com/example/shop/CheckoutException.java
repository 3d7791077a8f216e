package com.example.shop;

final class CheckoutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CheckoutException(String message, Throwable cause) {
        super(message);
        if (cause != null) {
            initCause(cause);
        }
    }
}
