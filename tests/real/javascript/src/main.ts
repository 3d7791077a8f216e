import "./small.ts";
import "./closures.ts";
import "./failures.ts";
import "./events.ts";
import "./walkers.ts";
import "./libraries.ts";
