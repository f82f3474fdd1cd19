import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockOf } from './support/docs/manual.ts';
import { type Serving, serving } from './support/process/serving.ts';

/** D-41. Testcontainers names the container's host, which is an address or a name of the platform. */
const HOSTS = ['localhost', '172.17.0.1', 'docker', 'host.docker.internal', '192.168.65.254', '[fd00::1]'];
const PUBLISHED = 49153;

let program: Serving;
beforeAll(async () => {
  program = await serving({
    HOST: '0.0.0.0',
    VEGA_VERIFICATION_CALLBACK_API_PATH: 'http://host.testcontainers.internal:3000/callback',
  });
});
afterAll(() => program?.stop());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'testcontainers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Takes the place of the library and of Docker: the container is the program, the network leads every host to it. */
const LIBRARY = `
import { request } from 'node:http';
const { ROBOT_PORT, ROBOT_HOST } = process.env;
const get = (address) => new Promise((resolve, reject) => {
  const { host, pathname } = new URL(address);
  request({ host: '127.0.0.1', port: ROBOT_PORT, path: pathname, headers: { host } }, answer => {
    let text = '';
    answer.on('data', chunk => (text += chunk));
    answer.on('end', () => resolve({ status: answer.statusCode, text: async () => text }));
  }).on('error', reject).end();
});
globalThis.fetch = get;
export const TestContainers = { exposeHostPorts: async () => {} };
export const Wait = { forHttp: path => ({ forStatusCode: status => ({ path, status }) }) };
export class GenericContainer {
  withExposedPorts() { return this; }
  withEnvironment() { return this; }
  withUser() { return this; }
  withResourcesQuota() { return this; }
  withTmpFs() { return this; }
  withDroppedCapabilities() { return this; }
  withWaitStrategy(wait) { this.wait = wait; return this; }
  getHost() { return ROBOT_HOST; }
  getMappedPort() { return ${PUBLISHED}; }
  async stop() {}
  async start() {
    for (let tries = 0; tries < 200; tries++) {
      const { status } = await get('http://' + ROBOT_HOST + ':${PUBLISHED}' + this.wait.path);
      if (status === this.wait.status) return this;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    throw new Error('the container did not become ready');
  }
}`;

describe.each(HOSTS)('at the host %s', host => {
  test('the example for Node.js runs as printed', async () => {
    const library = join(folder, 'node_modules', 'testcontainers');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'package.json'), '{"type":"module","main":"index.js"}');
    writeFileSync(join(library, 'index.js'), LIBRARY);
    writeFileSync(join(folder, 'example.mjs'), blockOf('In CI', 'ts', 'GenericContainer'));
    const env = { PATH: process.env.PATH, ROBOT_PORT: String(program.port), ROBOT_HOST: host };
    const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual({ vaspId: '15952089931162058999' });
  });

  test('the requests of the example for Java are answered', async () => {
    const code = blockOf('In CI', 'java', 'GenericContainer');
    const [, ready] = /forHttp\("([^"]+)"/.exec(code)!;
    const [, asked] = /enclave \+ "([^"]+)"/.exec(code)!;
    expect([await statusAt(host, ready!), await statusAt(host, asked!)]).toEqual([200, 200]);
  });
});

const statusAt = (host: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { host: `${host}:${PUBLISHED}`, connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' };
    request({ host: '127.0.0.1', port: program.port, path, headers }, answer => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
