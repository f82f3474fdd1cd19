import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { REASON_CODES } from '../../src/contract/clauses.ts';
import { NOT_PROVOKED, REPORT_VERDICT_VALUES } from '../../src/contract/plan-list.ts';
import { TRANSACTORS } from '../../src/devnet/xrpl/transactors/registry.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

interface Scenario {
  id: string;
  operation: string;
  path?: string;
  requests?: Record<string, object>;
  advance?: string;
  expect?: object;
  steps?: Record<string, Step[]>;
  afterwards?: Record<string, Step[]>;
}

const world = await forFile(createWorld());
const { scenarios } = await call<{ scenarios: Scenario[] }>('GET', '/sandbox/v1/scenarios');

async function call<T = never>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(world.url + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  return answer.json() as Promise<T>;
}

interface Step {
  method: string;
  path: string;
  body?: object;
}

/** Every `{name}` is the member of that name in the latest answer that has it. */
async function play(steps: readonly Step[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const found = answers.map(answer => new RegExp(`"${name}":"([^"]*)"`).exec(JSON.stringify(answer))?.[1]);
      return found.findLast(value => value !== undefined)!;
    });
  for (const { method, path, body } of steps)
    answers.push(await call(method, filled(path), body && JSON.parse(filled(JSON.stringify(body)))));
  return answers;
}

const named = (operation: string) => scenarios.filter(scenario => scenario.operation === operation);

test('the catalogue names the transaction types that the embedded XRP Ledger offers', async () => {
  const { transactionTypes } = await call<{ transactionTypes: object }>('GET', '/sandbox/v1/scenarios');
  expect(transactionTypes).toEqual({ XRP: Object.keys(TRANSACTORS) });
});

test('PROD-4: every reason of REF-2.3 stands in the catalogue, and every behaviour', () => {
  expect(named('verify-user').map(({ id }) => id)).toEqual(REASON_CODES.map(code => `verify-user: ${code}`));
  expect(named('verify-account')).toHaveLength(6);
  const behaviours = scenarios.filter(({ id }) => id.startsWith('behaviour: ')).map(({ id }) => id);
  expect(behaviours).toEqual(
    expect.arrayContaining([
      'behaviour: never-answers',
      'behaviour: answers-late',
      'behaviour: transfer-pending',
      'behaviour: transfer-canceled',
      'behaviour: sanctioned-address',
    ]),
  );
  for (const operation of ['assess-sanction', 'assess-kyt', 'assess-wco'])
    expect(named(operation).length).toBeGreaterThan(0);
});

describe.each(ASSET_SYMBOLS)('PROD-4: what the catalogue promises is what happens, %s', symbol => {
  test('user verifications', async () => {
    for (const { id, path, requests, advance, expect: promised } of named('verify-user')) {
      const { verificationUuid } = (await call('POST', path!, requests![symbol])) as { verificationUuid: string };
      await world.advance(advance ?? '0s');
      const callback = await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
      expect(callback, id).toMatchObject(promised!);
    }
  });

  test('D-24: every verdict on a report', async () => {
    const reports = named('report-transaction');
    const provoked = REPORT_VERDICT_VALUES.filter(code => !(NOT_PROVOKED as readonly string[]).includes(code));
    expect(reports.map(({ id }) => id)).toEqual(provoked.map(code => `report: ${code}`));
    for (const { id, steps, afterwards, expect: promised } of reports) {
      if (!steps?.[symbol]) continue;
      const answers = await play(steps[symbol]);
      expect((answers.at(-1) as { verifications: object[] }).verifications[0], id).toMatchObject(promised!);
      await play(afterwards?.[symbol] ?? []);
    }
  });

  test('behaviours', async () => {
    for (const { id, steps, expect: promised } of scenarios.filter(({ id }) => id.startsWith('behaviour: '))) {
      const last = (await play(steps![symbol]!)).at(-1) as { verifications?: object[] };
      expect(last.verifications?.[0] ?? last, id).toMatchObject(promised!);
    }
  });

  test('account verifications', async () => {
    for (const { id, path, requests, expect: promised } of named('verify-account'))
      expect(await call('POST', path!, requests![symbol]), id).toMatchObject(promised!);
  });
});
