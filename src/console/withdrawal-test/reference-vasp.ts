import type { SandboxAnswers } from '../../client/answers.ts';
import type { Client } from '../../client/client.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { pause } from '../../timers/loop.ts';

type Verification = SandboxAnswers['verifications']['verifications'][number];

const WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** The reference VASP verifies, pays and reports. Answers the uuid of its verification. Undefined: the account verification was denied. */
export async function letOursWithdraw(
  api: Client,
  { symbol, user, amount }: { symbol: AssetSymbol; user: string; amount: string },
): Promise<string | undefined> {
  const before = new Set(
    (await ofAmount(api, symbol, amount)).map(({ verificationUuid }) => verificationUuid),
  );
  await api.letReferenceVaspAct({ action: 'withdraw', symbol, user, amount });
  for (const end = elapsedMs() + WITHIN_MS; elapsedMs() < end; await pause(LOOK_AGAIN_MS)) {
    const [row] = (await ofAmount(api, symbol, amount)).filter(each => !before.has(each.verificationUuid));
    if (row && (await isOver(api, row))) return row.verificationUuid;
  }
  return undefined;
}

/** Credited, or not verified. */
async function isOver(api: Client, { result, verificationUuid }: Verification): Promise<boolean> {
  if (result !== 'VERIFIED') return result !== null;
  const { deposits } = await api.deposits();
  return deposits.some(each => each.verificationUuid === verificationUuid && each.status === 'CREDITED');
}

const ofAmount = async (api: Client, symbol: AssetSymbol, amount: string) =>
  (await api.verifications({ limit: 50 })).verifications.filter(
    each => each.symbol === symbol && each.amount === amount,
  );
