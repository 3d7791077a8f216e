import"./run.js";import"./shapes.js";import"./waiting.js";import"./calculator.js";import"./shop/index.js";import"./legacy.js";
//# sourceMappingURL=small.js.map
