#!/usr/bin/env node
// Compares the output of `framemap convert` with that of other tools: Metro's composeSourceMaps, @jridgewell/remapping,
// terser's own composing, and trace-mapping's flattening of index maps.
//
//     compare_convert.mjs --framemap PATH --modules FOLDER --cases FOLDER
//
// modules: a folder in whose node_modules are metro-source-map, @jridgewell/remapping, @jridgewell/trace-mapping and
// terser, from npm. cases: one with "bundles" in it, as the tests of source maps have them. Each row is one comparison;
// exit 1 when one differs.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values: given } = parseArgs({ options: { framemap: { type: 'string' }, modules: { type: 'string' }, cases: { type: 'string' } } });
const require = createRequire(join(resolve(given.modules), 'package.json'));
const remapping = require('@jridgewell/remapping');
const { FlattenMap, TraceMap, decodedMappings, originalPositionFor } = require('@jridgewell/trace-mapping');
const { composeSourceMaps } = require('metro-source-map');
const terser = require('terser');
const work = mkdtempSync(join(tmpdir(), 'convert-'));
let bad = 0;

const bundle = (...parts) => join(given.cases, 'bundles', ...parts);
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const convert = (...args) => JSON.parse(execFileSync(given.framemap, ['convert', '-q', ...args], { encoding: 'utf8', maxBuffer: 1 << 30 }));
const remap = remapping.default ?? remapping;

function row(what, differences, counted) {
  bad += differences.length > 0;
  console.log(`${differences.length ? 'DIFFERS' : 'equal  '} ${what}: ${counted}`);
  for (const difference of differences.slice(0, 3)) console.log(`        ${difference}`);
}

// Returns the segments of each line with the names of sources and functions in place of their numbers, since the two
// tools may number them differently.
function spoken(map) {
  const trace = new TraceMap(map);
  return decodedMappings(trace).map((line) =>
    line.map(([col, source, l, c, name]) =>
      source === undefined ? `${col}` : `${col} ${trace.resolvedSources[source]} ${l} ${c} ${name === undefined ? '' : trace.names[name]}`));
}

function sameSegments(ours, theirs, only = (lines) => lines) {
  const a = only(spoken(ours)), b = only(spoken(theirs)), found = [];
  const trim = (lines) => { while (lines.length && lines.at(-1).length === 0) lines.pop(); };
  let count = 0;
  trim(a);
  trim(b);
  for (let line = 0; line < Math.max(a.length, b.length); line++)
    for (let i = 0; i < Math.max(a[line]?.length ?? 0, b[line]?.length ?? 0); i++, count++)
      if (a[line]?.[i] !== b[line]?.[i]) found.push(`line ${line}, segment ${i}: ${a[line]?.[i]} for ${b[line]?.[i]}`);
  return [found, count];
}

// Compares two maps whose numbers of segments may differ: looks up every position at which a segment of either map starts,
// and the position after it. Positions that framemap leaves unmapped, and for which the other tool repeats the segment
// before, are counted separately.
function sameAnswers(ours, theirs) {
  const maps = [new TraceMap(ours), new TraceMap(theirs)], found = [];
  const lines = maps.map((map) => decodedMappings(map));
  let count = 0, unlike = 0;
  for (let line = 0; line < Math.max(lines[0].length, lines[1].length); line++) {
    const places = new Set();
    for (const one of lines) for (const [col] of one[line] ?? []) places.add(col).add(col + 1);
    for (const column of places) {
      const [a, b] = maps.map((map) => JSON.stringify(originalPositionFor(map, { line: line + 1, column })));
      count++;
      if (a === b) continue;
      if (JSON.parse(a).source === null) unlike++;
      else found.push(`${line}:${column}: ${a} for ${b}`);
    }
  }
  return [found, count, unlike];
}

