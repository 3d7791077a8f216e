(()=>{var s=class extends Error{constructor(r,t){super(`none left of ${r}`,{cause:t}),this.name="OutOfStock"}},n=new Map([["tea",3],["milk",0]]),c=e=>{let r=n.get(e)??0;if(r===0)throw new s(e);return n.set(e,r-1),r-1};function i(e){return e.items.map(r=>c(r))}var o=class{orders=[];add(r,...t){return this.orders.push({customer:r,items:t}),this}async checkout(){return await Promise.resolve(),this.orders.reduce((r,t)=>r+this.send(t),0)}send(r){return i(r).length}};async function a(){console.log("12:04:07 shop: 2 orders wait");let e=new o().add("eve","tea").add("bob","tea","milk");console.log("12:04:08 shop: sold",await e.checkout())}a().catch(e=>console.log(`12:04:08 shop: failed
${e.stack}
12:04:08 shop: closed`));})();
//# sourceMappingURL=shop.js.map
