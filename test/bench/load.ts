import { Pool } from 'undici';

const HEADERS = { 'content-type': 'application/json' };

/** Posts `body` `count` times over `connections` connections. Throws unless every answer is 200. */
export const postMany = (url: string, body: string, count: number, connections: number): Promise<void> =>
  postAll(url, Array<string>(count).fill(body), connections);

/** Posts every body over `connections` connections. Throws unless every answer is 200. */
export async function postAll(url: string, bodies: readonly string[], connections: number): Promise<void> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections });
  const left = bodies.values();
  const one = async () => {
    for (const body of left) {
      const answer = await pool.request({ path: pathname, method: 'POST', headers: HEADERS, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, one));
  } finally {
    await pool.close();
  }
}

/** Starts `count` calls, `perSecond` of them in every second, whether the earlier ones have ended or not. */
export async function atRate<T>(count: number, perSecond: number, call: () => Promise<T>): Promise<T[]> {
  const startedAt = performance.now();
  const calls: Promise<T>[] = [];
  for (let n = 0; n < count; n++) {
    const dueAt = startedAt + (n * 1000) / perSecond;
    await new Promise(resolve => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    calls.push(call());
  }
  return Promise.all(calls);
}
