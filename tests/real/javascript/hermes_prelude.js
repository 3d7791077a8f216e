// What a React Native app provides and plain Hermes lacks.
(function (global) {
    var waiting = [];
    global.setTimeout = function (run, after) {
        waiting.push({ run: run, after: after || 0 });
        start();
        return waiting.length;
    };
    global.clearTimeout = function () {};
    global.queueMicrotask = function (run) {
        Promise.resolve().then(run);
    };
    global.console = { log: function (text) { print(text); }, error: function () {}, warn: function () {} };
    global.process = { env: { NODE_ENV: "production" } };
    global.MessageChannel = function () {
        this.port1 = {};
        this.port2 = { postMessage: function () {} };
    };
    global.TextEncoder = function () {};
    // The callback of a timer runs after 50 turns of the queue of promises, when other promises have been handled.
    var turning = false;
    function later(turns) {
        Promise.resolve().then(function () {
            if (turns > 0) return later(turns - 1);
            var next = waiting.shift();
            turning = waiting.length > 0;
            if (turning) later(50);
            next.run();
        });
    }
    function start() {
        if (!turning) {
            turning = true;
            later(50);
        }
    }
})(globalThis);
