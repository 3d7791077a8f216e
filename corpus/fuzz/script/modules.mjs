export{a as function,b as default};export default class{}
export default function(){}
import c,{d as e}from"f"
import("g").then(async function*(){for await(const h of i)yield
/j/})
