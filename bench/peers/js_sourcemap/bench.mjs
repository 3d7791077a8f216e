// node bench.mjs LIBRARY MAP PLACES: measures one library on one map: reads and decodes the map, then looks up every
// position of PLACES, in the order of that file and in the order of the text. Prints lines like those of framemap's
// bench_sourcemap: words separated by TAB. Reading files is not timed; parsing the JSON is.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(import.meta.url);

const libraries = {
  "trace-mapping": () => {
    const { TraceMap, decodedMappings, originalPositionFor } = require("@jridgewell/trace-mapping");
    return { open: (text) => { const map = new TraceMap(text); decodedMappings(map); return map; }, ask: originalPositionFor };
  },
  "source-map": () => {
    const { SourceMapConsumer } = require("source-map");
    return { open: async (text) => decoded(await new SourceMapConsumer(text)), ask: (map, place) => map.originalPositionFor(place) };
  },
  "source-map-js": () => {
    const { SourceMapConsumer } = require("source-map-js");
    return { open: (text) => decoded(new SourceMapConsumer(text)), ask: (map, place) => map.originalPositionFor(place) };
  },
};

// Consumers decode on the first lookup.
function decoded(consumer) {
  consumer.originalPositionFor({ line: 1, column: 0 });
  return consumer;
}

function readPlaces(path) {
  const lines = readFileSync(path, "latin1").trimEnd().split("\n");
  return lines.map((text) => text.split(":").map(Number)).map(([line, column]) => ({ line, column: column - 1 }));
}

function time(name, map, ask, places) {
  let mapped = 0;
  const start = process.cpuUsage();
  for (const place of places) if (ask(map, place).source !== null) mapped++;
  const spent = process.cpuUsage(start);
  console.log(`${name}\t${(((spent.user + spent.system) * 1e3) / places.length).toFixed(1)}\tns\t${mapped} mapped`);
}

const [library, path, placesPath] = process.argv.slice(2);
const { open, ask } = libraries[library]();
const text = readFileSync(path, "utf8");
const size = readFileSync(path).length;
const start = process.cpuUsage(), began = performance.now();
const map = await open(text);
const spent = process.cpuUsage(start), took = performance.now() - began;
console.log(`build\t${(size / took / 1e3).toFixed(1)}\tMB/s`);
console.log(`build, CPU\t${(size / (spent.user + spent.system)).toFixed(1)}\tMB/s`);
const places = readPlaces(placesPath);
time("random", map, ask, places);
time("ascending", map, ask, places.slice().sort((a, b) => a.line - b.line || a.column - b.column));
