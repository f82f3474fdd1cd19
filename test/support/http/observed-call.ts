import type { World } from '../world/world.ts';

/** The outcome of a call: an answer, a connection that was closed without one, or nothing while the caller waited. */
export type Seen = { status: number; text: string; tookMs: number } | 'closed' | 'silent';

export interface Call {
  method: string;
  path: string;
  body?: object | undefined;
}

export async function seenBy(world: Pick<World, 'url'>, call: Call, patienceMs = 5_000): Promise<Seen> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(world.url + call.path, {
      method: call.method,
      signal: AbortSignal.timeout(patienceMs),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, tookMs: performance.now() - startedAt };
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return 'silent';
    if ((error as { cause?: { code?: string } }).cause?.code === 'UND_ERR_SOCKET') return 'closed';
    throw error;
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The faults in the story of a verification: which, and what it did. */
export const hitsOn = async ({ api }: Pick<World, 'api'>, uuid: string): Promise<string[]> =>
  (await api.timeline(uuid)).timeline.filter(({ what }) => what === 'fault').map(({ cause }) => cause);

/** The hits of each active fault, and the hits that are left. */
export const countsOf = async ({ api }: Pick<World, 'api'>) =>
  (await api.faults()).faults.map(({ target, mode, used, left }) => `${target} ${mode} ${used} ${left}`);
