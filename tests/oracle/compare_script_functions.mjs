#!/usr/bin/env node
// Compares the functions that js_functions_dump finds in scripts with those of acorn (start, end, nesting) and with the
// names that V8 reports (precise coverage).
//
//     compare_script_functions.mjs [--dump PATH] [--work FOLDER] [--names] FILE...
//
// --dump   path of the program js_functions_dump of a build (default: build/debug/tests/mappers/javascript/js_functions_dump)
// --work   where acorn is installed from npm (default: a temporary folder)
// --names  compare names too: each FILE is run by this Node, so give it only files that may be run
//
// Exit: 0 equal, 1 something differs, 77 skipped: npm or acorn can't be had.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { Session } from "node:inspector";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const options = { dump: "build/debug/tests/mappers/javascript/js_functions_dump", work: "", names: false, files: [] };
for (let i = 2; i < process.argv.length; i++) {
  const word = process.argv[i];
  if (word === "--dump" || word === "--work") options[word.slice(2)] = process.argv[++i];
  else if (word === "--names") options.names = true;
  else options.files.push(word);
}

function loadAcorn() {
  const work = options.work || mkdtempSync(join(tmpdir(), "compare-script-"));
  const load = () => createRequire(join(resolve(work), "x.js"))("acorn");
  try {
    return load();
  } catch {}
  try {
    execFileSync("npm", ["install", "--no-save", "--silent", "--prefix", work, "acorn@8"], { stdio: "ignore" });
    return load();
  } catch {
    console.log("skipped: acorn can't be had from npm");
    process.exit(77);
  }
}

// Returns the offsets at which lines start. Lines are counted as in source maps: U+2028 does not end a line.
function lineBegins(text) {
  const begins = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) begins.push(i + 1);
  }
  return begins;
}

function parse(acorn, text) {
  const equals = [];
  const common = {
    ecmaVersion: "latest",
    allowHashBang: true,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowImportExportEverywhere: true,
    onToken: (token) => token.type === acorn.tokTypes.eq && equals.push(token.start),
  };
  for (const sourceType of ["script", "module"]) {
    equals.length = 0;
    try {
      return { tree: acorn.parse(text, { ...common, sourceType }), equals };
    } catch (error) {
      if (sourceType === "module") throw error;
    }
  }
}

function functionsOf(acorn, text) {
  const { tree, equals } = parse(acorn, text);
  const found = [];
  const open = [tree];
  const equalsBehind = (at) => {
    let low = 0;
    for (let high = equals.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (equals[middle] < at) low = middle + 1;
      else high = middle;
    }
    return equals[low];
  };
  while (open.length > 0) {
    const node = open.pop();
    if (/^(Function|ArrowFunction)/.test(node.type) || node.type === "StaticBlock") found.push([node.start, node.end]);
    if (node.type === "PropertyDefinition" && node.value) found.push([equalsBehind(node.key.end), node.value.end]);
    const isClass = node.type === "ClassDeclaration" || node.type === "ClassExpression";
    if (isClass && !node.body.body.some((member) => member.kind === "constructor")) found.push([node.start, node.start + 5]);
    for (const key in node)
      for (const child of [node[key]].flat()) if (child && typeof child.type === "string") open.push(child);
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const around = [];
  return found.map(([begin, end], i) => {
    while (around.length > 0 && found[around.at(-1)][1] <= begin) around.pop();
    const outer = around.length > 0 ? around.at(-1) : "-";
    around.push(i);
    return `${begin} ${end} ${outer}`;
  });
}

function dump(file, begins) {
  const run = spawnSync(options.dump, [file], { encoding: "utf8", maxBuffer: 1 << 30 });
  if (run.status !== 0) throw new Error(`${options.dump}: ${run.stderr || run.error}`);
  const offset = (place) => begins[+place.split(":")[0]] + +place.split(":")[1];
  return run.stdout.split("\n").filter(Boolean).map((line) => {
    const [, begin, end, outer, name] = /^(\S+) (\S+) (\S+) (.*)$/.exec(line);
    return { begin: offset(begin), end: offset(end), outer, name };
  });
}

// Returns the functions that V8 reports for a file that it ran. If a class precedes the name of a member, it is that of
// the receiver and not part of the name, so it is removed.
function namesOfV8(file, size) {
  const session = new Session();
  let result;
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const console_methods = [console.log, console.warn, console.error];
  console.log = console.warn = console.error = () => {};
  try {
    createRequire(import.meta.url)(file);
  } catch {}
  [console.log, console.warn, console.error] = console_methods;
  session.post("Profiler.takePreciseCoverage", (error, answer) => (result = answer.result));
  session.disconnect();
  const script = result.find((script) => script.url === `file://${file}` || script.url === file);
  return (script ? script.functions : [])
    .map((f) => ({ name: f.functionName, begin: f.ranges[0].startOffset, end: f.ranges[0].endOffset }))
    .filter((f) => f.begin > 0 || f.end < size - 2);
}

function compareNames(file, text, got) {
  let count = 0, equal = 0;
  for (const wanted of namesOfV8(resolve(file), text.length)) {
    const mine = got.find((f) => f.end === wanted.end && f.begin === wanted.begin) ??
      got.find((f) => f.end === wanted.end && f.begin > wanted.begin && text[f.begin] === "(" && /^[^(=]*$/.test(text.slice(wanted.begin, f.begin)));
    if (!mine) continue;
    count++;
    if (mine.name === wanted.name || mine.name.endsWith(`.${wanted.name}`) || mine.name.startsWith("[Symbol.")) equal++;
    else console.log(`  ${file}: V8 says "${wanted.name}", not "${mine.name}": ${text.slice(wanted.begin, wanted.begin + 50).replace(/\s+/g, " ")}`);
  }
  return [count, equal];
}

const acorn = loadAcorn();
let functions = 0, differing = 0, unread = 0, named = 0, namedEqual = 0;
for (const file of options.files) {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  let wanted;
  try {
    wanted = functionsOf(acorn, text);
  } catch {
    unread++; // the file is not JavaScript, but has types or JSX
    continue;
  }
  const got = dump(file, lineBegins(text));
  const lines = got.map((f) => `${f.begin} ${f.end} ${f.outer}`);
  const wrong = wanted.findIndex((line, i) => line !== lines[i]);
  functions += wanted.length;
  if (wrong >= 0 || lines.length !== wanted.length) {
    differing++;
    console.log(`${file}: ${lines.length} functions, acorn has ${wanted.length}; function ${wrong}: ${lines[wrong]}, not ${wanted[wrong]}`);
  }
  if (options.names) {
    const [count, equal] = compareNames(file, text, got);
    named += count;
    namedEqual += equal;
  }
}
console.log(`${functions} functions of ${options.files.length - unread} files; ${differing} files differ, ${unread} were no JavaScript`);
if (options.names) console.log(`${named} names of V8, ${namedEqual} equal`);
process.exit(differing > 0 ? 1 : 0);
