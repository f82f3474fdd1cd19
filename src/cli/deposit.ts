import { ASSET_SYMBOLS } from '../contract/assets.ts';
import { command, wrongUsage } from './command.ts';
import { CONNECTION, CONNECTION_EXITS, connect } from './connection.ts';

export const deposit = command({
  name: 'deposit',
  summary: 'lets the robot send you a deposit: it verifies, gets money, pays and reports',
  progress: 'the robot pays',
  options: {
    amount: { value: '<amount>', meaning: 'amount, decimal text', default: '0.5' },
    symbol: {
      value: '<symbol>',
      meaning: ASSET_SYMBOLS.join(' or '),
      choices: ASSET_SYMBOLS,
      default: 'ETH',
    },
    to: { value: '<address>', meaning: 'address of your customer; default: the one of the newest deposit' },
    'last-name': { value: '<name>', meaning: 'last name of your customer, with --first-name' },
    'first-name': { value: '<name>', meaning: 'first name of your customer' },
    user: { value: '<id>', meaning: 'the user of the robot who pays; default: one who can' },
    ...CONNECTION,
  },
  exits: { 1: 'a step failed; its line says what to do', ...CONNECTION_EXITS },
  examples: [
    'robot-vasp deposit --amount 0.5 --symbol ETH',
    'robot-vasp deposit --symbol XRP --to r…:7 --last-name Moss --first-name Kate',
  ],
  async run({ values, print }) {
    const { amount, symbol, to, user, 'last-name': lastName, 'first-name': firstName } = values;
    if ((lastName === undefined) !== (firstName === undefined))
      throw wrongUsage('give both --last-name and --first-name, or none');
    const answer = await connect(values).sendTransfer({
      symbol,
      amount,
      ...(user === undefined ? {} : { user }),
      ...(to === undefined ? {} : { to }),
      ...(lastName === undefined || firstName === undefined ? {} : { customer: { lastName, firstName } }),
    });
    const lines = answer.steps.map(
      ({ step, done, text }) => `${done ? 'done  ' : 'failed'}  ${step.padEnd(6)}  ${text}`,
    );
    print(lines.join('\n'), answer);
    return answer.done ? 0 : 1;
  },
});
