import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/client/calls.ts';
import { endpointsAt } from '../../src/contract/vasp-api.ts';
import { SAMPLE_UUID } from '../../src/sandbox/probes.ts';
import { type Behave, json, raw } from '../support/vasp/peer.ts';
import { selfSignedServer, WANTS_CLIENT_CERTIFICATE } from '../support/vasp/self-signed-server.ts';
import {
  accountDenied,
  type Check,
  checkedWorld,
  denied,
  right,
  TOKEN,
  verified,
} from '../support/world/checked-world.ts';
import { forFile } from '../support/world/for-file.ts';

const vasp = checkedWorld();
/** For what comes late. */
const hasty = checkedWorld(2_000, 250);
const tls = await forFile(selfSignedServer());
const strict = await forFile(selfSignedServer(WANTS_CLIENT_CERTIFICATE));

const STATUSES: [number, RegExp, RegExp][] = [
  [201, /status 201 instead of 200/, /exactly 200/],
  [302, /status 302/, /Redirects are not followed/],
  [400, /status 400/, /do not know/],
  [404, /status 404/, /Compare the path/],
  [405, /status 405/, /POST/],
  [415, /status 415/, /application\/json/],
  [500, /status 500/, /its log says why/],
  [503, /status 503/, /its log says why/],
];
describe.each(STATUSES)('status %i', (status, problem, hint) => {
  test.each<Check['endpoint']>(['verifyUser', 'verifyAccount', 'callback'])('of %s', async endpoint => {
    vasp.peer.behave(json({ result: true }, status));
    const checked = await vasp.checkOne(endpoint);
    expect(checked).toMatchObject({ ok: false, status, response: '{"result":true}' });
    expect(checked.problem).toMatch(problem);
    expect(checked.hint).toMatch(hint);
  });
});

interface Wrong {
  what: string;
  endpoint: Check['endpoint'];
  behave: Behave;
  problem: RegExp;
  hint: RegExp;
}
const WRONG: Wrong[] = [
  { what: 'not JSON', endpoint: 'verifyUser', behave: raw('<html>'), problem: /not JSON/, hint: /API document/ },
  { what: 'an array', endpoint: 'verifyUser', behave: json([]), problem: /a JSON object/, hint: /API document/ },
  {
    what: 'a missing member',
    endpoint: 'verifyUser',
    behave: json({ ...denied, version: undefined }),
    problem: /`version` is required/,
    hint: /API document/,
  },
  {
    what: 'an unknown result',
    endpoint: 'verifyUser',
    behave: json({ ...denied, result: 'YES' }),
    problem: /`result` should be one of `VERIFIED`, `DENIED`/,
    hint: /API document/,
  },
  {
    what: 'VERIFIED without the account number',
    endpoint: 'verifyUser',
    behave: json({ ...verified, ivms101: undefined }),
    problem: /`ivms101.beneficiary.accountNumber` is required when the result is VERIFIED/,
    hint: /API document/,
  },
  {
    what: 'another account number',
    endpoint: 'verifyUser',
    behave: json({ ...verified, ivms101: { beneficiary: { accountNumber: ['0xdead'] } } }),
    problem: /`ivms101.beneficiary.accountNumber` came back changed/,
    hint: /BENEFICIARY-ACCOUNT-NOT-MATCHED/,
  },
  {
    what: 'DENIED without a reason',
    endpoint: 'verifyAccount',
    behave: json({ ...accountDenied, reason: undefined }),
    problem: /`reason` should be a reason of DENIED/,
    hint: /API document/,
  },
  {
    what: 'another verification',
    endpoint: 'transactionStatus',
    behave: json({ verificationUuid: 'another', transactionStatus: 'PENDING' }),
    problem: /`verificationUuid` came back changed/,
    hint: /verificationUuid of the request/,
  },
  {
    what: 'an unknown status',
    endpoint: 'transactionStatus',
    behave: json({ verificationUuid: SAMPLE_UUID, transactionStatus: 'DONE' }),
    problem: /`transactionStatus` should be one of `PENDING`/,
    hint: /API document/,
  },
  {
    what: 'refuses the made-up verification',
    endpoint: 'transactionStatus',
    behave: json({ error: 'unknown' }, 404),
    problem: /status 404/,
    hint: /made up, so your VASP may be right. Make a withdrawal test/,
  },
  {
    what: 'a connection that breaks',
    endpoint: 'callback',
    behave: response => response.destroy(),
    problem: /gave no HTTP answer/,
    hint: /https:\/\//,
  },
  {
    what: 'an answer without end',
    endpoint: 'verifyAccount',
    behave: raw('x'.repeat(300_000)),
    problem: /longer than 256 KiB/,
    hint: /only/,
  },
  {
    what: 'an answer in UTF-16',
    endpoint: 'verifyAccount',
    behave: raw(Buffer.from(JSON.stringify(accountDenied), 'utf16le')),
    problem: /^The answer of the VASP is UTF-16 and should be UTF-8\.$/,
    hint: /JSON is UTF-8/,
  },
  {
    what: 'a coding that we do not read',
    endpoint: 'verifyUser',
    behave: response => response.writeHead(200, { 'content-encoding': 'zstd' }).end('{}'),
    problem: /content coding zstd/,
    hint: /without compression/,
  },
];
test.each(WRONG)('$endpoint: $what', async ({ endpoint, behave, problem, hint }) => {
  vasp.peer.behave(behave);
  const checked = await vasp.checkOne(endpoint);
  expect(checked.ok).toBe(false);
  expect(checked.problem).toMatch(problem);
  expect(checked.hint).toMatch(hint);
});

