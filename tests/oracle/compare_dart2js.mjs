#!/usr/bin/env node
// Compares framemap's answers for positions in scripts that Dart's compiler wrote with those of a simple reader of their
// maps. It uses the last segment before the position, the functions around the position as acorn parses them, named by
// the segments at which they begin, and the stack of inlined functions, which it walks back from the position as the
// compiler's own tools do.
//
//     compare_dart2js.mjs --framemap PATH [--work FOLDER] [--count N] SCRIPT...
//
// SCRIPT   main.dart.js, its map main.dart.js.map beside it
// --work   where acorn is installed (default: a temporary folder, where it is installed from npm)
//
// Exit: 0 equal, 1 something differs, 77 skipped: acorn can't be had.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const options = { framemap: "build/release/cli/framemap", work: "", count: 20000, scripts: [] };
for (let i = 2; i < process.argv.length; i++) {
  const word = process.argv[i];
  if (word.startsWith("--")) options[word.slice(2)] = process.argv[++i];
  else options.scripts.push(word);
}

function loadAcorn() {
  const work = options.work || mkdtempSync(join(tmpdir(), "compare-dart2js-"));
  const load = () => createRequire(join(resolve(work), "x.js"))("acorn");
  try {
    return load();
  } catch {
    try {
      execFileSync("npm", ["install", "--prefix", work, "acorn"], { stdio: "ignore" });
      return load();
    } catch {
      console.log("skipped: acorn can't be had");
      process.exit(77);
    }
  }
}
const acorn = loadAcorn();

let state = 1;
const below = (most) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
};

const DIGITS = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((c, i) => [c, i]));
function number(text, at) {
  let value = 0, scale = 1, digit;
  do {
    digit = DIGITS.get(text[at.i++]);
    value += (digit & 31) * scale;
    scale *= 32;
  } while (digit & 32);
  return value % 2 ? -Math.floor(value / 2) : value / 2;
}

function segmentsOf(map) {
  let source = 0, line = 0, column = 0, name = 0;
  return map.mappings.split(";").map((text) => {
    let generated = 0;
    return (text ? text.split(",") : []).map((piece) => {
      const at = { i: 0 };
      const segment = { generated: (generated += number(piece, at)), source: -1, name: -1 };
      if (at.i < piece.length) {
        segment.source = source += number(piece, at);
        segment.line = line += number(piece, at);
        segment.column = column += number(piece, at);
      }
      if (at.i < piece.length) segment.name = name += number(piece, at);
      return segment;
    });
  });
}

function framesOf(map) {
  const text = map.x_org_dartlang_dart2js.frames, at = { i: 0 }, frames = [];
  let offset = 0, source = 0, line = 0, column = 0, name = 0;
  while (at.i < text.length) {
    offset += number(text, at);
    if (text[at.i] === ";" || text[at.i] === ",") {
      frames.push({ offset, what: text[at.i++] });
    } else {
      source += number(text, at);
      line += number(text, at);
      column += number(text, at);
      name += number(text, at);
      frames.push({ offset, what: "+", source, line, column, name });
    }
  }
  return frames;
}

// Returns the functions of the script in the order of their starts. A method starts at its opening parenthesis.
function functionsOf(text) {
  const found = [];
  const visit = (node, end) => {
    if (!node || typeof node.type !== "string") return;
    if (/Function/.test(node.type)) found.push({ begin: node.start, end: node.end });
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (Array.isArray(value)) for (const one of value) visit(one);
      else if (value && typeof value.type === "string") visit(value);
    }
  };
  visit(acorn.parse(text, { ecmaVersion: "latest" }));
  return found.sort((a, b) => a.begin - b.begin || b.end - a.end);
}

const last = (list, fits) => {
  let from = 0, to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (fits(list[middle])) from = middle + 1;
    else to = middle;
  }
  return from - 1;
};

function compare(script) {
  const text = readFileSync(script, "utf8").replace(/^\uFEFF/, ""), map = JSON.parse(readFileSync(script + ".map", "utf8"));
  const segments = segmentsOf(map), frames = framesOf(map), functions = functionsOf(text), starts = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === "\n" || (text[i] === "\r" && text[i + 1] !== "\n")) starts.push(i + 1);
  const segmentAt = (line, column) => (segments[line] || [])[last(segments[line] || [], (s) => s.generated <= column)];
  const nameOf = (index) => (index < 0 ? "" : map.names[index].replaceAll("<anonymous function>", "<anonymous>"));

  for (let open = [], i = 0; i < functions.length; i++) {
    const line = last(starts, (s) => s <= functions[i].begin), column = functions[i].begin - starts[line];
    const exact = (segments[line] || []).filter((s) => s.generated === column && s.name >= 0)[0];
    while (open.length && open[open.length - 1].end <= functions[i].begin) open.pop();
    functions[i].outer = open[open.length - 1];
    functions[i].name = exact ? nameOf(exact.name) : functions[i].outer ? functions[i].outer.name : "";
    open.push(functions[i]);
  }
  const functionAt = (offset) => {
    let at = functions[last(functions, (f) => f.begin <= offset)];
    while (at && at.end <= offset) at = at.outer;
    return at ? at.name : "";
  };
  const answerAt = (line, column) => {
    const segment = segmentAt(line, column), offset = starts[line] + column, answer = [];
    let place = [segment.line + 1, segment.column + 1], depth = 0;
    for (let i = last(frames, (f) => f.offset <= offset); i >= 0 && frames[i].what !== ";"; i--) {
      if (frames[i].what === ",") depth++;
      else if (depth > 0) depth--;
      else {
        answer.push([nameOf(frames[i].name), ...place]);
        place = [frames[i].line + 1, frames[i].column + 1];
      }
    }
    return [...answer, [functionAt(offset), ...place]];
  };

  const places = [];
  while (places.length < options.count) {
    const line = below(segments.length), on = segments[line];
    if (!on || on.length === 0) continue;
    const column = on[below(on.length)].generated + (below(3) === 0 ? 1 : 0), segment = segmentAt(line, column);
    // left out: at a column with several segments, this script uses the last one, and framemap the first
    const twice = on.filter((s) => s.generated === segment.generated).length > 1;
    if (!twice && segment.source >= 0 && starts[line] + column < (starts[line + 1] ?? text.length) - 1) places.push([line, column]);
  }
  const input = places.map(([line, column]) => `${line + 1}:${column + 1}\n`).join("");
  const out = execFileSync(options.framemap, ["lookup", "--no-cache", "-o", "json", script + ".map"], { input, maxBuffer: 1 << 30 });
  const lines = out.toString().trimEnd().split("\n");
  let differing = 0, inlined = 0;
  places.forEach(([line, column], i) => {
    const got = (JSON.parse(lines[i]).frames || []).map((f) => [f.function || "", f.line, f.column]), want = answerAt(line, column);
    inlined += want.length > 1;
    if (JSON.stringify(got) === JSON.stringify(want)) return;
    if (differing++ < 10) console.log(`${script}:${line + 1}:${column + 1}: got ${JSON.stringify(got)}, wanted ${JSON.stringify(want)}`);
  });
  console.log(`${script}: ${places.length} places, ${inlined} in inlined functions, ${functions.length} functions, ${differing} differ`);
  return differing;
}

process.exit(options.scripts.map(compare).some((differing) => differing > 0) ? 1 : 0);
