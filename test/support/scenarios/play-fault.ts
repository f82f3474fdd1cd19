import type { Order } from '../../../src/client/calls.ts';
import type { Client } from '../../../src/client/client.ts';
import { pause } from '../../../src/timers/loop.ts';
import { notVerified, type Outcome } from './outcome.ts';

export const FAULT_APPLIED = { applied: true };
const NO_CALLBACKS = 'without a callback endpoint there is no callback to disturb';
/** A user who names a transaction of somebody else, and so is CONFIRMED without a payment. */
const CONFIRMS = 'transfer-misnamed';
const LOOK_EVERY_MS = 50;
const CHAIN_ID = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
/** Time within which the provider of an assessment answers. */
const ASSESSMENT_WAIT = '1m';

type Subject = Record<'user' | 'symbol', string>;
interface Call {
  path: string;
  body: unknown;
}
type VerifyCall = 'verify-user' | 'verify-account';

/** Orders the fault, makes the call that it is about, and reads whether it has applied. */
export async function playFault(api: Client, fault: Order<'addFault'>, subject: Subject): Promise<Outcome> {
  const { target, mode } = fault;
  const call = await callOf(api, fault, subject);
  if ('why' in call) return call;
  const { id } = await api.addFault(fault);
  const ended = new AbortController();
  try {
    if (mode === 'reorder') return await playReorder(api, call);
    // The answer may be broken, or never come: that is the fault.
    let isAnswered = false;
    void api
      .call('POST', call.path, call.body, ended.signal)
      .catch(() => {})
      .then(() => {
        isAnswered = true;
      });
    for (let isLastLook = false; !isLastLook; await pause(LOOK_EVERY_MS)) {
      isLastLook = isAnswered;
      if (isLastLook) await api.advance('0s');
      const left = (await api.faults()).faults.find(each => each.id === id);
      if (!left || left.used > 0) return { got: FAULT_APPLIED };
    }
    if (target === 'callback') return { why: NO_CALLBACKS };
    return { got: { applied: false } };
  } finally {
    ended.abort();
    await api.removeFault(id).catch(() => {});
    await api.advance('10s');
  }
}

/** The call that a fault of this target disturbs. */
async function callOf(
  api: Client,
  { target, mode }: Order<'addFault'>,
  subject: Subject,
): Promise<Call | { why: string }> {
  if (target === 'devnet') return { path: '/devnet/ethereum', body: CHAIN_ID };
  if (target === 'robot.transactionStatus')
    return inquiry(api, mode === 'outdated' ? { ...subject, user: CONFIRMS } : subject);
  const operation: VerifyCall = target === 'robot.verifyAccount' ? 'verify-account' : 'verify-user';
  return api.readyRequest(operation, subject);
}

/** The inquiry about a payment of the robot. */
async function inquiry(api: Client, subject: Subject): Promise<Call | { why: string }> {
  const request = await api.readyRequest('robot-verify-user', subject);
  const { body } = await api.call<{ verificationUuid: string }>('POST', request.path, request.body);
  const { verificationUuid } = body;
  await api.advance('0s');
  const { verifications } = await api.verifications({ search: verificationUuid });
  if (verifications[0]?.result !== 'VERIFIED') return { why: notVerified(verifications[0]) };
  return { path: '/v1/verifications/tx/inquiry', body: { verificationUuid } };
}

/** A second callback of the same verification overtakes the first one. */
async function playReorder(api: Client, { path, body }: Call): Promise<Outcome> {
  const answer = await api.call<{ verificationUuid: string }>('POST', path, body);
  const { verificationUuid } = answer.body;
  await api.advance('0s');
  await api.assessKyt({ verificationUuid });
  await api.advance(ASSESSMENT_WAIT);
  const { callbacks } = await api.callbacks({ verificationUuid });
  const [first, second] = callbacks.map(({ attempts }) => attempts[0]?.at);
  if (!first || !second) return { why: NO_CALLBACKS };
  return { got: { applied: second <= first } };
}
