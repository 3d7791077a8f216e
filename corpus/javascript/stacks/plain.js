/* For engines without classes: run as source and as bytecode. */
function fail(message) { throw new TypeError(message); }
function sum(prices) { return prices.map(function (price) { return fail('price ' + price); }); }
function attempt(name, what) {
  try { what(); } catch (error) { print('## ' + name); print(error.stack); }
}
attempt('plain', function () { fail('plain'); });
attempt('builtin', function () { sum([1, 2]); });
attempt('alias', function () { ({ buy: fail }).buy('alias'); });
attempt('constructed', function () { new Function('nope()')(); });
attempt('deep', function deep() { deep(); });
