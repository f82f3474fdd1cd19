import type { Server, ServerResponse } from 'node:http';

/** Answers that wait for their readers hold memory. Each connection has one at a time. */
const MAX_PER_OWNER = 16 * 1024 * 1024;
const MAX_TOTAL = 128 * 1024 * 1024;
/** A connection whose reader takes nothing this long is closed. */
const UNREAD_MS = 30_000;

export interface UnreadLimits {
  maxPerOwner: number;
  maxTotal: number;
}

/** The answers that are under way, and whose they are. */
export function unreadAnswers({ maxPerOwner, maxTotal }: UnreadLimits = LIMITS) {
  const owners = new Map<ServerResponse, string>();

  /** Makes room: who reads the least loses a connection. */
  function cutLongest(): void {
    const [longest] = [...owners.keys()].sort((a, b) => b.writableLength - a.writableLength);
    longest!.destroy();
    owners.delete(longest!);
  }

  return {
    begin(response: ServerResponse, owner: string): void {
      owners.set(response, owner);
      response.once('close', () => owners.delete(response));
    },
    /** False: the owner should read what it has asked for. */
    mayAsk(owner: string): boolean {
      let [own, all] = [0, 0];
      for (const [response, whose] of owners) {
        all += response.writableLength;
        if (whose === owner) own += response.writableLength;
      }
      if (all > maxTotal) cutLongest();
      return own <= maxPerOwner;
    },
  };
}

const LIMITS: UnreadLimits = { maxPerOwner: MAX_PER_OWNER, maxTotal: MAX_TOTAL };

/** The event says that the connection has moved no byte for a while. It may wait for an answer that is not made yet. */
export function closeUnread(server: Server, afterMs = UNREAD_MS): void {
  server.timeout = afterMs;
  server.on('request', (_, response) =>
    response.on('timeout', socket => {
      if (socket.writableLength > 0) socket.destroy();
    }),
  );
}
