import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { COMPONENTS } from '../../src/contract/ivms101-check/constraints.ts';
import { CUSTOMERS } from '../../src/reference-vasp/customers.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { type EventReader, readEvents } from '../support/http/event-reader.ts';
import { all, answers, asks } from '../support/plans/break-a-rule.ts';
import { ACCOUNT, USER } from '../support/plans/mutant.ts';
import { PATIENT } from '../support/plans/run-plan.ts';
import { robotVasp } from '../support/process/command-line.ts';
import { type Program, program } from '../support/process/program.ts';

/** Stands in every member of the standard that a message may hold, also where the standard has an object. */
const MARK = 'Zorblax';
const MEMBERS = [...new Set(Object.values(COMPONENTS).flatMap(Object.keys))];
const KEPT = ['originator', 'beneficiary', 'originatorPersons', 'beneficiaryPersons', 'accountNumber', 'naturalPerson'];
const marks = () =>
  Object.fromEntries(
    MEMBERS.filter(member => !KEPT.includes(member)).flatMap(member => [
      [member, `${MARK} of ${member}`],
      [member.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), [`${MARK}, a list`]],
      [member.toUpperCase(), { inside: `${MARK}, an object` }],
    ]),
  );
type Json = Record<string, unknown>;

/** Marks beside the data of the customers, so that nothing else changes. */
const marked = (body: Json): Json => {
  const payload = structuredClone(body.payload) as { ivms101: Json };
  payload.ivms101 = { ...payload.ivms101, ...marks(), other: marks(), text: JSON.stringify(marks()) };
  return { ...body, payload, comment: MARK };
};

/** Every value of a customer that a message or a sentence may show. */
const OF_CUSTOMERS = CUSTOMERS.flatMap(({ names, dateOfBirth, placeOfBirth }) => [
  ...JSON.stringify(names).matchAll(/:"([^"]+)"/g),
  [dateOfBirth, dateOfBirth],
  [placeOfBirth, placeOfBirth],
]).map(([, value]) => value!);
/** An instruction names users of the robot, who are nobody: one of them is called like a customer. */
const SECRETS = [MARK, ...OF_CUSTOMERS.filter(value => value !== 'Okafor')];

let sandbox: Program;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robot-vasp-persons-'));
  sandbox = await program({ ...PATIENT, LOG_LEVEL: 'debug' });
  await sandbox.start();
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** It looks its verifications up: their persons are JSON text inside of JSON. */
const looksUp: Boundary = {
  serving: next => async request => {
    if (new URL(request.url).pathname.endsWith('/callback'))
      await fetch(`${sandbox.url}/v1/verifications?rpp=100&toDate=&x=${MARK}`).catch(() => {});
    return next(request);
  },
};
const sound = all(looksUp, asks(USER, marked), asks(ACCOUNT, marked));
const wrong = all(
  sound,
  answers('/verify-user', body => ({ ...body, message: `${MARK} is known`, ivms101: marks(), reason: MARK })),
  answers('/verify-account', () => ({ accountVerificationResult: 'DENIED', reason: MARK, message: MARK })),
);
const FILES = ['report', 'junit', 'html', 'summary', 'certificate'];

describe.each([
  ['a VASP that sends more than the network knows', sound, []],
  ['a VASP whose answers are wrong', wrong, ['--module', 'W2,W3,W4.1,D1,D2,D3']],
])('%s', (_, boundary, only) => {
  test('no person stands in a report, the terminal, the log, the metrics or an event', async () => {
    await using events = closing(readEvents(client(sandbox.url)));
    const vasp = await joinSandbox({ url: sandbox.url, boundary });
    const paths = FILES.map(name => join(folder, name));
    const options = FILES.flatMap((name, position) => [`--${name}`, paths[position]!]);
    const ran = await robotVasp(
      ['check', '--unattended', '--symbol', 'ETH', '--wait', '3s', '--inquiry-wait', '3s', ...only, ...options],
      { ROBOT_VASP_URL: sandbox.url },
    );
    await vasp.stop();
    // 4: a machine that is too busy. The report has its exchanges all the same.
    expect([0, 1, 4]).toContain(ran.code);
    const [report = '', junit, html, summary, jws = ''] = await Promise.all(paths.map(path => readFile(path, 'utf8')));
    const modules = JSON.parse(report).modules as { exchanges: { request: string | null }[] }[];
    const requests = modules.flatMap(({ exchanges }) => exchanges.flatMap(({ request }) => request ?? []));
    expect(requests.some(request => request.includes('"primaryIdentifier":"***"'))).toBe(true);
    const texts = {
      ...{ report, junit, html, summary, stdout: ran.stdout, stderr: ran.stderr, log: sandbox.log() },
      certificate: Buffer.from(jws.split('.')[1]!, 'base64url').toString(),
      metrics: await (await fetch(`${sandbox.url}/metrics`)).text(),
      events: JSON.stringify(events.heard),
    };
    for (const [name, text] of Object.entries(texts)) {
      expect(text!.length, name).toBeGreaterThan(0);
      for (const secret of SECRETS) expect(linesWith(text!, secret), `${name}: ${secret}`).toEqual([]);
    }
  }, 300_000);
});

const closing = (reader: EventReader) => ({ ...reader, [Symbol.asyncDispose]: () => reader.cut().then(() => {}) });

const linesWith = (text: string, secret: string): string[] =>
  text.split('\n').flatMap(line => {
    const at = line.search(new RegExp(`(?<![\\p{L}\\p{N}-])${secret}(?![\\p{L}\\p{N}-])`, 'u'));
    return at < 0 ? [] : line.slice(Math.max(0, at - 100), at + 100);
  });
