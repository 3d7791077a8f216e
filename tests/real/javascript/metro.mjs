// node metro.mjs: bundles src/ in the working folder as a release of React Native does: Metro, then hermesc -O, and
// their maps composed. Leaves in dist/hermes the bytecode with the composed map; in dist/metro the bundle as Metro
// wrote it, minified, with its map; in dist/hermes-truth the unminified bundle.
import * as fs from "node:fs";
import * as path from "node:path";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

const root = process.cwd();
const require = createRequire(path.join(root, "package.json"));
const Metro = require("metro");
const { composeSourceMaps, Consumer } = require("metro-source-map");
const hermes = path.join(path.dirname(require.resolve("hermes-engine-cli/package.json")), "linux64-bin");

const config = {
    ...(await Metro.loadConfig({ cwd: root, resetCache: true })),
};
config.projectRoot = root;
config.watchFolders = [root];
config.cacheStores = [];
config.maxWorkers = 1;
config.reporter = { update() {} };
config.resolver = {
    ...config.resolver, sourceExts: ["ts", "tsx", "js", "mjs", "cjs", "json"], useWatchman: false, blockList: [new RegExp(`^${root}/dist/`)],
    resolveRequest(context, name, platform) {
        if (name === "react-dom/server") return { type: "sourceFile", filePath: path.join(root, "node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js") };
        return context.resolveRequest(context, name, platform);
    },
};
config.transformer = {
    ...config.transformer, babelTransformerPath: require.resolve("@react-native/metro-babel-transformer"), unstable_allowRequireContext: false,
    async getTransformOptions() { return { transform: { experimentalImportSupport: false, inlineRequires: false } }; },
};
config.serializer = { ...config.serializer, getPolyfills: () => [path.join(root, "hermes_prelude.js")], getModulesRunBeforeMainModule: () => [] };

async function bundle(folder, minify) {
    const out = path.join(root, "dist", folder, "index.android.bundle");
    fs.rmSync(path.dirname(out), { recursive: true, force: true });
    fs.mkdirSync(path.dirname(out), { recursive: true });
    const made = await Metro.runBuild(config, { entry: process.env.ENTRY ?? "src/main.ts", dev: false, minify, platform: "android", sourceMap: true, sourceMapUrl: "index.android.bundle.map", unstable_transformProfile: "default" });
    fs.writeFileSync(out, `${made.code}\n`);
    fs.writeFileSync(`${out}.map`, made.map);
    return out;
}

// this file is for Metro only: other tools would read it as well, so it is written here and removed afterwards
const babel = path.join(root, "babel.config.cjs");
fs.writeFileSync(babel, 'module.exports = { presets: [["@react-native/babel-preset", { unstable_transformProfile: "default", enableBabelRuntime: false }]], plugins: ["@babel/plugin-transform-export-namespace-from"] };\n');
const plain = await bundle("hermes-truth", false);
await bundle("metro", true);
fs.rmSync(babel);
const out = path.join(root, "dist/hermes");
fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
const code = path.join(out, "index.android.bundle");
execFileSync(path.join(hermes, "hermesc"), ["-w", "-O", "-emit-binary", "-output-source-map", "-out", code, plain], { cwd: path.dirname(plain), stdio: ["ignore", "ignore", "inherit"] });
const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
fs.writeFileSync(`${code}.map`, JSON.stringify(composeSourceMaps([read(`${plain}.map`), read(`${code}.map`)])));
console.log(hermes);
