import type { Client } from '../client/client.ts';
import type { CallbackType } from '../contract/callbacks.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import { type NamesOf, requireKnown } from './known-names.ts';
import type { Received, RobotMailbox, WaitOptions } from './robot.ts';

const WAIT_MS = 5_000;
/** Limit of one request. */
const LONGEST_POLL_MS = 60_000;
const WAIT_OPTIONS: NamesOf<WaitOptions> = { type: true, verificationUuid: true, after: true, timeout: true };

export function mailboxOf(api: Client): RobotMailbox {
  return { wait: options => wait(api, options), all: () => all(api) };
}

async function wait<T extends CallbackType>(api: Client, options: WaitOptions<T> = {}): Promise<Received<T>> {
  requireKnown('mailbox.wait', options, WAIT_OPTIONS);
  const { type, verificationUuid, after, timeout } = options;
  const limitMs = timeout === undefined ? WAIT_MS : parseDuration(timeout);
  if (limitMs === undefined)
    throw new TypeError(`timeout: \`${timeout}\` is not a duration. Write for example \`5s\` or \`250ms\``);
  const query = {
    ...(type === undefined ? {} : { type }),
    ...(verificationUuid === undefined ? {} : { verificationUuid }),
    ...(after === undefined ? {} : { after }),
  };
  const end = elapsedMs() + limitMs;
  for (;;) {
    const left = Math.max(0, Math.min(Math.ceil(end - elapsedMs()), LONGEST_POLL_MS));
    const { callbacks } = await api.mailbox({ ...query, wait: `${left}ms` });
    const [first] = callbacks;
    if (first) return first as unknown as Received<T>;
    if (elapsedMs() >= end) throw new Error(await timeoutMessage(api, query, limitMs));
  }
}

async function timeoutMessage(api: Client, query: WaitOptions, limitMs: number): Promise<string> {
  const { type = 'callback', verificationUuid, after } = query;
  const about = verificationUuid === undefined ? '' : ` for ${verificationUuid}`;
  const since = after === undefined ? '' : ` after ${after}`;
  const received = (await all(api)).map(
    ({ id, callbackType, data }) => `  ${id}: ${callbackType} for ${data.verificationUuid}`,
  );
  const others = received.length === 0 ? 'The mailbox is empty.' : `The mailbox holds:\n${received.join('\n')}`;
  return `No ${type}${about}${since} within ${formatDuration(limitMs)}. ${others}`;
}

async function all(api: Client): Promise<Received[]> {
  const found: Received[] = [];
  for (let after = '0'; ; ) {
    const { callbacks, next } = await api.mailbox({ after });
    if (callbacks.length === 0) return found;
    found.push(...(callbacks as unknown as Received[]));
    after = next;
  }
}
