import "./run.ts";
import "./shapes.ts";
import "./waiting.ts";
import "./calculator.ts";
import "./shop/index.ts";
import "./legacy.js";
