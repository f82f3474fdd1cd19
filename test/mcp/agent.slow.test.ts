import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { countTokens } from 'gpt-tokenizer';
import { expect, onTestFinished, test } from 'vitest';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { call, overHttp } from '../support/mcp/agent.ts';
import { all, answers, asks, status } from '../support/plans/break-a-rule.ts';
import { PATIENT, planSandbox } from '../support/plans/run-plan.ts';

type Json = Record<string, unknown>;

/** What the VASP does wrong, and the words by which somebody recognises it. */
const MISTAKES: readonly { symptom: RegExp; broken: Boundary }[] = [
  { symptom: /\b201\b/, broken: status('/callback', 201) },
  {
    symptom: /UNKNOWN-NETWORK/,
    broken: asks('/v1/verifications', body => {
      const asset = body.assetInfo as Json;
      return asset.symbol === 'XRP' ? { ...body, assetInfo: { ...asset, network: 'XRP' } } : body;
    }),
  },
  {
    symptom: /NOT-ALLOWED/,
    broken: answers('/verify-user', (answer, { assetInfo }) =>
      (assetInfo as Json).symbol === 'ETH' ? { ...answer, result: 'DENIED', reason: 'NOT-ALLOWED' } : answer,
    ),
  },
];

const MAX_TOKENS = 60_000;
const MAX_ROUNDS = 10;
/** First what most of the plan rests on, then the whole plan. */
const FIRST = ['W1', 'W3.a', 'W4.1', 'D3', 'C1'];

/** Knows the list of tools and nothing else. */
async function scriptedAgent(agent: Client) {
  const { tools } = await agent.listTools();
  let tokens = countTokens(JSON.stringify(tools));
  const toolFor = (words: RegExp) => tools.find(({ description }) => words.test(description ?? ''))!.name;
  return {
    tokens: () => tokens,
    // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
    async ask(words: RegExp, args: Json = {}): Promise<any> {
      const { text, isError } = await call(agent, toolFor(words), args);
      tokens += countTokens(text);
      return isError ? text : JSON.parse(text);
    },
  };
}

test(`a scripted agent brings a broken VASP to PASSED in ETH and XRP with at most ${MAX_TOKENS} tokens`, async () => {
  const robot = await planSandbox(PATIENT);
  onTestFinished(() => robot.close());
  let left = [...MISTAKES];
  const broken =
    (part: 'serving' | 'asking'): NonNullable<Boundary['serving']> =>
    next =>
    request =>
      (all(...left.map(mistake => mistake.broken))[part]?.(next) ?? next)(request);
  const vasp = await joinSandbox({
    url: robot.url,
    boundary: { serving: broken('serving'), asking: broken('asking') },
  });
  onTestFinished(() => vasp.stop());

  const { ask, tokens } = await scriptedAgent(await overHttp(robot.url));
  const { vasp: own } = await ask(/Start here/);
  await ask(/Call the endpoints/, { vaspId: own.vaspId });
  let run: Json = {};
  let modules: string[] | undefined = FIRST;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { id } = await ask(/^Start a test run/, { plan: 'complete', modules, unattended: true, wait: '5s' });
    do run = await ask(/read its verdict/, { id, wait: '50s' });
    while (run.endedAt === null);
    if (run.result === 'PASSED' && modules === undefined) break;
    const failures = run.failures as { module: string; verificationUuid: string | null; exchange: string | null }[];
    const [failure] = failures;
    modules = failure && [...new Set(failures.map(({ module }) => module))];
    if (!failure) continue;
    const seen = [JSON.stringify(failures)];
    if (failure.verificationUuid) seen.push(JSON.stringify(await ask(/^Explain/, { uuid: failure.verificationUuid })));
    if (failure.exchange) seen.push(JSON.stringify(await ask(/^Read one HTTP exchange/, { id: failure.exchange })));
    left = left.filter(({ symptom }) => !seen.some(text => symptom.test(text)));
  }
  expect(left).toEqual([]);
  expect(run).toMatchObject({ result: 'PASSED', failures: [] });
  expect(tokens()).toBeLessThanOrEqual(MAX_TOKENS);
}, 300_000);
