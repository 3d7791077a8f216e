export function show(r,n){console.log(`# ${r}`),o(n,0)}function o(r,n){if(!(r instanceof Error))return void console.log(`thrown: ${String(r)}`);console.log(r.stack),void 0!==r.cause&&n<5&&(console.log("caused by:"),o(r.cause,n+1));const c=r.errors;Array.isArray(c)&&n<5&&c.forEach(r=>o(r,n+1))}
//# sourceMappingURL=report.js.map
