// node peer.mjs FOLDER <STACK: prints one line of JSON for each row of a stack of V8 or Hermes in a script of FOLDER:
// the position and name by @jridgewell/trace-mapping, and the function by metro-symbolicate if the map has a function
// map. compare-javascript uses it as a second opinion when the program itself reports something else.
import * as fs from "node:fs";
import * as path from "node:path";
import { createRequire } from "node:module";

const folder = path.resolve(process.argv[2]);
const require = createRequire(path.join(process.cwd(), "package.json"));
const { AnyMap, originalPositionFor } = require("@jridgewell/trace-mapping");
const known = new Map();

function mapOf(script) {
    if (!known.has(script)) {
        known.set(script, readMap(script));
    }
    return known.get(script);
}

function readMap(script) {
    const given = ["", ".map"].map((end) => path.join(folder, path.relative(folder, script) + end)).filter((file) => fs.existsSync(file));
    if (given.length === 2) return opened(JSON.parse(fs.readFileSync(given[1], "utf8")));
    const text = given.length && !given[0].endsWith(".map") ? fs.readFileSync(given[0], "utf8") : "";
    const inline = /\/\/# sourceMappingURL=data:[^,]*;base64,(\S+)\s*$/.exec(text);
    return inline ? opened(JSON.parse(Buffer.from(inline[1], "base64").toString("utf8"))) : null;
}

function opened(json) {
    const map = new AnyMap(json);
    const Functions = json.x_facebook_sources && require(path.join(process.cwd(), "node_modules/metro-symbolicate/src/SourceMetadataMapConsumer.js")).default;
    map.functions = Functions && new Functions(json, (source) => source);
    return map;
}

for (const row of fs.readFileSync(0, "utf8").split("\n")) {
    const found = /^ {4}at .*?\(?(?:address at )?(?:file:\/\/)?(\/[^()]*):(\d+):(\d+)\)?$/.exec(row);
    const map = found && found[1].startsWith(folder + path.sep) ? mapOf(found[1]) : null;
    if (!map) continue;
    const at = originalPositionFor(map, { line: Number(found[2]), column: Number(found[3]) - (row.includes("(address at ") ? 0 : 1) });
    const called = map.functions?.functionNameFor({ line: at.line, column: at.column, source: at.source });
    console.log(JSON.stringify({ row, called, file: at.source, line: at.line, column: at.column === null ? null : at.column + 1, name: at.name }));
}
