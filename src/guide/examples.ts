import type { Answers } from '../client/answers.ts';
import { callsOf, scriptOf } from '../client/scenario-script.ts';
import { REASONS, type Reason } from '../contract/reasons.ts';
import { CALLED, callbackBody } from '../http/openapi/vasp-bodies.ts';

/** What `message` holds, by its kind. */
const MESSAGES = {
  symbol: 'BTC',
  network: 'Tron',
  address: '0x392C0d694228d85D48eE977a9210D581AD7943C0',
  fields: 'NATURAL_PERSON_NATIONALITY',
  text: 'the cause, in words',
  none: '',
} as const;

/** A reason from both sides. `asBeneficiary` is undefined where the enclave decides. */
export function bodiesOf(reason: Reason): { asOriginator: object; asBeneficiary?: object } {
  const { result, message: kind } = REASONS[reason];
  const { callbackType, data } = callbackBody('VERIFICATION_RESULT') as { callbackType: string; data: Data };
  if (reason === 'OK')
    return { asOriginator: { callbackType, data }, asBeneficiary: CALLED.verifyUser.answer };
  const message = MESSAGES[kind];
  const { verificationUuid } = data;
  return {
    asOriginator: { callbackType, data: { verificationUuid, verificationResult: result, reason, message } },
    ...(result === 'ERROR' ? {} : { asBeneficiary: { result, reason, message } }),
  };
}
interface Data {
  verificationUuid: string;
}

/** Returns the answer of a GET of the own API. */
export type ReadApi = (request: Request) => Promise<Response>;

/**
 * The calls of a scenario for a shell, to the address that the reader uses. Undefined: the sandbox tells its scenarios only to
 * callers with a key.
 */
export async function scenarioScript(
  readApi: ReadApi,
  origin: string,
  id: string,
): Promise<string | undefined> {
  const answer = await readApi(new Request(`${origin}/sandbox/v1/scenarios`));
  if (!answer.ok) return undefined;
  const { scenarios } = (await answer.json()) as Answers['scenarios'];
  const found = scenarios.find(each => each.id === id);
  return found && scriptOf(callsOf(found, found.steps && !found.steps.ETH ? 'XRP' : 'ETH'), origin, false);
}
