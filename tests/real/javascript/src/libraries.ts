import _ from "lodash";
import { from, of, Subject, lastValueFrom } from "rxjs";
import { map, mergeMap, reduce, switchMap, tap, concatMap, scan } from "rxjs/operators";
import { createElement, Component, useMemo, useState, type ReactNode } from "react";
import { renderToString, renderToStaticMarkup } from "react-dom/server";
import * as z from "zod";
import { produce } from "immer";
import { parse } from "acorn";
import { Marked } from "marked";
import { points } from "./points.ts";

function refuse(what: string): never {
    throw new Error(`refused: ${what}`);
}

const onlySmall = (value: number): number => (value > 2 ? refuse(`${value}`) : value);

function Price({ cents }: { cents: number }): ReactNode {
    const text = useMemo(() => format(cents), [cents]);
    return createElement("b", null, text);
}

function format(cents: number): string {
    if (cents < 0) {
        throw new RangeError(`a price of ${cents}`);
    }
    return (cents / 100).toFixed(2);
}

const List = ({ prices }: { prices: number[] }): ReactNode => {
    const [shown] = useState(() => prices.slice(0, 3));
    return createElement("ul", null, shown.map((cents) => createElement("li", { key: cents }, createElement(Price, { cents }))));
};

class Page extends Component<{ title: string; prices: number[] }> {
    override render(): ReactNode {
        return createElement("main", null, this.heading(), createElement(List, { prices: this.props.prices }));
    }
    heading(): ReactNode {
        if (this.props.title === "") {
            throw new TypeError("a page without title");
        }
        return createElement("h1", null, this.props.title);
    }
}

const person = z.object({
    name: z.string().transform((text) => (text === "nobody" ? refuse(text) : text)),
    tags: z.array(z.string().refine((tag) => (tag === "?" ? refuse("tag") : true))),
});

points("libraries", {
    lodashMap: () => _.map([1, 2, 3], (value) => onlySmall(value)),
    lodashChain: () => _.chain([1, 2, 3, 4]).filter((value) => value % 2 === 0).map(onlySmall).value(),
    lodashSort: () => _.sortBy([{ a: 3 }, { a: 1 }], (one) => onlySmall(one.a)),
    lodashMerge: () => _.mergeWith({ a: { b: 1 } }, { a: { b: 3 } }, (_left, right) => (typeof right === "number" ? onlySmall(right) : undefined)),
    lodashFlow: () => _.flow([(value: number) => value + 1, onlySmall])(2),
    lodashClone: () => _.cloneDeepWith({ a: [1, [5]] }, (value) => (value === 5 ? refuse("five") : undefined)),
    lodashTemplate: () => _.template("<% print(value()) %>")({ value: () => refuse("in a template") }),
    lodashMemoize: () => _.memoize((value: number) => onlySmall(value))(9),
    rxMap: () => lastValueFrom(from([1, 2, 3]).pipe(map(onlySmall), reduce((a, b) => a + b))),
    rxMerge: () => lastValueFrom(of(1, 2).pipe(mergeMap((value) => of(value, value + 1).pipe(tap((inner) => onlySmall(inner)))))),
    rxSwitch: () => lastValueFrom(from([1]).pipe(switchMap(() => refuse("switch")))),
    rxScan: () => lastValueFrom(from([1, 2, 3]).pipe(scan((sum, value) => onlySmall(sum + value), 0))),
    rxConcat: () => lastValueFrom(of(3).pipe(concatMap(async (value) => onlySmall(value)))),
    rxSubject: () =>
        new Promise((_resolve, reject) => {
            const subject = new Subject<number>();
            subject.pipe(map((value) => onlySmall(value))).subscribe({ error: reject });
            subject.next(3);
        }),
    reactFunction: () => renderToString(createElement(Page, { title: "prices", prices: [1, -5] })),
    reactClass: () => renderToStaticMarkup(createElement(Page, { title: "", prices: [] })),
    reactState: () => renderToString(createElement(List, { prices: null as unknown as number[] })),
    zodTransform: () => person.parse({ name: "nobody", tags: [] }),
    zodRefine: () => person.parse({ name: "a", tags: ["x", "?"] }),
    immerProduce: () =>
        produce({ list: [{ done: false }] }, (draft) => {
            draft.list.forEach((one, index) => {
                one.done = index === 0 ? refuse("a draft") : true;
            });
        }),
    immerFrozen: () => {
        const state = produce({ a: { b: 1 } }, (draft) => void (draft.a.b = 2));
        Object.defineProperty(state.a, "b", { value: 3 });
    },
    acornSyntax: () => parse("let x = (1 + ;", { ecmaVersion: 2022 }),
    acornComment: () => parse("a(/* b */)", { ecmaVersion: 2022, onComment: (_block, text) => refuse(text) }),
    markedWalk: () =>
        new Marked({ walkTokens: (token) => void (token.type === "strong" && refuse("strong")) }).parse("# a\n\n- b **c**\n"),
    markedRenderer: () =>
        new Marked({
            renderer: {
                link({ href }) {
                    return refuse(href);
                },
            },
        }).parse("a [b](c)"),
});
