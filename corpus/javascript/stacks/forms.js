/* Errors of all the kinds that engines print in ways of their own. Run by make_captures in each of them; plain script, no imports. */
var show = typeof print === 'function' ? print : console.log;
var inspect = typeof process === 'object' && process.versions && process.versions.node || typeof Deno === 'object';

class Store {
  static open(name) { return new Store(name); }
  constructor(name) { this.name = check(name); }
  get total() { return this.sum([1, 2]); }
  sum(prices) { return prices.map(function (price) { return fail('price ' + price); }); }
  get [Symbol.toStringTag]() { return 'Store'; }
}

function fail(message) { throw new TypeError(message); }
function check(name) { return name || fail('no name'); }
function attempt(what) {
  try { what(); } catch (error) { return error; }
}

function caused() {
  try { Store.open(''); } catch (error) { throw new Error('cannot open', { cause: error }); }
}
function many() {
  throw new AggregateError([attempt(caused), attempt(function second() { fail('second'); })], 'all failed');
}

var cases = {
  plain: function () { fail('plain'); },
  constructor: function () { new Store(''); },
  static: function () { Store.open(''); },
  getter: function () { return new Store('a').total; },
  alias: function () { return { buy: fail }.buy('alias'); },
  bound: function () { fail.bind(null, 'bound')(); },
  evaluated: function () { return eval('(function inner() { fail("evaluated"); })()'); },
  nested: function () { return eval('eval("fail(\'nested\')")'); },
  constructed: function () { return new Function('fail("constructed")')(); },
  sorted: function () { [2, 1].sort(function () { fail('sorted'); }); },
  parsed: function () { JSON.parse('{'); },
  message: function () { fail('two\n    at lines (that.js:1:2)'); },
  cause: caused,
  many: many
};

Object.keys(cases).forEach(function each(name) {
  var error = attempt(cases[name]);
  show('## ' + name);
  if (inspect) console.log(error);
  else { show(String(error)); show(error.stack); }
});

async function later(message) { await null; fail(message); }
async function latest() { await later('later'); }
Promise.resolve().then(function awaited() {
  return latest();
}).catch(function (error) {
  show('## async');
  if (inspect) console.log(error);
  else { show(String(error)); show(error.stack); }
});
