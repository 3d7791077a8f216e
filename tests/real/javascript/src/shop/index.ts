export { default as Shop } from "./shop.ts";
export * from "./money.ts";
export { reducer as default, type State } from "./reducer.ts";
import "./checkout.ts";
