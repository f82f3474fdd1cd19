import { nodeHash } from '../../contract/assets.ts';
import type { VaspOperation } from '../../contract/vasp-api.ts';
import { toIso } from '../../kernel/clock.ts';
import type { ModuleContext } from '../context.ts';
import type { LoggedExchange } from '../evidence.ts';
import { requireInTime } from './answers.ts';

/** Calls of the run itself, past the enclave. */

interface RawOptions {
  /** Default: the right one. Null: none. */
  token?: string | null;
  verificationUuid?: string;
}

/** Undefined: the VASP has no address for it. */
export async function call(
  ctx: ModuleContext,
  operation: VaspOperation,
  body: object | string,
  options: RawOptions = {},
): Promise<LoggedExchange | undefined> {
  if (ctx.world.target.url(operation) === undefined) return undefined;
  requireInTime(ctx, operation);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const id = await ctx.world.target.post(operation, text, options);
  return ctx.evidence.all().find(each => each.id === id);
}

export const callback = (
  ctx: ModuleContext,
  callbackType: string,
  data: { verificationUuid: string } & Record<string, unknown>,
  more: object = {},
): Promise<LoggedExchange | undefined> =>
  call(ctx, 'callback', { callbackType, data, ...more }, { verificationUuid: data.verificationUuid });

/** A result for a verification that the VASP did not start: a VASP that believes it sends no money. */
export const strayResult = (ctx: ModuleContext) => ({
  verificationUuid: ctx.world.uuid(),
  verificationResult: 'DENIED',
  reason: 'NOT-ALLOWED',
  message: `A test of callbacks at ${toIso(ctx.world.now())}: no transfer belongs to this.`,
});

/** A hash that no transaction has. */
export function unknownHash({ symbol, world }: ModuleContext): string {
  const digits = `${world.uuid()}${world.uuid()}`.replaceAll('-', '');
  return nodeHash(symbol, symbol === 'ETH' ? `0x${digits}` : digits);
}

/** Returns the right one. */
export function requireToken(ctx: ModuleContext): string {
  const { token } = ctx.world.target;
  return token ?? ctx.skip('No token is configured: set VEGA_VERIFICATION_AUTHORIZATION_TOKEN to test it.');
}
