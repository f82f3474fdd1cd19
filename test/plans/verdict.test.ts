import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { summary } from '../../src/cli/check/summary.ts';
import type { RunReport } from '../../src/contract/plans.ts';
import { junit } from '../../src/plans/report/junit.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { listening } from '../support/http/listening.ts';
import { CUSTOMERS } from '../support/plans/customer.ts';
import { planSandbox, registerVasp, runAgainst } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox());

const NOTHING_ACCEPTED = { failures: [], skipped: false };
const SKIPPED_ACCEPTED = { failures: [], skipped: true };

async function driverThat(answers: RequestListener): Promise<{ url: string }> {
  const { url, close } = await listening(createServer(answers));
  onTestFinished(close);
  return { url: `${url}/driver` };
}

const DRIVERS: Record<string, [RequestListener, RegExp]> = {
  'refuses the token': [(_, response) => void response.writeHead(401).end(), /refused the token \(401\)/],
  'is a page': [
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
    /answered 200 with text that is no JSON/,
  ],
  redirects: [
    (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/login' }).end(),
    /answered 302, a redirect to http:\/\/127\.0\.0\.1:1\/login/,
  ],
  'has another path': [
    (_, response) => void response.writeHead(404).end('{}'),
    /answered 404 to POST: it is no driver endpoint/,
  ],
  'never answers': [() => {}, /did not answer within 500 ms/],
  'ends the connection': [request => void request.socket.destroy(), /closed the connection without an answer/],
  'describes nonsense': [
    (_, response) => void response.end('{"actions": [], "customers": {"customers": [{"kind": "natural"}]}}'),
    /describes customers in a wrong shape/,
  ],
};

test.each(Object.entries(DRIVERS))(
  'a driver that %s: nothing is played',
  async (_, [answers, message]) => {
    const driver = await driverThat(answers);
    const report = await runAgainst(robot.api, { plan: 'risk', wait: '500ms', customers: CUSTOMERS, driver });
    expect(report.problem).toEqual({ of: 'DRIVER', message: expect.stringMatching(message) });
    expect([report.result, report.counts.failed, report.counts.notReceived]).toEqual(['NOT-JUDGED', 0, 0]);
    expect(report.modules.map(({ exchanges }) => exchanges.length)).toEqual(report.modules.map(() => 0));
    expect(junit(report)).toContain('<error type="NOT-JUDGED"');
  },
  20_000,
);

test('a dead driver', async () => {
  const driver = { url: 'http://127.0.0.1:9/driver' };
  const report = await runAgainst(robot.api, { plan: 'risk', wait: '300ms', driver });
  expect(report.problem?.message).toMatch(/:9\/driver could not be reached \(ECONNREFUSED\)\.$/);
});

test('a driver that does not speak TLS', async () => {
  const driver = { url: (await driverThat(() => {})).url.replace('http:', 'https:') };
  const report = await runAgainst(robot.api, { plan: 'risk', wait: '300ms', driver });
  expect(report.problem?.message).toMatch(/could not be reached \(\w+\): it does not speak TLS, write http:\/\/\.$/);
});

test('a driver that can do nothing: nothing was judged, with or without --allow-skipped', async () => {
  const driver = await driverThat((_, response) => void response.writeHead(501).end());
  const report = await runAgainst(robot.api, { plan: 'risk', customers: CUSTOMERS, driver });
  expect([report.result, report.problem]).toEqual(['NOT-JUDGED', undefined]);
  expect(report.plans).toEqual([{ plan: 'risk', result: 'NOT-JUDGED', skipped: report.modules.map(({ id }) => id) }]);
  for (const accepted of [NOTHING_ACCEPTED, SKIPPED_ACCEPTED]) {
    const { text, exitCode } = summary(report, accepted);
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^NOT-JUDGED: plan risk .*no condition was judged in risk/m);
  }
  expect(junit(report)).toMatch(/<skipped message="The driver.*<error type="NOT-JUDGED"/s);
});

test('a plan of several without a judged condition makes the run NOT-JUDGED, and --allow-skipped accepts it', async () => {
  const driver = await driverThat((request, response) => {
    if (request.method === 'GET') return void response.writeHead(404).end();
    const parts: Buffer[] = [];
    request.on('data', part => parts.push(part));
    request.on('end', async () => {
      const { action } = JSON.parse(Buffer.concat(parts).toString());
      response.writeHead(action === 'list-vasps' ? 202 : 501).end();
      if (action === 'list-vasps') await robot.api.vasps();
    });
  });
  const modules = ['W1', 'R1'];
  const report = await runAgainst(robot.api, { modules, customers: CUSTOMERS, driver });
  expect(report.plans.map(({ plan, result }) => [plan, result])).toEqual([
    ['withdrawal', 'PASSED'],
    ['risk', 'NOT-JUDGED'],
  ]);
  expect(report.result).toBe('NOT-JUDGED');
  const refused = summary(report, NOTHING_ACCEPTED);
  expect([refused.exitCode, refused.text]).toEqual([1, expect.stringContaining('--allow-skipped')]);
  const accepted = summary(report, SKIPPED_ACCEPTED);
  expect(accepted.exitCode).toBe(0);
  expect(accepted.text).toMatch(/^PASSED: plan complete.*1 of 2 modules SKIPPED/m);
  const expected = { failures: [{ condition: 'R1.asked', symbol: '*' as const }], skipped: false };
  expect(summary(report, expected).text).toContain('expected failure that was not judged: R1.asked');
});

test('the terminal says in one line by how much the sandbox itself was late', async () => {
  const report = await runAgainst(robot.api, { modules: ['W1'], customers: CUSTOMERS });
  const exchange = { ...report.modules[0]!.exchanges[0]!, stallMs: 99 };
  report.modules[0]!.exchanges = [exchange];
  expect(summary(report, NOTHING_ACCEPTED).text).not.toContain('itself');
  exchange.stallMs = 100;
  expect(summary(report, NOTHING_ACCEPTED).text).toMatch(
    /^Note: the sandbox itself was late during 1 call, at most by 100 ms, by which it extended their time limits\.$/m,
  );
});

test('who looks at a run often leaves out the exchanges of the other modules', async () => {
  const { api, vasp } = await registerVasp(robot, apiKey => joinSandbox({ url: robot.url, apiKey }));
  onTestFinished(vasp.stop);
  const { id, modules } = await runAgainst(api, { modules: ['S1', 'C1'] });
  const counts = modules.map(({ exchanges }) => exchanges.length);
  expect(counts[0]).toBeGreaterThan(0);
  const countsOf = async (exchangesOf: string) =>
    (await api.run(id, { exchangesOf })).modules.map(({ exchanges }) => exchanges.length);
  expect(await countsOf('')).toEqual(counts.map(() => 0));
  expect(await countsOf('0')).toEqual(counts.map((count, position) => (position === 0 ? count : 0)));
  expect(await countsOf([...counts.keys()].join())).toEqual(counts);
  await expect(countsOf('-1')).rejects.toMatchObject({ status: 400 });
});

test('modules about another symbol need no --allow-skipped', async () => {
  const report = await runAgainst(robot.api, { modules: ['W2.c'], symbols: ['ETH'] });
  expect(report.modules.map(({ result, applies }) => [result, applies])).toEqual([['SKIPPED', false]]);
  expect(report.result).toBe('NOT-JUDGED');
});

test('a VASP that is not there', async () => {
  const { vaspId } = robot.info.vasp;
  await robot.api.call('PATCH', `/sandbox/v1/vasps/${vaspId}`, {
    endpoints: { callback: 'http://127.0.0.1:9/callback' },
  });
  onTestFinished(async () => {
    await robot.api.call('PATCH', `/sandbox/v1/vasps/${vaspId}`, { endpoints: { callback: null } });
  });
  const report: RunReport = await runAgainst(robot.api, { plan: 'callbacks', wait: '300ms' });
  expect([report.result, report.problem]).toEqual([
    'NOT-JUDGED',
    { of: 'VASP', message: 'The VASP does not answer: nobody listens at http://127.0.0.1:9.' },
  ]);
});
