import{all as t}from"./points.js";import{show as o}from"./report.js";Error.stackTraceLimit=50;export default async function r(){for(let r of t())await async function(t){try{await t.attempt(),console.log(`# ${t.name}
nothing was thrown`)}catch(r){o(t.name,r)}}(r)}setTimeout(()=>r().then(()=>console.log("# end")),0);
//# sourceMappingURL=run.js.map
