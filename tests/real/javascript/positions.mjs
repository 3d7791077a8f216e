// node positions.mjs COUNT SEED MAP <OUT: prints COUNT places of a map, half of them exactly at segments: one line of
// JSON each, with the original position by trace-mapping.
import * as fs from "node:fs";
import * as path from "node:path";
import { createRequire } from "node:module";

const { AnyMap, decodedMappings, originalPositionFor } = createRequire(path.join(process.cwd(), "package.json"))("@jridgewell/trace-mapping");
const [count, seed, file] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]];
let state = seed >>> 0 || 1;

function random(below) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(below, 1);
}

const map = new AnyMap(JSON.parse(fs.readFileSync(file, "utf8")));
const lines = decodedMappings(map);
const full = lines.map((line, at) => at).filter((at) => lines[at].length > 0);
const answers = [];
for (let asked = 0; asked < count; asked++) {
    const line = asked % 50 === 49 || full.length === 0 ? random(lines.length + 2) : full[random(full.length)];
    const segments = lines[line] ?? [];
    const last = segments.length ? segments[segments.length - 1][0] : 0;
    const column = asked % 2 === 0 && segments.length ? segments[random(segments.length)][0] : random(last + 40);
    const at = originalPositionFor(map, { line: line + 1, column });
    answers.push(JSON.stringify({ at: `${line + 1}:${column + 1}`, twice: segments.filter((one) => one[0] === column).length > 1, file: at.source, line: at.line, column: at.column, name: at.name }));
}
fs.writeSync(1, answers.join("\n") + "\n");
