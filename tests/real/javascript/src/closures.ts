import { point, points } from "./points.ts";

const add = (a: number) => (b: number) => {
    if (a + b > 100) {
        throw new RangeError(`${a} and ${b} are too much`);
    }
    return a + b;
};

function counter(limit: number) {
    let count = 0;
    function increase() {
        count += 1;
        if (count > limit) {
            throw new RangeError(`counted to ${count}`);
        }
        return count;
    }
    return { increase, twice: () => increase() + increase() };
}

const compose =
    <T>(...steps: Array<(value: T) => T>) =>
    (value: T): T =>
        steps.reduce((result, step) => step(result), value);

function depth(n: number): number {
    if (n === 0) {
        throw new Error("the ground is reached");
    }
    return 1 + depth(n - 1);
}

const isEven = (n: number): boolean => (n === 0 ? fail("even") : isOdd(n - 1));
const isOdd = (n: number): boolean => (n === 0 ? fail("odd") : isEven(n - 1));

function fail(why: string): never {
    throw new Error(`failed: ${why}`);
}

function required({ name = fail("no name") }: { name?: string } = {}): string {
    return name.toUpperCase();
}

const tag = (strings: TemplateStringsArray, ...values: unknown[]): string => {
    return strings.raw
        .map((text, index) => {
            const value = values[index];
            if (value === null) {
                throw new TypeError(`value ${index} is null behind ${JSON.stringify(text)}`);
            }
            return text + (value ?? "");
        })
        .join("");
};

const tools = {
    factor: 3,
    scale(value: number): number {
        return check(value * this.factor);
    },
    get ratio(): number {
        return check(this.factor - 100);
    },
    ["com" + "puted"](value: number): number {
        return check(-value);
    },
    arrow: (value: number): number => check(value - 1000),
    nested: {
        deep: {
            run: function (value: number): number {
                return check(value / -1);
            },
        },
    },
};

function check(value: number): number {
    if (value < 0) {
        const error = new RangeError(`${value} is below zero`);
        throw error;
    }
    return value;
}

function* numbers(limit: number): Generator<number> {
    let value = 0;
    while (true) {
        yield value;
        value += 1;
        if (value >= limit) {
            throw new RangeError(`no more than ${limit} numbers`);
        }
    }
}

function* doubled(source: Iterable<number>): Generator<number> {
    for (const value of source) {
        yield value * 2;
    }
}

function* together(limit: number): Generator<number> {
    yield -1;
    yield* numbers(limit);
}

function memoised<A, R>(compute: (argument: A) => R): (argument: A) => R {
    const known = new Map<A, R>();
    return function remembered(argument: A): R {
        if (!known.has(argument)) {
            known.set(argument, compute(argument));
        }
        return known.get(argument)!;
    };
}

const fibonacci = memoised((n: number): number => {
    if (n < 0) {
        throw new RangeError("below the first number");
    }
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 4);
});

const guarded = new Proxy({ known: 1 } as Record<string, number>, {
    get(target, key): number {
        if (typeof key === "string" && !(key in target)) {
            throw new ReferenceError(`${key} is not known`);
        }
        return Reflect.get(target, key) as number;
    },
    has: (_target, key) => {
        throw new TypeError(`nobody asks for ${String(key)}`);
    },
});

points("closures", {
    curried: () => add(60)(70),
    counted: () => {
        const one = counter(3);
        one.increase();
        return one.twice() + one.twice();
    },
    composed: () => compose(add(1), add(20), add(90))(5),
    deepRecursion: () => depth(30),
    deeperThanLimit: () => depth(80),
    mutual: () => isEven(7),
    destructured: () => required({}),
    tagged: () => tag`one ${1} two ${null} three`,
    objectMethod: () => tools.scale(-1),
    objectGetter: () => tools.ratio,
    computedKey: () => tools["computed"](4),
    objectArrow: () => tools.arrow(4),
    nestedObject: () => tools.nested.deep.run(5),
    generator: () => Array.from(doubled(numbers(4))),
    delegated: () => [...doubled(together(3))],
    memoised: () => fibonacci(6),
    proxyGet: () => guarded.known + guarded.unknown,
    proxyHas: () => "known" in guarded,
    immediately: () =>
        (function outer() {
            return (() => {
                return (function () {
                    return fail("within three functions");
                })();
            })();
        })(),
    bound: () => check.bind(null, -3)(),
    called: () => check.call(undefined, -4),
    applied: () => Reflect.apply(check, null, [-5]),
    undefinedCall: () => {
        const nothing = tools as unknown as Record<string, () => void>;
        return nothing.missing();
    },
});

point("closures.mapped", () => [1, 2, -3].map((value) => check(value)));
point("closures.forEach", () =>
    [1, 2, 3].forEach((value, index) => {
        if (index === 2) {
            throw new Error(`item ${index} is ${value}`);
        }
    }),
);
point("closures.sorted", () =>
    [3, 1, 2].sort(function byDifference(a, b) {
        return check(a - b) + check(b - a);
    }),
);
point("closures.reduced", () => [1, 2, 3].reduce((sum, value) => check(sum - value), 4));
point("closures.replaced", () => "a-b-c".replace(/[a-z]/g, (letter) => (letter === "c" ? fail(letter) : letter)));
point("closures.revived", () => JSON.parse('{"a":[1,{"b":null}]}', (key, value) => (value === null ? fail(key) : value)));
point("closures.nestedMaps", () => [[1, 2], [3, -4]].map((row) => row.map((value) => Math.sqrt(check(value)))));
