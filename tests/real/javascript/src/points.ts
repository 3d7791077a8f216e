/* Programs register here the functions that fail, each with a name. */
export type Attempt = () => unknown;

export interface Point {
    readonly name: string;
    readonly attempt: Attempt;
}

const registered: Point[] = [];

export function point(name: string, attempt: Attempt): void {
    registered.push({ name, attempt });
}

export function points(group: string, attempts: Record<string, Attempt>): void {
    for (const [name, attempt] of Object.entries(attempts)) {
        registered.push({ name: `${group}.${name}`, attempt });
    }
}

export function all(): readonly Point[] {
    return registered;
}
