import type { Server, ServerResponse } from 'node:http';

/** Answers that wait for their readers hold memory. Each connection has one at a time. */
const MOST_OF_AN_OWNER = 16 * 1024 * 1024;
const MOST_OF_ALL = 128 * 1024 * 1024;
/** A connection whose reader takes nothing this long is closed. */
const UNREAD_MS = 30_000;

export interface UnreadLimits {
  mostOfAnOwner: number;
  mostOfAll: number;
}

/** The answers that are under way, and whose they are. */
export function unreadAnswers({ mostOfAnOwner, mostOfAll }: UnreadLimits = LIMITS) {
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
      if (all > mostOfAll) cutLongest();
      return own <= mostOfAnOwner;
    },
  };
}

const LIMITS: UnreadLimits = { mostOfAnOwner: MOST_OF_AN_OWNER, mostOfAll: MOST_OF_ALL };

/** The event says that the connection has moved no byte for a while. It may wait for an answer that is not made yet. */
export function closeUnread(server: Server, afterMs = UNREAD_MS): void {
  server.timeout = afterMs;
  server.on('request', (_, response) =>
    response.on('timeout', socket => {
      if (socket.writableLength > 0) socket.destroy();
    }),
  );
}
