/* Prints a thrown value: "# NAME" and its stack, then the stacks of its causes and of the errors in an
 * AggregateError. */
export function show(name: string, thrown: unknown): void {
    console.log(`# ${name}`);
    print(thrown, 0);
}

function print(thrown: unknown, depth: number): void {
    if (!(thrown instanceof Error)) {
        console.log(`thrown: ${String(thrown)}`);
        return;
    }
    console.log(thrown.stack);
    if (thrown.cause !== undefined && depth < 5) {
        console.log("caused by:");
        print(thrown.cause, depth + 1);
    }
    const parts = (thrown as AggregateError).errors;
    if (Array.isArray(parts) && depth < 5) {
        parts.forEach((part) => print(part, depth + 1));
    }
}