describe('what comes late', () => {
  const checkHasty = async (endpoint: Check['endpoint'], behave: Behave): Promise<Check> => {
    hasty.peer.behave(behave);
    return hasty.checkOne(endpoint);
  };

  test('is a problem that names the limit of the call', async () => {
    const checked = await checkHasty('verifyUser', () => {});
    expect(checked).toMatchObject({ ok: false, status: null, response: null });
    expect(checked.problem).toMatch(/within 250ms, the limit of this call/);
    expect(checked.hint).toMatch(/Answer faster.*firewall/);
  });

  test('after more than half of its time is ok, with a warning', async () => {
    const slow: Behave = (response, asked) => void setTimeout(() => right(response, asked), 1_050);
    expect(await checkHasty('callback', slow)).toMatchObject({
      ok: true,
      hint: expect.stringMatching(/^The answer took \d+ ms of 2s/),
    });
  });
});

describe('addresses that lead nowhere', () => {
  const port = () => new URL(vasp.peer.url).port;
  test.each<[string, () => string | undefined, RegExp, RegExp]>([
    ['none', () => undefined, /This endpoint is not configured/, /full address/],
    ['refused', () => 'http://127.0.0.1:1/x', /127\.0\.0\.1:1 was refused/, /host\.docker\.internal/],
    ['unknown host', () => 'http://vasp.invalid/x', /host name vasp\.invalid is unknown/, /spelling/],
    ['TLS where none is', () => `https://127.0.0.1:${port()}/x`, /does not speak TLS/, /Use http:/],
    [
      'TLS with a client certificate',
      () => `https://127.0.0.1:${strict.port}/x`,
      /refused the TLS handshake/,
      /client/,
    ],
    ['untrusted TLS', () => `https://127.0.0.1:${tls.port}/x`, /certificate of .* is not trusted/, /CA/],
    ['no TLS where it is', () => `http://127.0.0.1:${tls.port}/x`, /gave no HTTP answer/, /use https/],
  ])('%s', async (_, url, problem, hint) => {
    vasp.peer.behave(right);
    const verifyUser = url();
    await vasp.is({ endpoints: { ...endpointsAt(vasp.peer.url), verifyUser } });
    const [checked, other] = await vasp.check('verifyUser', 'callback');
    expect(checked).toMatchObject({ ok: false, url: verifyUser ?? null, status: null, response: null });
    expect(checked!.problem).toMatch(problem);
    expect(checked!.hint).toMatch(hint);
    expect(other!.ok).toBe(true);
  });
});

describe('401 says which header was sent, never the token', () => {
  test.each<[string, Order<'registerVasp'>['authorization'], RegExp]>([
    ['Bearer', { header: 'Authorization', token: TOKEN }, /`Authorization: Bearer <your token>` was sent/],
    ['its own header', { header: 'X-Api-Key', token: TOKEN }, /`X-Api-Key: <your token>` was sent/],
    ['none', { header: 'X-Api-Key' }, /No authorization header was sent/],
  ])('%s', async (_, authorization, problem) => {
    vasp.peer.behave(json({ error: 'unauthorized' }, 401));
    await vasp.is({ authorization });
    const checks = await vasp.check();
    for (const each of checks) expect(each.problem).toMatch(problem);
    expect(JSON.stringify(checks)).not.toContain(TOKEN);
  });
});
