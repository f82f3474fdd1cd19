import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build, context } from 'esbuild';

/**
 * `node src/build.mjs [FILE…]` makes `dist` anew beside the old one and swaps them, so a server that runs from it goes on.
 * FILE: a test program for `dist/bench`. `--if-changed`: only where a source is newer. `--watch`: the program at each change.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'if-changed': { type: 'boolean' }, watch: { type: 'boolean' } },
});

const BUNDLED = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  alias: { 'better-sqlite3': './src/kernel/sqlite-driver.ts' },
};
const MODULE = {
  ...BUNDLED,
  format: 'esm',
  splitting: true,
  banner: { js: 'import { createRequire as __cr } from "node:module"; const require = __cr(import.meta.url);' },
};
/** In one file, because one file is read and compiled in half the time. */
const COMMONJS = {
  ...BUNDLED,
  format: 'cjs',
  supported: { 'dynamic-import': false },
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': '__url' },
  banner: { js: 'const __url = require("node:url").pathToFileURL(__filename).href;' },
};
const program = outdir => ({
  ...COMMONJS,
  entryPoints: ['src/cli.ts', 'src/testing.ts'],
  outdir,
  minifyWhitespace: true,
  lineLimit: 160,
});
const VENDOR = [
  '@picocss/pico/css/pico.min.css',
  'htmx.org/dist/htmx.min.js',
  'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-dist/swagger-ui-bundle.js',
];

async function make(folder) {
  await Promise.all([
    declarations(folder),
    build(program(folder)),
    build({ ...MODULE, entryPoints: ['src/launch/cli.ts'], outdir: folder }),
    build({ ...COMMONJS, entryPoints: ['src/launch/testing.ts'], outdir: join(folder, 'launch') }),
    ...(positionals.length > 0 ? [build({ ...MODULE, entryPoints: positionals, outdir: join(folder, 'bench') })] : []),
  ]);
  const schema = await run(join(folder, 'cli.js'), 'check', '--schema');
  writeFileSync(join(folder, 'report-schema.json'), schema);
  for (const file of VENDOR) cpSync(join('node_modules', file), join(folder, 'vendor', file));
  for (const part of ['console/assets', 'guide/chapters', 'deploy'])
    cpSync(join('src', part), join(folder, part.split('/').at(-1)), { recursive: true });
}

/** The types of `robot-vasp/testing`, in one file. */
async function declarations(folder) {
  const types = join(folder, 'types');
  await run('node_modules/typescript-native/bin/tsc', '-p', 'src/declarations.json', '--outDir', types);
  await run(
    'node_modules/dts-bundle-generator/dist/bin/dts-bundle-generator.js',
    ...['--silent', '--no-banner', '--no-check', '--project', 'src/declarations.json'],
    ...['--external-inlines', 'zod', '--export-referenced-types=false'],
    ...['-o', join(folder, 'launch/testing.d.cts'), join(types, 'testing/robot.d.ts')],
  );
  rmSync(types, { recursive: true });
}

const MAX_OUTPUT_BYTES = 2 ** 24;

async function run(...command) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { maxBuffer: MAX_OUTPUT_BYTES });
  process.stderr.write(stderr);
  return stdout;
}

function swap(next) {
  const old = `${next}.old`;
  if (existsSync('dist')) renameSync('dist', old);
  renameSync(next, 'dist');
  rmSync(old, { recursive: true, force: true });
}

function isCurrent() {
  const made = ['dist/report-schema.json', 'dist/deploy', 'dist/launch/testing.d.cts'];
  if (!made.every(file => existsSync(file))) return false;
  const sources = readdirSync('src', { recursive: true }).map(name => join('src', name));
  const at = statSync('dist/cli.js').mtimeMs;
  return [...sources, 'package.json', 'package-lock.json'].every(file => statSync(file).mtimeMs <= at);
}

if (values.watch) await (await context(program('dist'))).watch();
else if (!values['if-changed'] || !isCurrent()) {
  const next = `dist.${process.pid}`;
  try {
    await make(next);
    swap(next);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}
