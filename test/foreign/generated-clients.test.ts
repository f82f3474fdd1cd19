import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { loadDocument } from '../support/http/document-check.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { createWorld } from '../support/world/world.ts';

/** What the generators of others make of the API document plays a withdrawal and a deposit. */

const exec = promisify(execFile);
const CLIENTS = new URL('./clients', import.meta.url).pathname;
const PLAYED = 'withdrawal CREDITED, deposit CONFIRMED\n';

const world = await createWorld({ clock: movingClock });
const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-clients-'));
await writeFile(join(folder, 'openapi.json'), JSON.stringify(await loadDocument(world.url)));
await copyFile(join(CLIENTS, 'withdrawal.ts'), join(folder, 'withdrawal.ts'));
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true });
});

/** In the folder. Rejects with what it printed when it ends with another code than 0. */
async function run(program: string, ...argv: string[]): Promise<string> {
  // Kotlin gets one chain with a call for each schema, which overflows the usual stack of its compiler. C1: a compiler that runs once.
  const env = { ...process.env, MAVEN_OPTS: '-Xss16m -XX:TieredStopAtLevel=1' };
  const { stdout } = await exec(program, argv, { cwd: folder, env }).catch(error => {
    throw new Error(`${program} ${argv.join(' ')}\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}
const account = () => world.wallet('ETH').then(({ address }) => address);

test('openapi-typescript: the compiler takes the client, and it plays both', async () => {
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@20'];
  await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages);
  await copyFile(join(CLIENTS, 'play.ts'), join(folder, 'play.ts'));
  await run('npx', 'openapi-typescript', 'openapi.json', '-o', 'api.ts');
  const options = '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --skipLibCheck --types node';
  const modules = '--module nodenext --target es2023 --rewriteRelativeImportExtensions --outDir built';
  await run('npx', 'tsc', ...options.split(' '), ...modules.split(' '), 'play.ts');
  expect(await run('node', 'built/play.js', world.url, await account())).toBe(PLAYED);
});

const BUNDLED = '--strict --noUncheckedIndexedAccess --skipLibCheck --types node --noEmit --target es2023';
const RESOLVED = '--module preserve --moduleResolution bundler --allowImportingTsExtensions';

test.each([
  ['hey-api', '@hey-api/openapi-ts@0.95.0', 'openapi-ts -i openapi.json -o hey -c @hey-api/client-fetch'],
  ['orval', 'orval@7.13.2', 'orval --input openapi.json --output orval.ts --client fetch'],
])('%s: the compiler takes the client, and it plays a withdrawal', async (name, generator, argv) => {
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const packages = [generator, 'typescript@5.9.3', '@types/node@20', 'esbuild@0.28.2'];
  await run('npm', 'install', '--no-audit', '--no-fund', ...packages);
  const player = `play-${name}.ts`;
  await copyFile(join(CLIENTS, player), join(folder, player));
  await run('npx', ...argv.split(' '));
  await run('npx', 'tsc', ...BUNDLED.split(' '), ...RESOLVED.split(' '), player);
  await run('npx', 'esbuild', '--bundle', '--platform=node', '--format=esm', player, '--outfile=played.mjs');
  expect(await run('node', 'played.mjs', world.url, await account())).toBe('withdrawal CREDITED\n');
});

test('openapi-python-client: every module can be imported, and the client plays both', async () => {
  await run('python3', '-m', 'venv', 'python');
  const python = join(folder, 'python', 'bin', 'python');
  await run(python, '-m', 'pip', 'install', '--quiet', 'openapi-python-client==0.29.1');
  const target = ['--path', 'openapi.json', '--meta', 'none', '--output-path', 'robot_client'];
  await run(python, '-m', 'openapi_python_client', 'generate', ...target);
  const walk =
    'import importlib, pkgutil, robot_client as c; print(sum(1 for m in pkgutil.walk_packages(c.__path__, "robot_client.") if importlib.import_module(m.name)))';
  expect(Number(await run(python, '-c', walk))).toBeGreaterThan(300);
  await copyFile(join(CLIENTS, 'play.py'), join(folder, 'play.py'));
  expect(await run(python, 'play.py', world.url, await account())).toBe(PLAYED);
});

async function openApiGenerator(document: string, language: string, target: string, ...options: string[]) {
  const artifact = '-Dartifact=org.openapitools:openapi-generator-cli:7.17.0:jar';
  await run('mvn', '-q', 'dependency:copy', artifact, '-DoutputDirectory=.');
  const generate = ['generate', '-i', document, '-g', language, '-o', target, ...options];
  await run('java', '-jar', 'openapi-generator-cli-7.17.0.jar', ...generate);
}

const WRAPPERS = '-p=serializationLibrary=gson,generateOneOfAnyOfWrappers=true';

test.each([
  ['java', 'Play.java', 'src/main/java', 'Play', []],
  ['java of the library native', undefined, '', '', ['--library=native']],
  ['kotlin', 'Play.kt', 'src/main/kotlin', 'PlayKt', [WRAPPERS]],
])(
  'openapi-generator for %s: it compiles, and asks for a verification',
  async (name, player, sources, main, options) => {
    const target = name.replaceAll(' ', '-');
    const at = (...path: string[]) => join(folder, target, ...path);
    await openApiGenerator('openapi.json', name.split(' ')[0]!, target, ...options);
    if (player) await copyFile(join(CLIENTS, player), at(sources, player));
    if (name === 'kotlin') await copyFile(join(CLIENTS, 'kotlin-pom.xml'), at('pom.xml'));
    const settings = ['-Dmaven.test.skip=true', '-Dmaven.compiler.source=11', '-Dmaven.compiler.target=11'];
    const maven = ['-q', '-f', at('pom.xml'), ...settings];
    await run('mvn', ...maven, 'compile', 'dependency:build-classpath', `-Dmdep.outputFile=${at('path')}`);
    if (!player) return;
    const path = `${at('target', 'classes')}:${await readFile(at('path'), 'utf8')}`;
    expect(await run('java', '-cp', path, main, world.url, await account())).toBe('verification VERIFIED\n');
  },
);

test('openapi-generator for Python: every module can be imported, and the client plays a withdrawal', async () => {
  // It makes no Python of the body of any webhook.
  const { webhooks: _, ...withoutWebhooks } = await loadDocument(world.url);
  await writeFile(join(folder, 'paths.json'), JSON.stringify(withoutWebhooks));
  await openApiGenerator('paths.json', 'python', '.');
  await run('python3', '-m', 'venv', 'venv');
  const python = join(folder, 'venv', 'bin', 'python');
  await run(python, '-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt');
  await copyFile(join(CLIENTS, 'play-openapi-generator.py'), join(folder, 'play-openapi-generator.py'));
  expect(await run(python, 'play-openapi-generator.py', world.url, await account())).toBe('withdrawal CREDITED\n');
});

/** Without it the schemas that only webhooks name are left out, and the types of their bodies do not compile. */
const GO_CLIENT = `package: main
output: api.go
generate: {models: true, client: true}
output-options: {skip-prune: true}
`;

test('oapi-codegen: Go compiles the client, and it plays a withdrawal', async () => {
  await writeFile(join(folder, 'go.yaml'), GO_CLIENT);
  await writeFile(join(folder, 'go.mod'), 'module robot\n\ngo 1.24\n');
  await copyFile(join(CLIENTS, 'play.go'), join(folder, 'play.go'));
  const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
  await run('go', 'run', generator, '-config', 'go.yaml', 'openapi.json');
  await run('go', 'get', 'github.com/oapi-codegen/runtime@v1.9.0');
  expect(await run('go', 'run', '.', world.url, await account())).toBe('withdrawal CREDITED\n');
});
