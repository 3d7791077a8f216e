export const CENTS = 100;

export class Money {
    readonly cents: number;
    readonly currency: string;
    constructor(cents: number, currency: string) {
        if (!Number.isInteger(cents)) {
            throw new TypeError(`${cents} cents`);
        }
        this.cents = cents;
        this.currency = currency;
    }
    static parse(text: string): Money {
        const found = /^(\d+)\.(\d\d) ([A-Z]{3})$/.exec(text);
        return found ? new Money(Number(found[1]) * CENTS + Number(found[2]), found[3]) : Money.refuse(text);
    }
    private static refuse(text: string): never {
        throw new SyntaxError(`${text} is no money`);
    }
    plus(other: Money): Money {
        this.assertSame(other);
        return new Money(this.cents + other.cents, this.currency);
    }
    times(factor: number): Money {
        return new Money(this.cents * factor, this.currency);
    }
    assertSame = (other: Money): void => {
        if (other.currency !== this.currency) {
            throw new TypeError(`${other.currency} is not ${this.currency}`);
        }
    };
    valueOf(): number {
        if (this.currency === "XXX") {
            throw new TypeError("no currency, no value");
        }
        return this.cents;
    }
}

export function sum(amounts: Iterable<Money>): Money {
    let total: Money | undefined;
    for (const amount of amounts) {
        total = total ? total.plus(amount) : amount;
    }
    return total ?? new Money(0, "EUR");
}
