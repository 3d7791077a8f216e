// node build.mjs TOOL: builds src/ in the working folder into dist/TOOL with that tool, minified, with source maps.
// Prints the program to run.
import * as fs from "node:fs";
import * as path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const root = process.cwd();
const require = createRequire(path.join(root, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const tool = process.argv[2];
const out = path.join(root, "dist", tool);
const entry = path.join(root, process.env.ENTRY ?? "src/main.ts");
const define = { "process.env.NODE_ENV": '"production"' };

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });

function write(name, text) {
    const file = path.join(out, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
}

const sources = () => fs.readdirSync(path.join(root, "src"), { recursive: true }).filter((name) => /\.[jt]s$/.test(name));

// Compiles one file with the typescript compiler. The result has a source map.
async function typescript(name, target) {
    const { default: ts } = await load("typescript");
    const text = fs.readFileSync(path.join(root, "src", name), "utf8");
    const made = ts.transpileModule(text, {
        fileName: path.basename(name),
        compilerOptions: {
            target: ts.ScriptTarget[target], module: ts.ModuleKind.ESNext, sourceMap: true, inlineSources: true, downlevelIteration: true,
            rewriteRelativeImportExtensions: true, allowJs: true,
        },
    });
    const map = JSON.parse(made.sourceMapText);
    map.sources = [path.posix.relative(path.posix.dirname(path.join("dist", tool, name)), path.posix.join("src", name))];
    const code = made.outputText.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
    return { code, map: JSON.stringify(map), name: name.replace(/\.ts$/, ".js") };
}

// Types become blanks, so that every token stays at its line and column: JavaScript as its author would have written
// it.
async function blanked(name) {
    const { default: blank } = await load("ts-blank-space");
    const text = fs.readFileSync(path.join(root, "src", name), "utf8");
    const code = name.endsWith(".ts") ? blank(text) : text;
    return { code: code.replace(/(["'])(\.\.?\/[^"']+)\.ts\1/g, "$1$2.js$1"), name: name.replace(/\.ts$/, ".js") };
}

async function eachFile(make) {
    for (const name of sources()) {
        const { code, map, name: made } = await make(name);
        write(made, `${code}\n//# sourceMappingURL=${path.basename(made)}.map\n`);
        write(`${made}.map`, typeof map === "string" ? map : JSON.stringify(map));
    }
    return path.join(out, `${path.basename(entry, ".ts")}.js`);
}

const original = (name) => path.posix.relative(path.posix.dirname(path.posix.join("dist", tool, name)), path.posix.join("src", name));

async function terserFile(code, name, content) {
    const { minify } = await load("terser");
    const file = path.basename(name).replace(/\.ts$/, ".js");
    const made = await minify({ [original(name)]: code }, { module: true, sourceMap: { content, filename: file, includeSources: true } });
    return { code: made.code, map: made.map };
}

const rollupPlugins = async (target) => {
    const { default: ts } = await load("typescript");
    const { default: commonjs } = await load("@rollup/plugin-commonjs");
    const { default: resolve } = await load("@rollup/plugin-node-resolve");
    const types = {
        name: "types",
        transform(code, id) {
            if (!id.endsWith(".ts")) return null;
            const made = ts.transpileModule(code, {
                fileName: id,
                compilerOptions: { target: ts.ScriptTarget[target], module: ts.ModuleKind.ESNext, sourceMap: true, useDefineForClassFields: true },
            });
            return { code: made.outputText.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"), map: made.sourceMapText };
        },
    };
    const environment = { name: "environment", transform: (code) => (code.includes("process.env.NODE_ENV") ? { code: code.replaceAll("process.env.NODE_ENV", '"production"           '), map: null } : null) };
    return [environment, types, resolve({ exportConditions: ["node"], preferBuiltins: true }), commonjs()];
};

const esbuild = (options) => async () => {
    const { build } = await load("esbuild");
    const outfile = path.join(out, `main.${options.format === "esm" ? "mjs" : "cjs"}`);
    await build({ entryPoints: [entry], bundle: true, minify: true, sourcemap: true, platform: "node", target: "node20", outfile, define, logLevel: "error", ...options });
    return outfile;
};

const webpack = (options) => async () => {
    const { default: pack } = await load("webpack");
    const compilerOptions = { target: "ES2022", module: "ESNext", moduleResolution: "bundler", sourceMap: true };
    fs.writeFileSync(path.join(root, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["src/main.ts"] }));
    const config = {
        mode: "production", target: "node20", context: root, entry, devtool: "source-map",
        output: { path: out, filename: "main.[contenthash:8].cjs", library: { type: "commonjs2" } },
        resolve: { extensions: [".ts", ".js"] },
        module: { rules: [{ test: /\.ts$/, loader: require.resolve("ts-loader"), options: { transpileOnly: true } }] },
        ...options,
    };
    const stats = await new Promise((resolve, reject) => pack(config, (error, done) => (error ? reject(error) : resolve(done))));
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
    return path.join(out, stats.compilation.getAssets().find((one) => one.name.startsWith("main.") && one.name.endsWith(".cjs")).name);
};

const tools = {
    esbuild: esbuild({ format: "esm", banner: { js: 'import{createRequire as __r}from"module";const require=__r(import.meta.url);' } }),
    "esbuild-iife": esbuild({ format: "iife" }),
    "esbuild-inline": esbuild({ format: "cjs", sourcemap: "inline" }),
    "esbuild-keep-names": esbuild({ format: "cjs", keepNames: true }),

    webpack: webpack({}),

    async "webpack-swc"() {
        const { default: Minimizer } = await load("terser-webpack-plugin");
        const minimizer = [new Minimizer({ minify: Minimizer.swcMinify, terserOptions: {} })];
        return webpack({ optimization: { minimize: true, minimizer } })();
    },

    async rspack() {
        const { rspack } = await load("@rspack/core");
        const jsc = { target: "es2022", parser: { syntax: "typescript" } };
        const config = {
            mode: "production", target: "node20", context: root, entry, devtool: "source-map",
            output: { path: out, filename: "main.[contenthash:8].cjs", library: { type: "commonjs2" } },
            resolve: { extensions: [".ts", ".js"] },
            module: { rules: [{ test: /\.ts$/, loader: "builtin:swc-loader", options: { jsc } }] },
        };
        const stats = await new Promise((resolve, reject) => rspack(config, (error, done) => (error ? reject(error) : resolve(done))));
        if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
        return path.join(out, fs.readdirSync(out).find((name) => /^main\..*\.cjs$/.test(name)));
    },

    async rollup() {
        const { rollup } = await load("rollup");
        const { default: terser } = await load("@rollup/plugin-terser");
        const bundle = await rollup({ input: entry, plugins: await rollupPlugins("ES2022"), onwarn() {} });
        const file = path.join(out, "main.mjs");
        await bundle.write({ file, format: "es", sourcemap: true, sourcemapDebugIds: true, plugins: [terser({ module: true })], inlineDynamicImports: true });
        return file;
    },

    async rolldown() {
        const { rolldown } = await load("rolldown");
        const bundle = await rolldown({ input: entry, platform: "node", transform: { define }, logLevel: "silent" });
        const file = path.join(out, "main.mjs");
        await bundle.write({ file, format: "esm", sourcemap: true, minify: true });
        return file;
    },

    async vite() {
        const { build } = await load("vite");
        await build({
            root, logLevel: "error", define, configFile: false, ssr: { noExternal: true, target: "node" },
            build: { ssr: entry, outDir: out, sourcemap: true, minify: true, target: "node20", emptyOutDir: true, rollupOptions: { output: { entryFileNames: "assets/[name]-[hash].js" } } },
        });
        return path.join(out, "assets", fs.readdirSync(path.join(out, "assets")).find((name) => /^main-.*\.js$/.test(name)));
    },

    terser: () => eachFile(async (name) => {
        const { code, name: made } = await blanked(name);
        return { ...(await terserFile(code, name)), name: made };
    }),

    "tsc-terser": () => eachFile(async (name) => {
        const { code, map, name: made } = await typescript(name, "ES2022");
        return { ...(await terserFile(code, name, map)), name: made };
    }),


    tsc: () => eachFile((name) => typescript(name, "ES2022")),

    swc: () => eachFile(async (name) => {
        const { default: swc } = await load("@swc/core");
        const text = fs.readFileSync(path.join(root, "src", name), "utf8");
        const made = await swc.transform(text, {
            filename: name, sourceFileName: original(name), sourceMaps: true, swcrc: false, configFile: false, minify: true,
            module: { type: "es6" },
            jsc: { target: "es2022", parser: { syntax: name.endsWith(".ts") ? "typescript" : "ecmascript" }, minify: { compress: true, mangle: true } },
        });
        return { code: made.code.replace(/(["'])(\.\.?\/[^"']+)\.ts\1/g, "$1$2.js$1"), map: made.map, name: name.replace(/\.ts$/, ".js") };
    }),
};

if (!tools[tool]) {
    console.log(Object.keys(tools).join(" "));
    process.exit(2);
}
console.log(await tools[tool]());
