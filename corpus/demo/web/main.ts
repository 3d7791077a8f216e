import { Cart } from "./cart.ts";

async function open(): Promise<void> {
  console.log("12:04:07 shop: 2 orders wait");
  const cart = new Cart().add("eve", "tea").add("bob", "tea", "milk");
  console.log("12:04:08 shop: sold", await cart.checkout());
}

open().catch((error: Error) => console.log(`12:04:08 shop: failed\n${error.stack}\n12:04:08 shop: closed`));
