import { type Client, type EventData, type Query, Refused } from '../client/client.ts';
import { didYouMean } from '../kernel/text.ts';
import { EVENT_KINDS } from '../sandbox/events/schema.ts';
import { pause } from '../timers/loop.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';
import type { Colour, Painted } from './output.ts';

const AGAIN_MS = 1_000;
const KINDS = EVENT_KINDS.join(', ');

const tail = command({
  summary: 'follows what happens, until Ctrl-C',
  details:
    'One line for each event, in colour in a terminal (not with NO_COLOR). After a broken connection it goes on where it stopped.',
  options: {
    ...CONNECTION,
    verification: { value: '<uuid>', meaning: 'only events of this verification' },
    kind: { value: '<kinds>', meaning: `only these kinds, separated by commas: ${KINDS}` },
    after: { value: '<event id>', meaning: 'only events after this one; 0: from the oldest. Default: new events' },
    count: { value: '<number>', meaning: 'ends after this number of events' },
  },
  exits: CONNECTION_EXITS,
  examples: [
    'robot-vasp tail',
    'robot-vasp tail --kind callback,deposit',
    'robot-vasp tail --after 0 --count 20 --json',
  ],
  progress: 'waiting for events',
  async run({ values, print, progress }) {
    const { verification: verificationUuid, kind, after, count } = values;
    const wanted = count === undefined ? Number.POSITIVE_INFINITY : Number(count);
    if (!(wanted >= 1)) throw wrongUsage(`--count: \`${count}\` is not a number from 1`);
    for (const each of kind?.split(',') ?? [])
      if (!(EVENT_KINDS as readonly string[]).includes(each))
        throw wrongUsage(`--kind: \`${each}\` is no kind.${didYouMean(each, EVENT_KINDS)} Kinds: ${KINDS}`);
    let printed = 0;
    const query = { verificationUuid, kind, after };
    for await (const { id, event, data } of following(connect(values), query, progress)) {
      print(lineOf(event, data), { id, event, data });
      printed += 1;
      if (printed >= wanted) return 0;
    }
    return 0;
  },
});
export const commands = { tail };

/** Goes on after a broken connection. Throws a `Failure` where the first connection fails. */
async function* following(api: Client, query: Query, progress: (text: string) => void) {
  let lastEventId: string | undefined;
  for (let isConnected = false; ; await pause(AGAIN_MS)) {
    try {
      for await (const event of api.events(query, { lastEventId })) {
        isConnected = true;
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
      isConnected = true;
    } catch (error) {
      if (!isConnected || error instanceof Refused) throw error;
    }
    progress(`the connection to ${api.url} broke, trying again`);
  }
}

/** A line without line breaks of its own. */
function lineOf(event: string, data: EventData): (string | Painted)[] {
  if ('aheadMs' in data) return [painted('gray', `clock  now ${data.now}`)];
  if ('height' in data) return [painted('gray', `head   ${data.symbol} block ${data.height}`)];
  if ('active' in data) return [painted('gray', `faults ${data.active.length} active`)];
  const { at, to, cause, verificationUuid } = data;
  return [
    `${at}  `,
    painted(colourOf(event, data), `${event} ${to ?? data.event}`),
    ...(verificationUuid ? ['  ', painted('gray', verificationUuid)] : []),
    ...(cause ? [`  ${cause}`] : []),
  ];
}

const GOOD = /^(VERIFIED|CREDITED|CONFIRMED|DELIVERED|OK|PASSED|[12]\d\d)/;
const BAD = /^(DENIED|ERROR|UNKNOWN|GIVEN-UP|CANCELED|REVERTED|TAKEN-BACK|FAILED|WRONG|NOT-|PAID-BEFORE|[45]\d\d)/;

function colourOf(kind: string, { to, event, detail }: Extract<EventData, { cause: string }>): Colour {
  const state = to ?? (typeof detail?.status === 'number' ? String(detail.status) : event);
  if (GOOD.test(state)) return 'green';
  if (BAD.test(state) || kind === 'finding') return 'red';
  return kind === 'timer' || kind === 'fault' ? 'magenta' : 'cyan';
}

const painted = (colour: Colour, text: string): Painted => ({ text, colour });
