import { all, type Point } from "./points.ts";
import { show } from "./report.ts";

Error.stackTraceLimit = 50;

async function attemptOne(one: Point): Promise<void> {
    try {
        await one.attempt();
        console.log(`# ${one.name}\nnothing was thrown`);
    } catch (error) {
        show(one.name, error);
    }
}

export default async function main(): Promise<void> {
    for (const one of all()) {
        await attemptOne(one);
    }
}

setTimeout(() => main().then(() => console.log("# end")), 0);
