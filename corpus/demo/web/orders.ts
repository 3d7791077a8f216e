/** Orders of a small shop. */
export interface Order {
  customer: string;
  items: string[];
}

export class OutOfStock extends Error {
  constructor(item: string, cause?: unknown) {
    super(`none left of ${item}`, { cause });
    this.name = "OutOfStock";
  }
}

const shelf = new Map([["tea", 3], ["milk", 0]]);

const take = (item: string): number => {
  const left = shelf.get(item) ?? 0;
  if (left === 0) throw new OutOfStock(item);
  shelf.set(item, left - 1);
  return left - 1;
};

export function pack(order: Order): number[] {
  return order.items.map((item) => take(item));
}
