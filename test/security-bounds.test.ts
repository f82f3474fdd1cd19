import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The table of bounds in `.github/SECURITY.md` says what the code says. */

const ROOT = new URL('..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const rows = read('.github/SECURITY.md')
  .split('\n')
  .filter(line => line.startsWith('| '));

/** A row begins so and names the figure; the file in `src/` declares it. */
const BOUNDS: readonly (readonly [row: string, figure: string, file: string, declaration: string])[] = [
  ['sockets', '10,000', 'http/server.ts', 'MAX_CONNECTIONS = 10_000'],
  ['sockets', '256 of one address', 'http/server.ts', 'MAX_PER_ADDRESS = 256'],
  ['headers, a whole request', '15 s', 'http/server.ts', 'HEADERS_WITHIN_MS = 15_000'],
  ['headers, a whole request', '60 s', 'http/server.ts', 'REQUEST_WITHIN_MS = 60_000'],
  ['requests that wait on one connection', '8', 'http/listener.ts', 'MAX_PIPELINED = 8'],
  ['requests that wait on one connection', '200', 'http/listener.ts', 'MAX_UNANSWERED = 200'],
  ['answers that a caller has not read', '16 MiB', 'http/server.ts', 'MAX_PER_OWNER = 16 * 1024 * 1024'],
  ['answers that nobody has read', '128 MiB', 'http/server.ts', 'MAX_TOTAL = 128 * 1024 * 1024'],
  ['bodies that are received', '128 MiB', 'http/server.ts', 'MAX_TOTAL = 128 * 1024 * 1024'],
  ['a reader that takes nothing', '30 s', 'http/server.ts', 'UNREAD_MS = 30_000'],
  ['work', 'begin for 10 ms', 'http/server.ts', 'TURNS_MS = 10'],
  ['work', 'at most 64', 'http/server.ts', 'MAX_TURNS = 64'],
  ['work', 'up to 4 rounds', 'http/server.ts', 'MAX_ACCEPTING = 4'],
  ['refused calls that wait for their answers', '256', 'http/listener.ts', 'maxPerOwner: 256'],
  ['refused calls that wait for their answers', '2,000', 'http/listener.ts', 'maxHeld: 2_000'],
  ['unread frames of a WebSocket', '8 MiB', 'devnet/frames.ts', 'MAX_UNREAD_BYTES = 8 * 1024 * 1024'],
  ['unread frames of a WebSocket', '64 MiB', 'devnet/frames.ts', 'MAX_UNREAD_OF_ALL = 64 * 1024 * 1024'],
  ['frames of a WebSocket that wait', '64', 'devnet/frames.ts', 'frames: 64'],
  ['frames of a WebSocket that wait', '256 KiB', 'devnet/frames.ts', 'bytes: 256 * 1024'],
  ['pings and pongs', '20 per second', 'devnet/frames.ts', 'perSecond: 20'],
  ['a frame of a WebSocket', '256 KiB', 'devnet/access.ts', "'reading and sending': 256 * 1024"],
  ['a frame of a WebSocket', '1,000 fragments', 'devnet/frames.ts', 'maxFragments: 1_000'],
  ['a frame of a WebSocket', '8,192 reads', 'devnet/frames.ts', 'maxBufferedChunks: 8_192'],
  ['subscriptions and filters', '50 of each', 'devnet/ethereum/gateway.ts', 'MAX_PER_VASP = 50'],
  ['subscriptions and filters', '50 of each', 'devnet/ethereum/subscriptions.ts', 'MAX_SUBSCRIPTIONS = 50'],
  ['accounts that a WebSocket watches', '10,000', 'devnet/xrpl/rpc/server-info.ts', 'MAX_ACCOUNTS = 10_000'],
  ['a body', '256 KiB', 'http/body.ts', 'MAX_BODY_BYTES = 256 * 1024'],
  ['lists, levels of a body', '100 elements', 'contract/parse.ts', 'MAX_ELEMENTS = 100'],
  ['lists, levels of a body', '64 levels', 'contract/parse.ts', 'MAX_DEPTH = 64'],
  ['unknown members', '50', 'http/serve.ts', 'MAX_UNKNOWN = 50'],
  ['unknown members', '50', 'contract/ivms101-check/check.ts', 'MAX_UNKNOWN = 50'],
  ['calls of a batch at `/mcp`', '100', 'mcp/routes.ts', 'MAX_CALLS = 100'],
  ['calls of a batch at `/mcp`', '1 MiB', 'mcp/routes.ts', 'MAX_ANSWER_BYTES = 1024 * 1024'],
  ['calls of a batch at `/devnet/ethereum`', '1,000', 'devnet/ethereum/gateway.ts', 'MAX_CALLS = 1_000'],
  ['calls of a batch at `/devnet/ethereum`', '15 s', 'devnet/ethereum/gateway.ts', "'reading and sending': 15_000"],
  [
    'calls of a batch at `/devnet/ethereum`',
    '4 MiB',
    'devnet/ethereum/gateway.ts',
    "'reading and sending': 4 * 1024 * 1024",
  ],
  ['an answer of a VASP', '16 interim answers', 'kernel/http-exchange.ts', 'MAX_INTERIM_ANSWERS = 16'],
  [
    'what a server sends before its TLS handshake',
    '16 KiB',
    'kernel/http-exchange.ts',
    'MAX_HANDSHAKE_BYTES = 16 * 1024',
  ],
  ['TLS handshakes of calls', '30 s', 'vasps/port.ts', 'HANDSHAKE_WAIT_MS = 30_000'],
  ['TLS handshakes of calls', 'one at a time', 'vasps/call-guard.ts', 'limitPerKey(1)'],
  ['TLS handshakes of calls', '3,600 times', 'vasps/call-guard.ts', 'WAIT_OF_COSTLY = 3_600'],
  ['TLS handshakes of calls', 'at most 1 h', 'vasps/port.ts', 'MAX_HANDSHAKE_WAIT_MS = 3_600_000'],
  ['TLS handshakes of all', '30 ms', 'vasps/call-guard.ts', 'COSTLY_MS = 30'],
  ['TLS handshakes of all', 'twice', 'vasps/call-guard.ts', 'REST_OF_COSTLY = 2'],
  ['a form of the console', '1,000 fields', 'console/request.ts', 'MAX_FIELDS = 1_000'],
  ['a file that a command reads', '256 MiB', 'kernel/text-file.ts', 'MAX_FILE_MIB = 256'],
  ['messages of an agent', '4 MiB', 'cli/mcp-bridge.ts', 'MAX_LINE_MIB = 4'],
  ['messages of an agent', '100 without', 'cli/mcp-bridge.ts', 'MAX_PENDING = 100'],
  ['a timeline', '200 entries', 'sandbox/timeline/schema.ts', 'MAX_ENTRIES = 200'],
  ['different reports', '50', 'enclave/verification/reports.ts', 'MAX_REPORTS = 50'],
  ['findings about each VASP', '50', 'findings/store.ts', 'MAX_FINDINGS = 50'],
  ['attempts of a callback', '50', 'enclave/callbacks/store.ts', 'MAX_LATER = 50'],
  ['JSON on a page of the console', '2,000 values', 'console/components/json.tsx', 'IN_TREES = 2_000'],
  ['JSON on a page of the console', '200,000 characters', 'console/components/json.tsx', 'IN_ALL = 200_000'],
  ['a list', '512 KiB', 'kernel/page.ts', 'MAX_PAGE_BYTES = 524_288'],
  ['a page of `GET /v1/verifications`', '4 MB', 'enclave/verification/search-store.ts', 'MAX_BYTES = 4_000_000'],
  ['exchanges', '50,000', 'sandbox/exchanges/store.ts', 'MAX_KEPT = 50_000'],
  ['exchanges', '1 GiB', 'sandbox/exchanges/store.ts', 'MAX_BYTES = 1024 * 1024 * 1024'],
  [
    'exchanges of all that cannot be stored',
    '32 MiB',
    'sandbox/exchanges/store.ts',
    'MAX_WAITING_BYTES = 32 * 1024 * 1024',
  ],
  ['refused calls among them', '2,000 characters', 'http/refused-calls.ts', 'MAX_KEPT = 2_000'],
  ['runs of the tests', '30', 'plans/store.ts', 'MAX_RUNS = 30'],
  ['assessments', '10,000', 'enclave/risk/store.ts', 'MAX_KEPT = 10_000'],
  ['audit entries', '20,000', 'tenants/store.ts', 'MAX_PER_VASP = 20_000'],
  ['live signing secrets', '5', 'enclave/vasps/signing-store.ts', 'MAX_ACTIVE = 5'],
  ['sessions of the console', '100', 'console/callers.ts', 'MAX_PER_CALLER = 100'],
  ['users that a VASP adds', '1,000', 'robot/users/users.ts', 'MAX_ADDED_USERS = 1_000'],
];

test.each(BOUNDS)('%s: %s', (row, figure, file, declaration) => {
  const found = rows.find(line => line.startsWith(`| ${row}`));
  expect(found).toContain(figure);
  expect(read(`src/${file}`)).toContain(declaration);
});

/** They bound what the program makes by itself, or what no caller sends. */
const OF_THE_PROGRAM = ['http/kept-pages.ts MAX_PAGES'];

test('every most of what listens stands in the table', () => {
  const files = [
    ...readdirSync(new URL('src/http', ROOT)).map(name => `http/${name}`),
    'mcp/routes.ts',
    'devnet/frames.ts',
  ];
  const declared = files
    .filter(file => file.endsWith('.ts'))
    .flatMap(file => [...read(`src/${file}`).matchAll(/const (MAX\w*) =/g)].map(([, name]) => `${file} ${name}`));
  const known = BOUNDS.map(([, , file, declaration]) => `${file} ${declaration.split(/ [=]/)[0]}`);
  const objects = ['devnet/frames.ts MAX_PARTS', 'devnet/frames.ts MAX_WAITING'];
  expect(declared.filter(each => ![...known, ...objects, ...OF_THE_PROGRAM].includes(each))).toEqual([]);
});
