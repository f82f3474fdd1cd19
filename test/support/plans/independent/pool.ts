import type { Robot } from '../../../../src/testing/robot.ts';
import { withResolvers } from '../../with-resolvers.ts';
import { type Registered, registerVasp } from '../run-plan.ts';
import { type IndependentVasp, startIndependentVasp } from './vasp.ts';

/** A VASP that uses nothing of the program. It plays one item after another. */
export type Played = Registered<IndependentVasp>;

export const startIndependent = (sandbox: Robot, host?: string): Promise<Played> =>
  registerVasp(sandbox, apiKey => startIndependentVasp(sandbox.url, apiKey, host));

/** Each is played by the next of these VASPs that is free. What fails counts as `failed` says. */
export function playAll<T, R>(
  vasps: readonly Played[],
  items: readonly T[],
  play: (by: Played, item: T) => Promise<R>,
  failed: (error: unknown) => R,
): Map<T, Promise<R>> {
  const waiting = items.map(item => ({ item, ...withResolvers<R>() }));
  const results = new Map(waiting.map(({ item, promise }) => [item, promise]));
  for (const each of vasps)
    void (async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        next.resolve(await play(each, next.item).catch(failed));
    })();
  return results;
}
