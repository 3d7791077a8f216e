import { points } from "./points.ts";

interface Tree {
    value: number;
    left?: Tree;
    right?: Tree;
}

type Visitor = { [kind in "enter" | "leave"]?: (tree: Tree, depth: number) => void };

function insert(tree: Tree | undefined, value: number): Tree {
    if (!tree) {
        return { value };
    }
    if (value === tree.value) {
        throw new Error(`${value} is there`);
    }
    return value < tree.value ? { ...tree, left: insert(tree.left, value) } : { ...tree, right: insert(tree.right, value) };
}

const build = (...values: number[]): Tree => values.reduce<Tree | undefined>(insert, undefined)!;

function walk(tree: Tree, visitor: Visitor, depth = 0): void {
    visitor.enter?.(tree, depth);
    if (tree.left) walk(tree.left, visitor, depth + 1);
    if (tree.right) walk(tree.right, visitor, depth + 1);
    visitor.leave?.(tree, depth);
}

class Cache<K, V> {
    #size: number;
    #entries = new Map<K, V>();
    constructor(size: number) {
        this.#size = size;
    }
    get(key: K, make: (key: K) => V): V {
        let value = this.#entries.get(key);
        if (value === undefined) {
            value = make(key);
            this.#put(key, value);
        }
        return value;
    }
    #put(key: K, value: V): void {
        if (this.#entries.size >= this.#size) {
            this.#evict();
        }
        this.#entries.set(key, value);
    }
    #evict(): void {
        const [oldest] = this.#entries.keys();
        if (oldest === undefined) {
            throw new RangeError("a cache without room");
        }
        this.#entries.delete(oldest);
    }
}

const matrix = {
    multiply(a: number[][], b: number[][]): number[][] {
        return a.map((row, i) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * cell(b, k, j), 0 * i)));
    },
    identity: (size: number) => Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => +(i === j))),
};

function cell(rows: number[][], i: number, j: number): number {
    const row = rows[i];
    if (row === undefined || j >= row.length) {
        throw new RangeError(`no cell ${i}, ${j}`);
    }
    return row[j];
}

namespace_like();
function namespace_like(): void {
    Object.defineProperty(matrix, "rank", {
        get: function rank() {
            throw new Error("ranks are not computed");
        },
        configurable: true,
    });
}

function render(template: string, values: Record<string, unknown>): string {
    return template.replace(/\{(\w+)(?:\|(\w+))?\}/g, (_, name: string, filter?: string) => {
        const value = lookUp(values, name);
        return filter ? filters[filter](value) : String(value);
    });
}

const filters: Record<string, (value: unknown) => string> = {
    upper: (value) => text(value).toUpperCase(),
    quoted(value) {
        return `"${text(value)}"`;
    },
};

function lookUp(values: Record<string, unknown>, name: string): unknown {
    if (!Object.hasOwn(values, name)) throw new ReferenceError(`no value for ${name}`);
    return values[name];
}

function text(value: unknown): string {
    if (typeof value === "string") return value;
    throw new TypeError(`${typeof value} is no text`);
}

points("walkers", {
    insertTwice: () => build(5, 2, 8, 1, 9, 3, 8),
    enter: () =>
        walk(build(4, 2, 6, 1), {
            enter(tree, depth) {
                if (depth > 1) throw new Error(`${tree.value} is too deep`);
            },
        }),
    leave: () => walk(build(4, 2), { leave: (tree) => { throw new Error(`left ${tree.value}`); } }),
    cache: () => new Cache<string, number>(0).get("a", (key) => key.length),
    make: () => new Cache<string, number>(2).get("a", function make(key) { throw new Error(`cannot make ${key}`); }),
    matrix: () => matrix.multiply(matrix.identity(3), [[1, 2], [3, 4]]),
    rank: () => (matrix as any).rank,
    template: () => render("hello {name|upper} and {other}", { name: "you" }),
    filter: () => render("{count|upper}", { count: 3 }),
    quoted: () => render("{count|quoted}", { count: null }),
    unknownFilter: () => render("{count|lower}", { count: "x" }),
});
