import { points } from "./points.ts";

export class AppError extends Error {
    readonly code: number;
    constructor(message: string, code: number, options?: ErrorOptions) {
        super(message, options);
        this.name = new.target.name === "" ? "AppError" : "AppError";
        this.code = code;
    }
    static wrap(error: unknown, message: string): AppError {
        return new AppError(message, 500, { cause: error });
    }
}

class NotFound extends AppError {
    constructor(what: string) {
        super(`${what} was not found`, 404);
    }
}

class Forbidden extends AppError {
    readonly user: string;
    constructor(user: string) {
        super(`${user} may not`, 403);
        this.user = describeUser(user);
    }
}

function describeUser(user: string): string {
    if (user === "") {
        throw new TypeError("a user without name");
    }
    return user.trim();
}

function createError(message: string): Error {
    const error = new Error(message);
    return error;
}

function captured(message: string): Error {
    const holder = new Error(message);
    Error.captureStackTrace?.(holder, captured);
    return holder;
}

function readFile(name: string): string {
    if (name.endsWith(".missing")) {
        throw new NotFound(name);
    }
    return `contents of ${name}`;
}

function readSettings(name: string): unknown {
    try {
        return JSON.parse(readFile(name));
    } catch (error) {
        throw AppError.wrap(error, `settings ${name} are not readable`);
    }
}

function start(name: string): unknown {
    try {
        return readSettings(name);
    } catch (error) {
        throw new Error("the program cannot start", { cause: error });
    }
}

function collect(works: Array<() => void>): void {
    const errors: unknown[] = [];
    for (const work of works) {
        try {
            work();
        } catch (error) {
            errors.push(error);
        }
    }
    if (errors.length > 0) {
        throw new AggregateError(errors, `${errors.length} of ${works.length} failed`);
    }
}

function cleanUp(): void {
    throw new Error("cleaning up failed, too");
}

points("failures", {
    subclass: () => readFile("a.missing"),
    subSubclass: () => {
        throw new Forbidden("nobody");
    },
    throwsInConstructor: () => new Forbidden(""),
    cause: () => readSettings("b.missing"),
    causeOfCause: () => start("c.missing"),
    badJson: () => start("plain.txt"),
    aggregate: () => collect([() => readFile("d.missing"), () => {}, () => void start("e.missing")]),
    factory: () => {
        throw createError("made elsewhere");
    },
    captured: () => {
        throw captured("without the factory");
    },
    rethrown: () => {
        try {
            readFile("f.missing");
        } catch (error) {
            if (error instanceof NotFound) {
                throw error;
            }
        }
    },
    inFinally: () => {
        try {
            readFile("g.missing");
        } finally {
            cleanUp();
        }
    },
    nullRead: () => {
        const settings = JSON.parse("null") as { a: { b: number } };
        return settings.a.b;
    },
    notIterable: () => {
        const [one] = 5 as unknown as number[];
        return one;
    },
    notAFunction: () => {
        const handler: unknown = "text";
        return (handler as () => void)();
    },
    notAConstructor: () => new (readFile as unknown as new () => unknown)(),
    constant: () => Object.freeze([1]).push(2),
});
