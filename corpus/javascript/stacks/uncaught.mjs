// Dies of an error with a cause, behind an await: what hosts print for it, with and without colours.
function open(name) {
  throw new Error('cannot open ' + name, { cause: new RangeError('no such name') });
}
async function load(name) {
  await null;
  open(name);
}
await load('cart');
