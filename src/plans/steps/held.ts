import type { CallbackType } from '../../contract/callbacks.ts';
import type { ModuleContext } from '../context.ts';

/** What a run holds back from the VASP while other modules go on. */

/** A VASP with a time-out of its own would have acted within this real time. */
export const HELD_BACK_MS = 11_000;

/**
 * The premise of a module that watches what the VASP does before a callback: from now on that callback is lost, however busy
 * the machine and however quick its cause. Returns what ends this.
 */
export async function keepBack(
  ctx: ModuleContext,
  verificationUuid: string,
  callbackType: CallbackType,
): Promise<() => Promise<void>> {
  const target = `callback.${callbackType}` as const;
  const fault = await ctx.fault({ target, mode: 'drop', times: 1, verificationUuid });
  return async () => {
    await ctx.idle();
    await ctx.removeFault(fault);
  };
}

/** Sends a callback that was lost. */
export async function bringLost(
  { api }: ModuleContext,
  verificationUuid: string,
  callbackType: CallbackType,
): Promise<void> {
  const { callbacks } = await api.callbacks({ verificationUuid });
  const lost = callbacks.find(each => each.callbackType === callbackType);
  if (lost) await api.replay(lost.id).catch(() => {});
}

/** The callback of this type, which was lost, comes at the end of the module `late`, or when the VASP needs it. */
export function holdBack(ctx: ModuleContext, verificationUuid: string, callbackType: CallbackType): void {
  const { held } = ctx.world.watch;
  const bring = async () => {
    held.delete(bring);
    await bringLost(ctx, verificationUuid, callbackType);
  };
  held.add(bring);
}

export async function bringHeld({ world: { watch } }: ModuleContext): Promise<void> {
  for (const bring of [...watch.held]) await bring();
}

/** Looks for an act of a VASP that may first need what the run holds back. `until`: how to look. */
export async function untilActed<T>(
  ctx: ModuleContext,
  ms: number,
  until: (ms: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const isHeld = ctx.world.watch.held.size > 0;
  const found = await until(isHeld ? ms / 2 : ms);
  if (found !== undefined || !isHeld) return found;
  await bringHeld(ctx);
  return until(ms);
}
