import type { ServerResponse } from 'node:http';

/** Bodies hold memory while they are received, and until their requests have had their turn and their answer. */
const MAX_TOTAL = 128 * 1024 * 1024;

interface Body {
  owner: string;
  bytes: number;
}

/** The bodies that are held, and whose they are. Above `maxTotal` the owner who holds the most loses its longest one. */
export function heldBodies(maxTotal = MAX_TOTAL) {
  const held = new Map<ServerResponse, Body>();
  let all = 0;

  function release(response: ServerResponse): void {
    all -= held.get(response)?.bytes ?? 0;
    held.delete(response);
  }
  function cutLongest(): void {
    const sums = new Map<string, number>();
    for (const { owner, bytes } of held.values()) sums.set(owner, (sums.get(owner) ?? 0) + bytes);
    const most = Math.max(...sums.values());
    const isGreedy = ([, { owner }]: [ServerResponse, Body]) => sums.get(owner) === most;
    const [[longest]] = [...held].filter(isGreedy).sort(([, a], [, b]) => b.bytes - a.bytes) as [
      [ServerResponse, Body],
    ];
    release(longest);
    longest.destroy();
  }

  return {
    begin(response: ServerResponse, owner: string): void {
      held.set(response, { owner, bytes: 0 });
      response.once('close', () => release(response));
    },
    add(response: ServerResponse, bytes: number): void {
      const body = held.get(response);
      if (!body) return;
      body.bytes += bytes;
      all += bytes;
      if (all > maxTotal) cutLongest();
    },
  };
}
