import { points } from "./points.ts";

type Handler<T> = (value: T) => void;

export class Emitter<T> {
    #handlers = new Map<string, Handler<T>[]>();
    on(event: string, handler: Handler<T>): this {
        const list = this.#handlers.get(event) ?? [];
        list.push(handler);
        this.#handlers.set(event, list);
        return this;
    }
    once(event: string, handler: Handler<T>): this {
        const wrapped: Handler<T> = (value) => {
            this.off(event, wrapped);
            handler(value);
        };
        return this.on(event, wrapped);
    }
    off(event: string, handler: Handler<T>): void {
        const list = this.#handlers.get(event);
        if (!list?.includes(handler)) {
            throw new Error(`${event} has no such handler`);
        }
        this.#handlers.set(event, list.filter((one) => one !== handler));
    }
    emit(event: string, value: T): number {
        const list = this.#handlers.get(event) ?? [];
        list.forEach((handler) => handler(value));
        return list.length;
    }
}

class Machine extends Emitter<string> {
    state = "off";
    static transitions: Record<string, Record<string, string>> = { off: { start: "on" }, on: { stop: "off" } };
    constructor() {
        super();
        this.on("go", (what) => this.#go(what));
        this.on("stop", this.stop);
        this.handle = this.handle.bind(this);
    }
    #go(what: string): void {
        const next = Machine.transitions[this.state][what];
        if (next === undefined) {
            throw new Error(`cannot ${what} when ${this.state}`);
        }
        this.state = next;
        this.emit(`now ${next}`, what);
    }
    stop = (): void => {
        this.#go("stop");
    };
    handle(what: string): void {
        this.emit("go", what);
    }
}

class Scheduler {
    private queue: Array<{ at: number; run: () => void }> = [];
    private now = 0;
    add(after: number, run: () => void): void {
        this.queue.push({ at: this.now + after, run });
        this.queue.sort((a, b) => a.at - b.at);
    }
    advance(until: number): void {
        while (this.queue.length > 0 && this.queue[0].at <= until) {
            const task = this.queue.shift()!;
            this.now = task.at;
            this.perform(task.run);
        }
        this.now = until;
    }
    private perform(run: () => void): void {
        try {
            run();
        } catch (error) {
            throw new Error(`a task failed at ${this.now}`, { cause: error });
        }
    }
}

points("events", {
    handler: () =>
        new Emitter<number>()
            .on("count", (value) => {
                throw new RangeError(`counted ${value}`);
            })
            .emit("count", 5),
    once: () => {
        const emitter = new Emitter<number>();
        emitter.once("tick", function tick(value) {
            if (value > 0) throw new Error("ticked");
        });
        return emitter.emit("tick", 1);
    },
    off: () => new Emitter<string>().off("never", () => {}),
    transition: () => new Machine().emit("go", "stop"),
    bound: () => ["start", "start"].forEach(new Machine().handle),
    field: () => new Machine().emit("stop", ""),
    nested: () => {
        const machine = new Machine();
        machine.on("now on", () => machine.handle("start"));
        machine.handle("start");
    },
    scheduled: () => {
        const scheduler = new Scheduler();
        scheduler.add(5, () => scheduler.add(1, () => new Machine().handle("stop")));
        scheduler.add(1, () => {});
        scheduler.advance(10);
    },
});
