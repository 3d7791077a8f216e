// run.cjs MODULE: runs a module until it traps and prints the stack, as V8 names a module and under an address of the web.
const fs = require("fs");
const program = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
let instance;
const imports = { env: { host: (x) => instance.exports.back(x) } };
instance = new WebAssembly.Instance(program, imports);
try {
  instance.exports.run(2);
} catch (error) {
  const rows = error.stack.split("\n").filter((row) => !/ (at )?(host|Object\.<anonymous>|Module|node:|.*run\.js)/.test(row));
  console.log(rows.join("\n"));
  console.log(rows.join("\n").replace(/wasm:\/\/wasm\/[^:]*/g, "https://app.example/js/trap.wasm?v=7"));
}
