import{all as t}from"./points.js";import{show as o}from"./report.js";async function n(t){try{await t.attempt(),console.log(`# ${t.name}\nnothing was thrown`)}catch(n){o(t.name,n)}}Error.stackTraceLimit=50;export default async function a(){for(const o of t())await n(o)}setTimeout(()=>a().then(()=>console.log("# end")),0);
//# sourceMappingURL=run.js.map
