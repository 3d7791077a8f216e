import { points } from "./points.ts";

type Token = { kind: "number" | "name" | "sign" | "end"; text: string; at: number };
type Node = { evaluate(scope: Scope): number };

class SyntaxFault extends Error {
    constructor(message: string, at: number) {
        super(`${message} at ${at}`);
        this.name = "SyntaxFault";
    }
}

class Scope {
    readonly #values = new Map<string, number>();
    readonly #outer: Scope | null;
    constructor(outer: Scope | null, values: Record<string, number> = {}) {
        this.#outer = outer;
        for (const [name, value] of Object.entries(values)) {
            this.#values.set(name, value);
        }
    }
    find(name: string): number {
        const value = this.#values.get(name);
        if (value !== undefined) {
            return value;
        }
        if (this.#outer === null) {
            throw new ReferenceError(`${name} has no value`);
        }
        return this.#outer.find(name);
    }
}

class Lexer {
    #at = 0;
    readonly #text: string;
    constructor(text: string) {
        this.#text = text;
    }
    next(): Token {
        this.#skipBlanks();
        const at = this.#at;
        if (at >= this.#text.length) {
            return { kind: "end", text: "", at };
        }
        const rest = this.#text.slice(at);
        const found = /^(?:(\d+(?:\.\d+)?)|([a-z]\w*)|([-+*/(),^]))/i.exec(rest);
        if (!found) {
            throw new SyntaxFault(`${JSON.stringify(rest[0])} is no token`, at);
        }
        this.#at += found[0].length;
        const kind = found[1] ? "number" : found[2] ? "name" : "sign";
        return { kind, text: found[0], at };
    }
    #skipBlanks(): void {
        while (/\s/.test(this.#text.charAt(this.#at))) {
            this.#at++;
        }
    }
}

class NumberNode implements Node {
    constructor(value: number) {
        this.value = value;
    }
    readonly value: number;
    evaluate(): number {
        return this.value;
    }
}

class NameNode implements Node {
    readonly name: string;
    constructor(name: string) {
        this.name = name;
    }
    evaluate(scope: Scope): number {
        return scope.find(this.name);
    }
}

class BinaryNode implements Node {
    static readonly operations: Record<string, (a: number, b: number) => number> = {
        "+": (a, b) => a + b,
        "-": (a, b) => a - b,
        "*": (a, b) => a * b,
        "/": (a, b) => {
            if (b === 0) {
                throw new RangeError("divided by zero");
            }
            return a / b;
        },
    };
    readonly sign: string;
    readonly left: Node;
    readonly right: Node;
    constructor(sign: string, left: Node, right: Node) {
        this.sign = sign;
        this.left = left;
        this.right = right;
    }
    evaluate(scope: Scope): number {
        const operation = BinaryNode.operations[this.sign];
        return operation(this.left.evaluate(scope), this.right.evaluate(scope));
    }
}

class CallNode implements Node {
    static readonly functions = new Map<string, (...values: number[]) => number>([
        ["max", Math.max],
        ["root", (value) => CallNode.positive(Math.sqrt(value))],
        ["twice", function twice(value) {
            return CallNode.positive(value) * 2;
        }],
    ]);
    static positive(value: number): number {
        if (!(value >= 0)) {
            throw new RangeError(`${value} is not positive`);
        }
        return value;
    }
    readonly name: string;
    readonly values: Node[];
    constructor(name: string, values: Node[]) {
        this.name = name;
        this.values = values;
    }
    evaluate(scope: Scope): number {
        const found = CallNode.functions.get(this.name);
        if (!found) {
            throw new ReferenceError(`${this.name} is no function`);
        }
        return found(...this.values.map((value) => value.evaluate(scope)));
    }
}

class Parser {
    #lexer: Lexer;
    #token: Token;
    constructor(text: string) {
        this.#lexer = new Lexer(text);
        this.#token = this.#lexer.next();
    }
    parse(): Node {
        const node = this.#sum();
        if (this.#token.kind !== "end") {
            throw new SyntaxFault(`${this.#token.text} is too much`, this.#token.at);
        }
        return node;
    }
    #sum(): Node {
        let node = this.#product();
        while (this.#token.text === "+" || this.#token.text === "-") {
            const sign = this.#take();
            node = new BinaryNode(sign, node, this.#product());
        }
        return node;
    }
    #product(): Node {
        let node = this.#primary();
        while (this.#token.text === "*" || this.#token.text === "/") {
            const sign = this.#take();
            node = new BinaryNode(sign, node, this.#primary());
        }
        return node;
    }
    #primary(): Node {
        const { kind, text, at } = this.#token;
        switch (kind) {
            case "number":
                this.#take();
                return new NumberNode(Number(text));
            case "name":
                this.#take();
                return this.#token.text === "(" ? new CallNode(text, this.#list()) : new NameNode(text);
            case "sign":
                if (text === "(") {
                    const [node] = this.#list();
                    return node;
                }
            // falls through
            default:
                throw new SyntaxFault("a value is missing", at);
        }
    }
    #list(): Node[] {
        const nodes: Node[] = [];
        this.#expect("(");
        do {
            nodes.push(this.#sum());
        } while (this.#token.text === "," && this.#take());
        this.#expect(")");
        return nodes;
    }
    #expect(text: string): void {
        if (this.#token.text !== text) {
            throw new SyntaxFault(`${text} is missing`, this.#token.at);
        }
        this.#take();
    }
    #take(): string {
        const { text } = this.#token;
        this.#token = this.#lexer.next();
        return text;
    }
}

export function calculate(text: string, values: Record<string, number> = {}): number {
    const outer = new Scope(null, { one: 1, ten: 10 });
    return new Parser(text).parse().evaluate(new Scope(outer, values));
}

points("calculator", {
    token: () => calculate("1 + 2 $ 3"),
    missing: () => calculate("(1 + (2 * (3 - ))) / 4"),
    bracket: () => calculate("max(1, 2, (3 + 4)"),
    tooMuch: () => calculate("1 2"),
    unknownName: () => calculate("one + ten * x", { y: 1 }),
    unknownFunction: () => calculate("ten * sinus(one)"),
    zero: () => calculate("1 + 6 / (2 - 2)"),
    root: () => calculate("2 * root(3 - 10)"),
    twice: () => calculate("max(twice(0 - one), 3)"),
});
