import type { ModuleContext } from '../context.ts';

/** What a run holds back from the VASP while other modules go on. */

/** A VASP with a time-out of its own would have acted within this real time. */
export const HELD_BACK_MS = 11_000;

/** The callback of this type, which a fault has dropped, comes at the end of the module `late`, or when the VASP needs it. */
export function holdBack(ctx: ModuleContext, verificationUuid: string, callbackType: string): void {
  const { held } = ctx.world.watch;
  const bring = async () => {
    held.delete(bring);
    const { callbacks } = await ctx.api.callbacks({ verificationUuid });
    const lost = callbacks.find(each => each.callbackType === callbackType);
    if (lost) await ctx.api.replay(lost.id).catch(() => {});
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
