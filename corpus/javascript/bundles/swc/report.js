export function show(o,r){console.log(`# ${o}`),function o(r,n){if(!(r instanceof Error))return void console.log(`thrown: ${String(r)}`);console.log(r.stack),void 0!==r.cause&&n<5&&(console.log("caused by:"),o(r.cause,n+1));let c=r.errors;Array.isArray(c)&&n<5&&c.forEach(r=>o(r,n+1))}(r,0)}
//# sourceMappingURL=report.js.map
