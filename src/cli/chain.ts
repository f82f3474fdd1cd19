import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { command } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

export const chain = command({
  name: 'chain',
  summary: 'goes on with a chain that is CHAIN-RESTARTED',
  details:
    'Open verifications on it end as ERROR, unfinished transfers become CANCELED, deposits stay as history, balances start at zero.',
  argument: { name: '<resume>', meaning: 'what to do with the chain', choices: ['resume'] },
  moreArguments: [{ name: '<ETH|XRP>', meaning: 'symbol of the chain', choices: ASSET_SYMBOLS }],
  options: CONNECTION,
  exits: CONNECTION_EXITS,
  examples: ['robot-vasp chain resume ETH', 'robot-vasp chain resume XRP --json'],
  async run({ moreArguments: [symbol = ''], values, print }) {
    const answer = await connect(values).resumeChain(symbol);
    const { resumed, endedVerifications, canceledTransfers } = answer;
    const done = `${symbol} goes on with the new chain: ${endedVerifications} verifications ended, ${canceledTransfers} transfers were canceled`;
    print(resumed ? done : `${symbol} did not start over: nothing was changed`, answer);
    return 0;
  },
});