const textsOf = (map) => Object.fromEntries(map.sources.map((source, i) => [source, map.sourcesContent?.[i] ?? null]));
const functionsOf = (map) => Object.fromEntries(map.sources.map((source, i) => {
  const functions = map.x_facebook_sources?.[i]?.[0];
  return [source, functions ? decodeFunctions(functions) : null];
}));
function decodeFunctions({ names, mappings }) {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let line = 1, name = 0;
  return mappings.split(';').flatMap((entries) => {
    let column = 0;
    return entries.split(',').map((entry) => {
      const numbers = [];
      for (let i = 0, value = 0, shift = 0; i < entry.length; i++) {
        const digit = digits.indexOf(entry[i]);
        value += (digit & 31) * 2 ** shift;
        shift += 5;
        if (digit & 32) continue;
        numbers.push(value % 2 ? -Math.floor(value / 2) : value / 2);
        value = shift = 0;
      }
      column += numbers[0];
      name += numbers[1];
      line += numbers[2] ?? 0;
      return `${line}:${column} ${names[name]}`;
    });
  });
}

function sameMembers(ours, theirs) {
  const found = [];
  const differ = (what, a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) found.push(`${what}: ${JSON.stringify(a)?.slice(0, 90)} for ${JSON.stringify(b)?.slice(0, 90)}`); };
  const listed = (map) => (map.ignoreList ?? map.x_google_ignoreList ?? []).map((i) => map.sources[i]).sort();
  differ('sources', [...ours.sources].sort(), [...theirs.sources].sort());
  differ('names', [...ours.names].sort(), [...theirs.names].sort());
  const texts = [textsOf(ours), textsOf(theirs)], functions = [functionsOf(ours), functionsOf(theirs)];
  for (const source of theirs.sources) {
    differ(`text of ${source}`, texts[0][source], texts[1][source]);
    if (theirs.x_facebook_sources) differ(`functions of ${source}`, functions[0][source], functions[1][source]);
  }
  differ('ignored', listed(ours), listed(theirs));
  differ('x_hermes_function_offsets', ours.x_hermes_function_offsets, theirs.x_hermes_function_offsets);
  return found;
}

function metro() {
  const folder = bundle('rn-plain-hermes'), packager = join(folder, 'index.android.bundle.packager.map');
  for (const kind of ['hermes0.12', 'hermes1.0-head']) {
    const compiler = join(folder, `index.android.bundle.${kind}.compiler.map`);
    const ours = convert(compiler, '--through', packager);
    for (const [who, theirs] of [["Metro's", composeSourceMaps([read(packager), read(compiler)])], ['the kept', read(join(folder, `index.android.bundle.${kind}.map`))]]) {
      const [found, count] = sameSegments(ours, theirs);
      row(`${kind} through the packager's map, beside ${who}`, [...found, ...sameMembers(ours, theirs)], `${count} segments, ${ours.sources.length} sources, ${ours.names.length} names`);
    }
  }
}

async function minified() {
  const code = readFileSync(bundle('rxjs-tsc', 'bundle.js'), 'utf8'), earlier = bundle('rxjs-tsc', 'bundle.js.map');
  const options = (content) => ({ compress: true, mangle: true, sourceMap: { filename: 'bundle.min.js', asObject: true, ...(content ? { content } : {}) } });
  const later = (await terser.minify({ 'bundle.js': code }, options())).map, path = join(work, 'bundle.min.js.map');
  writeFileSync(path, JSON.stringify(later));
  const ours = convert(path, '--through', earlier);
  const theirs = JSON.parse(remap([later, read(earlier)], () => null).toString());
  const composed = (await terser.minify({ 'bundle.js': code }, options(read(earlier)))).map;
  for (const [who, other] of [["remapping's", theirs], ["terser's own", composed]]) {
    const [found, count, unlike] = sameAnswers(ours, other);
    row(`terser through tsc, beside ${who}`, found, `${count} places; at ${unlike} ours knows of nothing where the other goes on with what is before`);
  }
}

