import type { Order } from '../../../src/client/calls.ts';
import type { Answers, Client } from '../../../src/client/client.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { type Entry, notVerified, type Outcome } from './outcome.ts';
import { playFault } from './play-fault.ts';

export type Scenario = Answers['scenarios']['scenarios'][number];
type Step = NonNullable<NonNullable<Scenario['steps']>[AssetSymbol]>[number];

const CALLBACK_WAIT = '10s';
const ASSESSMENT_WAIT = '1m';
const ASSESSMENTS: Record<string, { path: string; callback?: string }> = {
  'assess-sanction': { path: '/v1/risk-assessment/providerA-sanction' },
  'assess-kyt': { path: '/v1/risk-assessment/providerA-kyt', callback: 'PROVIDER_A_KYT_RESULT' },
  'assess-wco': { path: '/v1/risk-assessment/providerB-wco', callback: 'PROVIDER_B_WCO_RESULT' },
};

/** Does what the scenario describes, and reads what `expect` of the scenario is about. */
export async function play(api: Client, scenario: Scenario, symbol: AssetSymbol): Promise<Outcome> {
  const { id, operation, path, requests, steps, fault, expect } = scenario;
  if (fault) return playFault(api, fault as Order<'addFault'>, { user: scenario.user, symbol });
  if (!expect) return { why: 'the catalogue expects no certain outcome' };
  if (steps) return playSteps(api, scenario, symbol);
  if (operation in ASSESSMENTS) return { got: await assessed(api, scenario) };
  const body = requests?.[symbol];
  if (!path || !body) return { why: `${id} has no request in ${symbol}` };
  const answer = await api.call<{ verificationUuid?: string }>('POST', path, body);
  const uuid = answer.body.verificationUuid;
  if (operation !== 'verify-user' || uuid === undefined) return { got: answer.body };
  if (scenario.advance) await api.advance(scenario.advance);
  return { got: await callbackOf(api, uuid, 'VERIFICATION_RESULT') };
}

async function callbackOf(api: Client, verificationUuid: string, type: string): Promise<unknown> {
  const { callbacks } = await api.mailbox({ verificationUuid, type, wait: CALLBACK_WAIT });
  return callbacks.at(-1)?.data ?? `no callback ${type} within ${CALLBACK_WAIT}`;
}

/** The data of the providers fit the ETH accounts of the users. */
async function assessed(api: Client, { operation, user }: Scenario): Promise<unknown> {
  const { path, callback } = ASSESSMENTS[operation]!;
  const request = await api.readyRequest('verify-user', { user, symbol: 'ETH' });
  const { body } = await api.call<{ verificationUuid: string }>('POST', request.path, request.body);
  await callbackOf(api, body.verificationUuid, 'VERIFICATION_RESULT');
  const answer = await api.call('POST', path, body);
  if (answer.status !== 200 || !callback) return answer.body;
  await api.advance(ASSESSMENT_WAIT);
  const result = await callbackOf(api, body.verificationUuid, callback);
  return typeof result === 'object' && result !== null && 'riskAssessment' in result ? result.riskAssessment : result;
}

async function playSteps(
  api: Client,
  { id, operation, steps, afterwards }: Scenario,
  symbol: AssetSymbol,
): Promise<Outcome> {
  const own = steps?.[symbol];
  if (!own) return { why: `${id} is not possible in ${symbol}` };
  const answers: unknown[] = [];
  try {
    for (const step of own) answers.push(await call(api, step, answers));
  } finally {
    for (const step of afterwards?.[symbol] ?? []) await call(api, step, answers);
  }
  const { verifications } = answers.at(-1) as { verifications?: Entry[] };
  const entry = verifications?.[0];
  if (verifications && operation === 'transfer' && !entry?.money) return { why: notVerified(entry) };
  return { got: entry ?? answers.at(-1) };
}

const call = async (api: Client, { method, path, body }: Step, answers: readonly unknown[]) =>
  (await api.call(method, filled(path, answers), body && JSON.parse(filled(JSON.stringify(body), answers)))).body;

/** `{name}` stands for the member `name` of the latest answer that has it. */
const filled = (text: string, answers: readonly unknown[]): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const found = answers.map(answer => new RegExp(`"${name}":"([^"]*)"`).exec(JSON.stringify(answer) ?? '')?.[1]);
    return found.findLast(value => value !== undefined) ?? whole;
  });
