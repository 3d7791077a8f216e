export{default as Shop}from"./shop.js";export*from"./money.js";export{reducer as default}from"./reducer.js";import"./checkout.js";
//# sourceMappingURL=index.js.map
