import { point, points } from "./points.ts";

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

class Connection {
    readonly url: string;
    #open = false;
    constructor(url: string) {
        this.url = url;
    }
    async open(): Promise<this> {
        await sleep(1);
        if (this.url.startsWith("bad:")) {
            throw new Error(`cannot open ${this.url}`);
        }
        this.#open = true;
        return this;
    }
    async query(text: string): Promise<string[]> {
        this.#ensureOpen();
        await sleep(0);
        return this.#parse(text);
    }
    #ensureOpen(): void {
        if (!this.#open) {
            throw new Error("the connection is not open");
        }
    }
    #parse(text: string): string[] {
        const words = text.split(" ");
        if (words.length < 2) {
            throw new SyntaxError(`${text} is no query`);
        }
        return words;
    }
    static async using<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
        const connection = new Connection(url);
        await connection.open();
        try {
            return await work(connection);
        } finally {
            connection.#open = false;
        }
    }
    retry = async <T>(times: number, work: () => Promise<T>): Promise<T> => {
        for (let time = 1; ; time++) {
            try {
                return await work();
            } catch (error) {
                if (time >= times) {
                    throw new Error(`given up after ${time}`, { cause: error });
                }
            }
        }
    };
}

async function first(): Promise<number> {
    return await second();
}

async function second(): Promise<number> {
    await null;
    const value = await third(3);
    return value + 1;
}

const third = async (value: number): Promise<number> => {
    await sleep(0);
    return explode(value);
};

function explode(value: number): number {
    if (value === 3) {
        throw new Error("the third one failed");
    }
    return value;
}

async function* pages(count: number): AsyncGenerator<number[]> {
    for (let page = 0; page < count; page++) {
        await sleep(0);
        yield load(page);
    }
}

function load(page: number): number[] {
    if (page === 2) {
        throw new RangeError(`page ${page} is empty`);
    }
    return [page, page + 1];
}

async function total(): Promise<number> {
    let sum = 0;
    for await (const page of pages(4)) {
        sum += page.length;
    }
    return sum;
}

function delayed<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
        setTimeout(() => {
            try {
                resolve(work());
            } catch (error) {
                reject(error);
            }
        }, 1);
    });
}

points("waiting", {
    openFails: () => Connection.using("bad:1", async (connection) => connection.query("a b")),
    queryFails: () => Connection.using("good:1", async (connection) => await connection.query("nonsense")),
    notOpen: async () => {
        const connection = new Connection("good:2");
        return await connection.query("select all");
    },
    retried: () => new Connection("x").retry(2, async () => await new Connection("bad:2").open()),
    chain: async () => await first(),
    generator: () => total(),
    timer: () => delayed(() => explode(3)),
    microtask: () =>
        new Promise((_resolve, reject) =>
            queueMicrotask(function inMicrotask() {
                try {
                    explode(3);
                } catch (error) {
                    reject(error);
                }
            }),
        ),
    then: () =>
        Promise.resolve(1)
            .then((value) => value + 2)
            .then((value) => explode(value))
            .then(String),
    rejected: () =>
        Promise.reject(new Error("at once")).catch((error: Error) => {
            throw new Error("wrapped", { cause: error });
        }),
    all: async () => await Promise.all([1, 2, 3].map(async (value) => third(value))),
    allAwaited: async () => await Promise.all([1, 2, 3].map(async (value) => await third(value))),
    any: async () => await Promise.any([third(3), first()]),
    finally: async () => {
        try {
            await sleep(0);
        } finally {
            explode(3);
        }
    },
});

point("waiting.executor", () => new Promise(() => explode(3)));
point("waiting.arrow", async () => {
    const steps = [async () => 1, async () => explode(3)];
    for (const step of steps) {
        await step();
    }
});