// Compares a composed map with lookups in one map after the other. The maps are small, with few lines and columns, so
// that special cases are frequent: several segments at one column, segments with one number, columns in descending
// order, sources listed twice, compositions of compositions.
function chains(count) {
  let seed = 1, places = 0, answered = 0;
  const random = (below) => (seed = (seed * 1103515245 + 12345) % 2 ** 31, Math.floor(seed / 65536) % below);
  const pick = (list) => list[random(list.length)];
  const make = (file, sources) => {
    const lines = Array.from({ length: 2 + random(2) }, () => Array.from({ length: random(8) }, (_, n) => {
      const segment = [n === 0 ? random(2) : random(8)];
      if (random(8) > 0) segment.push(random(sources.length), random(3), random(8));
      if (segment.length > 1 && random(2)) segment.push(random(2));
      return segment;
    }));
    return { version: 3, file, sources, names: [`${file} a`, `${file} b`], mappings: encode(lines) };
  };
  const found = [];
  for (let i = 0; i < count; i++) {
    const maps = [make('o.js', ['m.js', pick(['x.js', 'm.js'])]), make('m.js', [pick(['n.js', 'y.js']), 'n.js']), make('n.js', ['a.ts', 'b.ts'])];
    const paths = maps.map((map, n) => { const path = join(work, `${n}.map`); writeFileSync(path, JSON.stringify(map)); return path; });
    const steps = random(2) ? ['--through', paths[1]] : ['--through', paths[1], '--through', paths[2]];
    const traces = maps.slice(0, 1 + steps.length / 2).map((map) => new TraceMap(map)), ours = new TraceMap(convert(paths[0], ...steps));
    for (let line = 1; line < 5; line++)
      for (let column = 0; column < 10; column++, places++) {
        const got = originalPositionFor(ours, { line, column }), wanted = ask(traces, { line, column });
        answered += wanted.source !== null;
        if (JSON.stringify(got) !== JSON.stringify(wanted))
          found.push(`${line}:${column}: ${JSON.stringify(got)} for ${JSON.stringify(wanted)}, ${paths.map((path) => readFileSync(path, 'utf8'))}`);
      }
  }
  row(`${count} random maps through one step or two, beside one map asked after the other`, found, `${places} places, ${answered} of them with an answer`);
}

function ask(traces, place) {
  let at = originalPositionFor(traces[0], place);
  for (const [n, file] of [[1, 'm.js'], [2, 'n.js']]) {
    if (traces[n] === undefined || at.source !== file) continue;
    const back = originalPositionFor(traces[n], { line: at.line, column: at.column });
    at = back.source === null ? back : { ...back, name: back.name ?? at.name };
  }
  return at;
}

// Encodes segments, which have absolute numbers, as `mappings`.
function encode(lines) {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const vlq = (number) => {
    let rest = number < 0 ? -number * 2 + 1 : number * 2, text = '';
    do {
      text += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
      rest >>= 5;
    } while (rest);
    return text;
  };
  const last = [0, 0, 0, 0, 0];
  return lines.map((line) => {
    last[0] = 0;
    return line.map((segment) => segment.map((number, i) => { const delta = number - last[i]; last[i] = number; return vlq(delta); }).join('')).join(',');
  }).join(';');
}

// trace-mapping 0.3 has a fault: it adds the column at which an outer section begins to every section inside it, even to
// sections on later lines. In maps with nested sections, segments of one number are therefore not compared: only these
// are misplaced.
const nests = (map) => map.sections?.some((section) => section.map.sections);
const leading = (lines) => lines.map((line) => line.filter((segment) => segment.includes(' ')));

// Compares flattened index maps. Regular maps must stay the same, except that sourceRoot becomes part of the addresses.
function flat() {
  for (const name of readdirSync(bundle()).filter((name) => statSync(bundle(name)).isDirectory())) {
    for (const file of readdirSync(bundle(name)).filter((file) => file.endsWith('.map'))) {
      const map = read(bundle(name, file)), ours = convert(bundle(name, file));
      const [found, count] = sameSegments(ours, new FlattenMap(map), nests(map) ? leading : undefined);
      if (!map.sections && !map.sourceRoot) found.push(...sameMembers(ours, { names: [], ...map }));
      row(`${name}/${file}${map.sections ? ' flat' : ''}, beside trace-mapping's`, found, `${count} segments`);
    }
  }
}

try {
  metro();
  await minified();
  chains(300);
  flat();
} finally {
  rmSync(work, { recursive: true });
}
process.exitCode = bad ? 1 : 0;
