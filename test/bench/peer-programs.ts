import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A mock server that answers `POST /v1/verifications` and then posts to the `callbackUrl` of the body. */
export interface Peer {
  name: string;
  /** Writes the configuration into `folder`. */
  prepare(folder: string, port: number): { program: string; args: string[] };
}

const MOCKOON = '@mockoon/cli@9.9.0';
const PRISM = '@stoplight/prism-cli@5.14.2';
const WIREMOCK = 'org.wiremock:wiremock-standalone:3.13.1';

/** Installs into `cache` what is not there yet, and says which program could not be had. */
export function installPeers(cache: string): Peer[] {
  const peers: Peer[] = [];
  const modules = join(cache, 'node_modules');
  if (existsSync(join(modules, '@mockoon')) || run('npm', ['install', '--prefix', cache, MOCKOON, PRISM]))
    peers.push(mockoon(modules), prism(modules));
  const jar = join(cache, 'wiremock-standalone-3.13.1.jar');
  const copy = ['-q', 'dependency:copy', `-Dartifact=${WIREMOCK}`, `-DoutputDirectory=${cache}`];
  if (existsSync(jar) || run('mvn', copy)) peers.push(wiremock(jar));
  return peers;
}

function run(program: string, args: string[]): boolean {
  const { status, error } = spawnSync(program, args, { stdio: 'ignore' });
  if (status !== 0) process.stderr.write(`  left out: ${program} ${args.join(' ')}: ${error ?? status}\n`);
  return status === 0;
}

const ANSWER = JSON.stringify({ verificationUuid: '4b7b8f0e-6f43-4f3a-9d0c-0d2c2a6b7a10', result: 'VERIFIED' });
const CALLBACK = JSON.stringify({ callbackType: 'VERIFICATION_RESULT', data: JSON.parse(ANSWER) });
const JSON_HEADERS = [{ key: 'Content-Type', value: 'application/json' }];

const mockoon = (modules: string): Peer => ({
  name: 'Mockoon',
  prepare(folder, port) {
    const callback = { uuid: randomUUID(), id: 'vasp', name: 'vasp', documentation: '', method: 'post' };
    const inline = { bodyType: 'INLINE', databucketID: '', filePath: '', sendFileAsBody: false };
    const route = (method: string, endpoint: string, body: string, callbacks: object[]) => ({
      uuid: randomUUID(),
      type: 'http',
      documentation: '',
      method,
      endpoint,
      responseMode: null,
      streamingMode: null,
      streamingInterval: 0,
      responses: [
        {
          ...{ uuid: randomUUID(), latency: 0, statusCode: 200, label: '', headers: JSON_HEADERS, ...inline },
          ...{ rules: [], rulesOperator: 'OR', disableTemplating: false, fallbackTo404: false, default: true },
          ...{ crudKey: 'id', body, callbacks },
        },
      ],
    });
    const routes = [
      route('get', 'healthcheck', '{}', []),
      route('post', 'v1/verifications', ANSWER, [{ uuid: callback.uuid, latency: 0 }]),
    ];
    const environment = {
      ...{ uuid: randomUUID(), lastMigration: 33, name: 'peer', endpointPrefix: '', latency: 0, port },
      ...{ hostname: '127.0.0.1', folders: [], routes, proxyMode: false, proxyHost: '' },
      rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })),
      ...{ proxyRemovePrefix: false, cors: false, headers: [], proxyReqHeaders: [], proxyResHeaders: [] },
      tlsOptions: {
        enabled: false,
        type: 'CERT',
        ...{ pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
      },
      data: [],
      callbacks: [{ ...callback, uri: "{{body 'callbackUrl'}}", headers: JSON_HEADERS, ...inline, body: CALLBACK }],
    };
    const file = write(folder, 'environment.json', environment);
    const cli = join(modules, '@mockoon/cli/bin/run.js');
    return {
      program: process.execPath,
      args: [cli, 'start', '--data', file, '--port', `${port}`, '--disable-log-to-file'],
    };
  },
});

const prism = (modules: string): Peer => ({
  name: 'Prism',
  prepare(folder, port) {
    const json = (example: unknown) => ({ 'application/json': { schema: { type: 'object' }, example } });
    const ok = (example: unknown) => ({ 200: { description: 'OK', content: json(example) } });
    const file = write(folder, 'openapi.json', {
      openapi: '3.0.3',
      info: { title: 'peer', version: '1' },
      paths: {
        '/healthcheck': { get: { responses: ok({}) } },
        '/v1/verifications': {
          post: {
            requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
            responses: ok(JSON.parse(ANSWER)),
            callbacks: {
              vasp: {
                '{$request.body#/callbackUrl}': {
                  post: {
                    requestBody: { content: json(JSON.parse(CALLBACK)) },
                    responses: { 200: { description: 'OK' } },
                  },
                },
              },
            },
          },
        },
      },
    });
    const cli = join(modules, '@stoplight/prism-cli/dist/index.js');
    return { program: process.execPath, args: [cli, 'mock', '-h', '127.0.0.1', '-p', `${port}`, '-v', 'silent', file] };
  },
});

const wiremock = (jar: string): Peer => ({
  name: 'WireMock',
  prepare(folder, port) {
    mkdirSync(join(folder, 'mappings'));
    const answers = { status: 200, headers: { 'Content-Type': 'application/json' } };
    write(join(folder, 'mappings'), 'healthcheck.json', {
      request: { method: 'GET', urlPath: '/healthcheck' },
      response: { ...answers, body: '{}' },
    });
    write(join(folder, 'mappings'), 'verifications.json', {
      request: { method: 'POST', urlPath: '/v1/verifications' },
      response: { ...answers, body: ANSWER },
      serveEventListeners: [
        {
          name: 'webhook',
          parameters: {
            method: 'POST',
            url: "{{jsonPath originalRequest.body '$.callbackUrl'}}",
            headers: { 'Content-Type': 'application/json' },
            body: CALLBACK,
          },
        },
      ],
    });
    const flags = ['--bind-address', '127.0.0.1', '--root-dir', folder, '--no-request-journal'];
    return { program: 'java', args: ['-jar', jar, '--port', `${port}`, ...flags] };
  },
});

function write(folder: string, name: string, value: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}
