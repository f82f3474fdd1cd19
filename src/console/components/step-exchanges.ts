import type { SandboxAnswers } from '../../client/answers.ts';
import type { Client } from '../../client/client.ts';

export type StepExchange = SandboxAnswers['exchanges']['exchanges'][number];

/** The newest exchange of an operation. Undefined: there is none yet. */
export type ExchangeOf = (operation: string) => StepExchange | undefined;

const MOST = 50;

/** The exchanges of a guided test, for its steps. */
export async function exchangesOfTest(
  api: Client,
  verificationUuid: string | undefined,
): Promise<ExchangeOf> {
  if (verificationUuid === undefined) return () => undefined;
  const { exchanges } = await api.exchanges({ verificationUuid, limit: MOST });
  return operation => exchanges.find(each => each.operation === operation && !each.isCheck);
}
