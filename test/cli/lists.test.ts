import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOf } from '../support/process/command-line.ts';
import { objectsIn, operating } from '../support/process/operating.ts';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { createProgramWorld, type ProgramWorld } from '../support/world/program-world.ts';

let world: ProgramWorld;
let uuid: string;
beforeAll(async () => {
  world = await createProgramWorld();
  ({ uuid } = await verified(world));
});
afterAll(() => world.close());

const { ran, answer, entries, refusal } = operating(() => world.url);

test('why: what happened and what to do, in at most 30 lines', async () => {
  const { code, stdout } = await ran('why', uuid);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^You want to send \S+ ETH to /);
  expect(stdout).toContain('\nWhat to do:\n  Send the payment, then report its hash.\n');
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  expect(await answer('why', uuid)).toEqual(await world.api.why(uuid));
});

test('why of an unknown verification: exit code 4, and where to find those that are known', async () => {
  const { code, failure } = await refusal('why', 'unknown');
  expect(code).toBe(4);
  expect(failure).toMatchObject({
    code: 'VERIFICATION-NOT-FOUND',
    message: 'Verification(unknown) is not found: it is no UUID. `robot-vasp verifications` lists those of your VASP',
  });
  expect((await refusal('why', ' ')).code).toBe(2);
});

test('verifications, callbacks and exchanges take the filters of the API', async () => {
  const found = await ran('verifications', '--search', uuid);
  expect(found.stdout).toMatch(new RegExp(`^\\S+Z {2}${uuid} {2}you pay {2}\\S+ ETH {2}VERIFIED {2}AWAITED\n$`));
  for (const result of ['DENIED', 'denied'])
    expect((await ran('verifications', '--result', result)).stdout).toBe('none\n');
  expect((await ran('callbacks', '--verification', uuid)).stdout).toMatch(
    new RegExp(`^\\d+ {2}\\S+Z {2}VERIFICATION_RESULT {2}${uuid} {2}DELIVERED {2}1 × 200\n$`),
  );
  const exchange = await answer('exchanges', '--verification', uuid, '--direction', 'OUT');
  expect(exchange).toMatchObject({ operation: 'callback', direction: 'OUT' });
});

test('the next page is named', async () => {
  const { uuid: newer } = await verified(world);
  const first = await ran('verifications', '--limit', '1');
  expect(first.stdout).toContain(newer);
  const [, before] = /There are more: add --before (\d+)/.exec(first.stdout)!;
  expect((await ran('verifications', '--limit', '1', '--before', before!)).stdout).toContain(uuid);
});

test('--json prints each entry of a list on a line of its own, and says apart from them that there are more', async () => {
  const { verifications: newest } = await world.api.verifications({ limit: 2 });
  expect(newest).toHaveLength(2);
  expect(await entries('verifications', '--limit', '999')).toEqual((await world.api.verifications({})).verifications);
  const { stdout, stderr } = await ran('verifications', '--limit', '1', '--json');
  expect(objectsIn(stdout)).toEqual(newest.slice(0, 1));
  expect(objectsIn(stderr)).toEqual([
    { code: 'MORE', message: expect.stringMatching(/^There are more: add --before \d+$/) },
  ]);
  expect(await entries('verifications', '--result', 'DENIED')).toEqual([]);
  expect(await entries('callbacks', '--verification', uuid)).toMatchObject([{ verificationUuid: uuid }]);
});

test('a wrong filter is refused by the API, which names it', async () => {
  const { code, failure } = await refusal('verifications', '--before', 'done');
  expect(code).toBe(4);
  expect(failure.message).toContain('before');
});

test('faults lists what is ordered, and the chain controls that are on', async () => {
  expect((await ran('faults')).stdout).toBe('none\n');
  await world.api.setControl('XRP', 'load-factor', { factor: 10 });
  expect((await ran('faults')).stdout).toBe('control  XRP load-factor 10\n');
  await world.api.setControl('XRP', 'load-factor', { factor: 1 });
  const { id } = await world.api.addFault({ target: 'answer', mode: 'drop', times: 2 });
  expect((await ran('faults')).stdout).toMatch(new RegExp(`^${id} {2}answer {2}drop {2}used 0, left 2 {2}`));
  await world.api.removeFaults();
});

test('deposit: each step with its outcome; a VASP that does not answer ends it with exit code 1', async () => {
  const { code, stdout } = await ran('deposit', '--amount', '0.25', '--symbol', 'ETH');
  expect([code, stdout.match(/^(done|failed) +\w+/gm)]).toEqual([
    0,
    ['done    VERIFY', 'done    FUND', 'done    PAY', 'done    REPORT'],
  ]);
  expect((await ran('deposit', '--symbol', 'BTC')).code).toBe(2);
  expect((await refusal('deposit', '--to', 'nowhere')).failure).toMatchObject({ code: 'UNKNOWN-ADDRESS' });
});

test('D-51: control characters of a VASP are visible in a terminal, and begin no line', async () => {
  const escapes = '\u001b]0;owned\u0007\u001b[31mred\u001b[2J\r\nVERIFIED \u202e\u009b1m';
  const { uuid: strange } = await verified(world);
  await world.api.reportError(strange, 'ERROR', `USER ${escapes}`, `said ${escapes}`);
  const told = ['tail', '--verification', strange, '--after', '0', '--kind', 'verification', '--count', '3'];
  for (const argv of [told, ['verifications', '--search', strange], ['why', strange]]) {
    const { code, stdout, stderr } = await ran(...argv);
    expect([code, linesOf(stderr)]).toEqual([0, []]);
    expect(stdout).toContain('⟨U+001B⟩]0;owned⟨U+0007⟩⟨U+001B⟩[31mred');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^VERIFIED/m);
  }
});

test('why: the command that does the next step, and none in the data', async () => {
  await world.api.addFault({ target: 'callback', mode: 'drop', times: 1 });
  const { verificationUuid } = await world.api.verifyUser(verificationOf(world));
  await until(async () => (await world.api.callbacks({ verificationUuid })).callbacks[0]?.status === 'LOST');
  const [lost] = (await world.api.callbacks({ verificationUuid })).callbacks;
  const { stdout } = await ran('why', verificationUuid);
  expect(stdout).toContain(`\n  Send the callback that a fault lost. \`robot-vasp replay ${lost!.id}\`\n`);
  const { next } = await world.api.why(verificationUuid);
  expect(next.join()).not.toContain('robot-vasp');
});
