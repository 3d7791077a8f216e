// node compare_scopes.js FRAMEMAP CODEC [MAPS]: writes random scopes with Chrome's codec (source-map-scopes-codec,
// bundled into one CommonJS file), and compares framemap's answers for all places with a walk over the ranges from the
// innermost one outwards, as in Chrome's debugger.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const [framemap, codecPath, mapCount] = [process.argv[2], process.argv[3], Number(process.argv[4] || 40)];
const codec = require(path.resolve(codecPath));

let state = 1;
const below = (most) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};
const chance = (percent) => below(100) < percent;
const LINE = 50; // number of columns; a position is written as line * LINE + column

const at = (place) => ({ line: Math.floor(place / LINE), column: place % LINE });
const placeOf = (position) => position.line * LINE + position.column;

// Makes a scope over [begin, end) that may contain other scopes.
function makeScope(begin, end, depth) {
  const scope = { start: at(begin), end: at(end), isStackFrame: chance(60), variables: [], children: [] };
  if (chance(75)) scope.name = "f" + below(40);
  if (chance(50)) scope.kind = ["Global", "Function", "Block"][below(3)];
  for (let i = below(3); i > 0; i--) scope.variables.push("v" + below(30));
  for (let from = begin + below(9); depth < 5 && from + 4 < end && chance(80); ) {
    const to = from + 3 + below(end - from - 3);
    const child = makeScope(from, to, depth + 1);
    child.parent = scope;
    scope.children.push(child);
    from = to + below(20);
  }
  return scope;
}

const flatten = (scope) => [scope, ...scope.children.flatMap(flatten)];

function makeRange(begin, end, depth, definitions, sources) {
  const range = { start: at(begin), end: at(end), isStackFrame: false, isHidden: false, values: [], children: [] };
  if (chance(80)) range.originalScope = definitions[below(definitions.length)];
  if (chance(30)) range.isStackFrame = true;
  if (range.isStackFrame && chance(20)) range.isHidden = true;
  const site = () => ({ sourceIndex: below(sources), line: below(40), column: below(LINE) });
  if (!range.isStackFrame && range.originalScope?.isStackFrame && chance(70)) range.callSite = site();
  for (const _ of range.originalScope?.variables || [])
    range.values.push(chance(30) ? null : chance(80) ? "e" + below(9) : [{ from: range.start, to: at(begin + 1), value: "x" }, { from: at(begin + 1), to: range.end }]);
  for (let from = begin + below(4); depth < 9 && from + 2 < end && chance(80); ) {
    const to = from + 2 + below(end - from - 1);
    const child = makeRange(from, Math.min(to, end), depth + 1, definitions, sources);
    child.parent = range;
    range.children.push(child);
    from = Math.min(to, end) + below(6);
  }
  return range;
}

const holds = (node, place) => placeOf(node.start) <= place && place < placeOf(node.end);

function frameName(scope) {
  while (scope && !scope.isStackFrame) scope = scope.parent;
  return scope?.name;
}
function innermost(nodes, place) {
  const found = nodes.find((node) => holds(node, place));
  return found && (innermost(found.children, place) || found);
}

// The name for a range is searched in the ranges around it, up to the function of the generated text that contains it.
function nameAround(range) {
  for (; range; range = range.parent) {
    if (range.originalScope) return frameName(range.originalScope);
    if (range.isStackFrame) return undefined;
  }
}

function chain(info, place, original) {
  const frames = [];
  let range = innermost(info.ranges, place), named = range;
  let where = original;
  const add = (name) => {
    name ??= frameName(innermost([info.scopes[where.sourceIndex]].filter(Boolean), placeOf(where)));
    frames.push(`${name ?? "?"}@s${where.sourceIndex}.js:${where.line + 1}:${where.column + 1}`);
  };
  for (; range && !range.isStackFrame; range = range.parent) {
    if (!range.callSite) continue;
    add(nameAround(named));
    where = range.callSite;
    named = range.parent;
  }
  if (!range?.isHidden) add(nameAround(named));
  return frames.join(" < ");
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
function vlq(number) {
  let bits = number < 0 ? (-number << 1) | 1 : number << 1, text = "";
  do text += digits[(bits & 31) | (bits > 31 ? 32 : 0)];
  while ((bits >>>= 5));
  return text;
}

function makeMap() {
  const sources = 1 + below(4), lines = 4 + below(6);
  const scopes = Array.from({ length: sources }, () => (chance(15) ? null : makeScope(below(50), 40 * LINE + below(99), 0)));
  if (!scopes.some(Boolean)) scopes[0] = makeScope(0, 2000, 0);
  const definitions = scopes.filter(Boolean).flatMap(flatten);
  const ranges = [];
  for (let from = below(20); from + 9 < lines * LINE && ranges.length < 6; from = placeOf(ranges.at(-1).end) + below(30))
    ranges.push(makeRange(from, Math.min(from + 30 + below(200), lines * LINE), 0, definitions, sources));
  const originals = [], state = [0, 0, 0];
  let mappings = "";
  for (let line = 0; line < lines; line++) {
    const original = { sourceIndex: below(sources), line: below(40), column: below(LINE) };
    const now = [original.sourceIndex, original.line, original.column];
    mappings += (line ? ";" : "") + "A" + now.map((n, i) => vlq(n - state[i])).join("");
    now.forEach((n, i) => (state[i] = n));
    originals.push(original);
  }
  const info = { scopes, ranges };
  const map = codec.encode(info, { version: 3, sources: scopes.map((_, i) => `s${i}.js`), names: ["before"], mappings });
  return { info, map, originals, lines };
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "framemap-scopes-"));
let asked = 0, deepest = 0, hidden = 0, bad = 0;
for (let i = 0; i < mapCount; i++) {
  const { info, map, originals, lines } = makeMap();
  const file = path.join(folder, "m.js.map");
  fs.writeFileSync(file, JSON.stringify(map));
  execFileSync(framemap, ["index", "--strict", file]);
  const places = Array.from({ length: lines * LINE }, (_, place) => place);
  const input = places.map((place) => `${at(place).line + 1}:${at(place).column + 1}\n`).join("");
  const output = execFileSync(framemap, ["lookup", "-o", "json", file + ".fmx"], { input, maxBuffer: 1 << 28 }).toString().trim().split("\n");
  for (const place of places) {
    const wanted = chain(info, place, originals[at(place).line]);
    const answer = JSON.parse(output[place]);
    const frames = answer.restored || answer.frames || [];
    const got = frames.map((f) => `${f.function || "?"}@${f.file}:${f.line}:${f.column}`).join(" < ");
    const inlined = frames.every((f, n) => !!f.inlined === n + 1 < frames.length);
    asked++;
    deepest = Math.max(deepest, frames.length);
    hidden += wanted === "";
    if (got === wanted && inlined) continue;
    if (bad++ < 5) console.log(`map ${i}, place ${JSON.stringify(at(place))}: got ${got}\n  wanted ${wanted}\n  ${output[place]}`);
  }
}
fs.rmSync(folder, { recursive: true });
console.log(`${asked} places of ${mapCount} maps, ${bad} differ; up to ${deepest} frames, ${hidden} hidden`);
process.exit(bad ? 1 : 0);
