import { Money, sum } from "./money.ts";
import { reducer, type Action, type State } from "./reducer.ts";

type Middleware = (shop: Shop) => (next: (action: Action) => State) => (action: Action) => State;
type Listener = (state: State) => void;

export default class Shop {
    private state: State = { items: [], history: [] };
    private readonly listeners = new Set<Listener>();
    dispatch: (action: Action) => State;

    constructor(...middlewares: Middleware[]) {
        this.dispatch = middlewares.reduceRight<(action: Action) => State>(
            (next, middleware) => middleware(this)(next),
            (action) => this.apply(action),
        );
    }

    private apply(action: Action): State {
        this.state = reducer(this.state, action);
        this.listeners.forEach((listener) => listener(this.state));
        return this.state;
    }

    subscribe(listener: Listener): () => void {
        this.listeners.add(listener);
        return () => {
            if (!this.listeners.delete(listener)) {
                throw new Error("unsubscribed twice");
            }
        };
    }

    get total(): Money {
        return sum(this.state.items.map(({ price, count }) => price.times(count)));
    }
}
