import { points } from "../points.ts";
import { Money, sum } from "./money.ts";
import Shop from "./shop.ts";

const checking = (limit: number) => (shop: Shop) => (next: any) => (action: any) => {
    const state = next(action);
    if (shop.total.cents > limit) {
        throw new RangeError(`${shop.total.cents} is over the limit`);
    }
    return state;
};

const item = (name: string, price: string, count = 1) => ({ name, price: Money.parse(price), count });

export default function (): Shop {
    const shop = new Shop(checking(100000));
    shop.dispatch({ type: "add", item: item("pen", "1.50 EUR", 3) });
    return shop;
}

function filled(): Shop {
    const shop = new Shop(checking(50000));
    for (const name of ["book", "lamp"]) {
        shop.dispatch({ type: "add", item: item(name, "19.90 EUR") });
    }
    return shop;
}

points("shop", {
    limit: () => filled().dispatch({ type: "change", name: "lamp", count: 1000 }),
    unknown: () => filled().dispatch({ type: "remove", name: "desk" }),
    count: () => filled().dispatch({ type: "change", name: "book", count: 0 }),
    added: () => filled().dispatch({ type: "add", item: item("pin", "0.01 EUR", -1) }),
    action: () => filled().dispatch({ type: "explode" } as any),
    currency: () => {
        const shop = filled();
        shop.dispatch({ type: "add", item: item("import", "5.00 USD") });
        return shop.total;
    },
    money: () => item("gift", "free"),
    listener: () => {
        const shop = filled();
        shop.subscribe((state) => {
            throw new Error(`heard of ${state.items.length}`);
        });
        return shop.dispatch({ type: "remove", name: "book" });
    },
    unsubscribed: () => {
        const stop = filled().subscribe(() => {});
        stop();
        return stop();
    },
    fraction: () => sum([1.5, 2].map((cents) => new Money(cents, "EUR"))),
    valueOf: () => new Money(1, "EUR") < new Money(2, "XXX"),
});
