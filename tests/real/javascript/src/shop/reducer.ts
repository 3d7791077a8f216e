import { Money } from "./money.ts";

export interface Item {
    name: string;
    price: Money;
    count: number;
}
export interface State {
    items: Item[];
    history: string[];
}
export type Action =
    | { type: "add"; item: Item }
    | { type: "remove"; name: string }
    | { type: "change"; name: string; count: number };

type Handler = (state: State, action: any) => State;

const handlers: Record<Action["type"], Handler> = {
    add(state, { item }: { item: Item }) {
        assertCount(item.count);
        return { ...state, items: [...state.items, item] };
    },
    remove: (state, { name }: { name: string }) => {
        const index = indexOf(state, name);
        return { ...state, items: state.items.filter((_, at) => at !== index) };
    },
    change: function (state, { name, count }: { name: string; count: number }) {
        const index = indexOf(state, name);
        return { ...state, items: state.items.map((item, at) => (at === index ? withCount(item, count) : item)) };
    },
};

const withCount = (item: Item, count: number): Item => ({ ...item, count: assertCount(count) });

function assertCount(count: number): number {
    if (count < 1) {
        throw new RangeError(`a count of ${count}`);
    }
    return count;
}

function indexOf(state: State, name: string): number {
    const index = state.items.findIndex((item) => item.name === name);
    if (index < 0) {
        throw new ReferenceError(`${name} is not in the basket`);
    }
    return index;
}

export function reducer(state: State, action: Action): State {
    const handler = handlers[action.type];
    const next = handler(state, action);
    return { ...next, history: [...next.history, action.type] };
}
