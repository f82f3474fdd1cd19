import type { Answers } from '../client/answers.ts';
import type { Client } from '../client/client.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

type Callback = Answers['replay'];

export const replay = command({
  name: 'replay',
  summary: 'sends a callback to your VASP again',
  details: 'Pending callbacks are not touched. `GET /sandbox/v1/callbacks` shows the outcome.',
  argument: { name: '<callback id>', meaning: 'id from the list of callbacks', isOptional: true },
  options: { ...CONNECTION, 'all-given-up': { meaning: 'all callbacks with status GIVEN-UP' } },
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp replay 17', 'robot-vasp replay --all-given-up'],
  async run({ argument, values, print }) {
    if ((argument === undefined) !== values['all-given-up'])
      throw wrongUsage('give either <callback id> or --all-given-up');
    const api = connect(values);
    const ids = argument === undefined ? await givenUp(api) : [argument];
    const replayed: Callback[] = [];
    for (const id of ids) replayed.push(await api.replay(id));
    const lines = replayed.map(
      each => `${each.id}: ${each.callbackType} for ${each.verificationUuid}: ${each.status}`,
    );
    print(lines.length === 0 ? 'no callback has status GIVEN-UP' : lines.join('\n'), { replayed });
    return 0;
  },
});

async function givenUp(api: Client): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = '0'; after !== null; ) {
    const page: Answers['callbacks'] = await api.callbacks({ status: 'GIVEN-UP', after });
    ids.push(...page.callbacks.map(({ id }) => id));
    after = page.next;
  }
  return ids;
}
