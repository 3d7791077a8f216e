let t=[];export function point(n,e){t.push({name:n,attempt:e})}export function points(n,e){for(let[o,p]of Object.entries(e))t.push({name:`${n}.${o}`,attempt:p})}export function all(){return t}
//# sourceMappingURL=points.js.map
