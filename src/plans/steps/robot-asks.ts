import * as z from 'zod';
import { REASONS } from '../../contract/reasons.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { VaspVerifyAccountAnswer, VaspVerifyUserAnswer } from '../../contract/vasp-api.ts';
import type { ModuleContext } from '../context.ts';
import type { LoggedExchange } from '../evidence.ts';
import { noAddress, pair, requireInTime } from './answers.ts';
import { type DepositRequest, depositRequest } from './deposit-requests.ts';

/** Only the members: whether result and reason belong together is a condition of its own. */
export const UserAnswerShape = z.looseObject(VaspVerifyUserAnswer.shape);
export const AccountAnswerShape = z.looseObject(VaspVerifyAccountAnswer.shape);
export type UserAnswer = z.output<typeof UserAnswerShape>;

export interface Asked {
  uuid: string;
  request: VerifyUserRequest;
  /** Undefined: the VASP has no address, so nothing was sent. */
  exchange: LoggedExchange | undefined;
}

/** The robot opens a user verification with the tested VASP. Resolves when the call has ended. */
export async function robotVerifies(ctx: ModuleContext, request: VerifyUserRequest): Promise<Asked> {
  requireInTime(ctx, 'verifyUser');
  const { verificationUuid: uuid } = await ctx.api.robotVerifyUser(request);
  const isAsked = ctx.world.target.url('verifyUser') !== undefined;
  const exchange = isAsked ? await ctx.untilSandbox(() => ctx.evidence.sent('verifyUser', uuid)[0]) : undefined;
  await ctx.untilSandbox(async () => (await ctx.api.verification(uuid)).result);
  return { uuid, request, exchange };
}

/** A VERIFIED deposit; otherwise `word` fails, and the module ends. Skips the module where nobody can be asked. */
export async function verifiedDeposit<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  order: DepositRequest,
): Promise<Asked> {
  if (ctx.world.target.url('verifyUser') === undefined) return ctx.skip(noAddress('verifyUser'));
  const asked = await robotVerifies(ctx, depositRequest(ctx, order));
  const { result, reason } = await ctx.api.verification(asked.uuid);
  if (result === 'VERIFIED') return asked;
  const got = pair(result ?? 'no result', reason);
  ctx.check(word, false, {
    expected: 'the user verification before it is VERIFIED',
    got,
    from: asked.exchange ? [asked.exchange] : [],
    cause: {
      address: 'verifyUser',
      kind: `not-verified ${got}`,
      title: `A user verification that should be VERIFIED is ${got}`,
    },
  });
  return ctx.stop();
}

/** REF-2.3: does the reason belong to the result? */
export function belongs(result: string, reason: string | undefined): boolean {
  if (result === 'VERIFIED') return (reason ?? 'OK') === 'OK';
  const row = REASONS[reason as keyof typeof REASONS];
  if (row === undefined || reason === 'OK') return false;
  return result === 'UNKNOWN' ? reason === 'UNKNOWN-ADDRESS' : row.result === result || result === 'ERROR';
}
