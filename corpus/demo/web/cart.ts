import { pack, type Order } from "./orders.ts";

export class Cart {
  private orders: Order[] = [];

  add(customer: string, ...items: string[]): this {
    this.orders.push({ customer, items });
    return this;
  }

  async checkout(): Promise<number> {
    await Promise.resolve();
    return this.orders.reduce((sum, order) => sum + this.send(order), 0);
  }

  private send(order: Order): number {
    return pack(order).length;
  }
}
