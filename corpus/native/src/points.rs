//! Rust without its standard library: modules, generics, a trait, a closure and inlined calls.
#![no_std]

use core::panic::PanicInfo;

#[panic_handler]
fn on_panic(_info: &PanicInfo) -> ! {
    loop {}
}

pub mod area {
    pub trait Area {
        fn area(&self) -> i32;
    }

    pub struct Square(pub i32);
    pub struct Pair<A, B>(pub A, pub B);

    impl Area for Square {
        #[inline(never)]
        fn area(&self) -> i32 {
            super::wrapped_square(self.0)
        }
    }

    impl<A: Area, B: Area> Area for Pair<A, B> {
        #[inline(never)]
        fn area(&self) -> i32 {
            self.0.area().wrapping_add(self.1.area())
        }
    }
}

#[inline(always)]
fn wrapped_square(x: i32) -> i32 {
    let grown = grow(x);
    grown.wrapping_mul(grown)
}

#[inline(always)]
fn grow(x: i32) -> i32 {
    if x > 100 {
        return x ^ 0x55;
    }
    x.wrapping_add(1)
}

#[inline(never)]
fn apply<F: Fn(i32) -> i32>(call: F, times: i32) -> i32 {
    (0..times).fold(0, |sum, i| sum.wrapping_add(call(i)))
}

#[no_mangle]
pub extern "C" fn points_entry(x: i32) -> i32 {
    use area::{Area, Pair, Square};
    let pair = Pair(Square(x), Pair(Square(3), Square(x ^ 1)));
    pair.area().wrapping_add(apply(|i| wrapped_square(i ^ x), 3))
}
