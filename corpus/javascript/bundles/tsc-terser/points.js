const t=[];export function point(n,o){t.push({name:n,attempt:o})}export function points(n,o){for(const[e,p]of Object.entries(o))t.push({name:`${n}.${e}`,attempt:p})}export function all(){return t}
//# sourceMappingURL=points.js.map
