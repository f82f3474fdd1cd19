/** Builds the image of the Dockerfile without any container engine, runs it, and plays both tests in it. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { baseNames, makeBase } from './base.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGE = 'robot-vasp-test';
const LARGEST_MB = 350;
const READY_WITHIN_MS = 60_000;
const RESTARTS = 20;
const CERTIFICATES = '/etc/ssl/certs';

const [folder = ''] = process.argv.slice(2);
const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'runroot')];
const buildah = (...argv) =>
  execFileSync('buildah', [...storage, ...argv], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }).trim();
const say = text => process.stdout.write(`${text}\n`);
const began = Date.now();
const timed = (what, work) => {
  const start = Date.now();
  const result = work();
  say(`${what}: ${Math.round((Date.now() - start) / 1000)} s`);
  return result;
};

function build() {
  const npmrc = join(folder, 'npmrc');
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const lines = [`registry=${registry}`, `cafile=${CERTIFICATES}/ca-certificates.crt`];
  writeFileSync(npmrc, lines.join('\n'));
  // Mounted for the time of the build: neither is in the image.
  const mounts = ['-v', `${npmrc}:/root/.npmrc:ro`, '-v', `${CERTIFICATES}:${CERTIFICATES}:ro`];
  buildah('bud', '--isolation', 'chroot', '--pull-never', '--layers', ...mounts, '-t', IMAGE, '.');
}

function figures() {
  const { OCIv1, FromImageID } = JSON.parse(buildah('inspect', '--type', 'image', IMAGE));
  const megabytes = path => Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]);
  const sizeOf = image => {
    const container = buildah('from', '--pull-never', image);
    const size = megabytes(buildah('mount', container));
    buildah('rm', container);
    return size;
  };
  const [base, image] = [sizeOf(bases.at(-1)), sizeOf(IMAGE)];
  say(`size: ${image} MB, ${image - base} MB above the base; layers: ${OCIv1.rootfs.diff_ids.length}`);
  assert(image - base <= LARGEST_MB, `more than ${LARGEST_MB} MB above the base`);
  assert(FromImageID !== undefined);
  const labels = OCIv1.config.Labels;
  for (const name of ['title', 'version', 'licenses', 'source'])
    assert(labels[`org.opencontainers.image.${name}`], `label ${name}`);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.equal(labels['org.opencontainers.image.version'], version);
  assert(!JSON.stringify(OCIv1).includes('ca-certificates.crt'), 'the certificates of this machine are in the image');
  return OCIv1.config;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Runs a command in the image, as process 1: root is read-only, only `/data` and `/tmp` are writable. */
function run({ Env: env = [], User }, { user = User, data, port, argv }) {
  const container = buildah('from', '--pull-never', IMAGE);
  const root = buildah('mount', container);
  const script = `
    mount --bind ${root} ${root} && mount -o remount,bind,ro ${root}
    mount -t tmpfs tmpfs ${root}/tmp && chmod 1777 ${root}/tmp
    mount --bind ${data} ${root}/data && mount --rbind /dev ${root}/dev && mount -t proc proc ${root}/proc
    cd ${root} && exec chroot --userspec=${user} ${root} env -i ${env.join(' ')} HOST=127.0.0.1 PORT=${port} \
      sh -c 'cd /app && exec "$@"' sh ${argv.join(' ')}`;
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  const ended = once(child, 'exit').then(([code]) => {
    buildah('rm', container);
    return { code, output };
  });
  return { child, ended };
}

async function ready(port) {
  for (const end = Date.now() + READY_WITHIN_MS; Date.now() < end; await pause(200)) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error('it was not ready in time');
}

const childrenOf = pid =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
const stateOf = pid => /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1];

async function restartNode(url, pid) {
  for (let n = 0; n < RESTARTS; n++) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/sandbox/v1/chains/ETH/start-over`, { method: 'POST', headers, body: '{}' });
    assert.equal(answer.status, 200);
  }
  const zombies = childrenOf(pid).filter(each => stateOf(each) === 'Z');
  assert.deepEqual(zombies, [], 'process 1 leaves zombies');
}

async function serving(config, { user, data }, use) {
  const port = await freePort();
  const { child, ended } = run(config, { user, data, port, argv: ['node', 'dist/cli.js', 'serve'] });
  await ready(port);
  const result = await use(`http://127.0.0.1:${port}`, childrenOf(child.pid)[0]);
  process.kill(childrenOf(child.pid)[0], 'SIGTERM');
  const { code } = await ended;
  assert.equal(code, 0, 'SIGTERM ends it in order');
  return result;
}

const volume = (name, uid, gid) => {
  const path = join(folder, name);
  mkdirSync(path);
  chownSync(path, uid, gid);
  chmodSync(path, 0o770);
  return path;
};
const cli = (...argv) => execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), ...argv], { encoding: 'utf8' });

const bases = baseNames(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
assert(existsSync(join(ROOT, 'dist/cli.js')), 'run `npm run build` first');
timed('base', () => makeBase(bases, folder, buildah));
timed('build', build);
const config = figures();

const data = volume('data', 1000, 0);
const first = await serving(config, { user: '1000:0', data }, async url => {
  say('READY as uid 1000, with a root that is read-only');
  cli('demo', '--url', url);
  const { verifications } = await (await fetch(`${url}/sandbox/v1/verifications`)).json();
  assert(verifications.length > 5);
  return verifications;
});
say('SIGTERM: exit code 0');
await serving(config, { user: '1000:0', data }, async url => {
  const { verifications } = await (await fetch(`${url}/sandbox/v1/verifications`)).json();
  assert.deepEqual(
    verifications.map(each => each.verificationUuid),
    first.map(each => each.verificationUuid),
  );
});
say('started again with the volume: the same verifications');
await serving(config, { user: '1000650000:0', data: volume('openshift', 0, 0) }, restartNode);
say(`READY as any user id of group 0; no zombie after ${RESTARTS} restarts of the Ethereum node`);
const demo = run(config, {
  user: '1000:0',
  data: volume('demo', 1000, 0),
  port: 0,
  argv: ['node', 'dist/cli.js', 'demo'],
});
const { code, output } = await demo.ended;
assert.equal(code, 0, output);
say(`both tests played inside: ${output.trim().split('\n').at(-1)}`);
say(`done in ${Math.round((Date.now() - began) / 1000)} s`);
