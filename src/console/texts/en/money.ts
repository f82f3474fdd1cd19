/** English texts of the page Money and of one transaction on chain. */

export const money = {
  balances: 'Balances',
  balancesMeaning: 'The money that you paid to users of the robot, and how much of it they can pay back.',
  balancesCaption: 'Balances per user and symbol',
  noBalance: 'No balance yet. Your first credited payment makes one.',
  address: 'Address',
  credited: 'Credited',
  reserved: 'Reserved',
  paidOut: 'Paid out',
  balance: 'Balance',
  transfers: 'The robot paid you',
  transfersMeaning: 'Transfers in the API.',
  transfersCaption: 'Payments of the robot to you, newest first',
  noTransfer:
    'No payment yet. [Let the robot verify a user](/console/send?action=robot-verify-user), then let it pay. It can pay no more than it has received from you.',
  signed: (count: number) => (count === 1 ? '1 signed transaction' : `${count} signed transactions`),
  notReported: 'not reported to you',
  oneReported: 'one reported to you',
  isReported: 'reported to you',
  number: (nonce: number) => `number ${nonce}`,
  signedAt: (time: string) => `signed ${time}`,
  refused: (reason: string) => `refused: ${reason}`,
  deposits: 'You paid the robot',
  depositsMeaning:
    'Deposits in the API. A payment is credited when it is final on chain and you have named it for a verification.',
  depositsCaption: 'Your payments to the robot, newest first',
  noDeposit:
    'No payment yet. [Send a verification](/console/send), then pay its amount to the address of the beneficiary.',
  blockTime: 'Block time',
  block: (height: number) => `block ${height}`,
  unnamed: 'which one?',
  deposit: 'your payment',
  transfer: 'the robot’s payment',
  noUser: 'no user',
};

/** `{places}` are filled by the page. */
export const chainTransaction = {
  noChain: 'There is no chain for {symbol}. Choose one of [the chains](/console/chains).',
  outcome: 'Outcome',
  block: 'Block',
  fee: 'Fee',
  unknown:
    '{chain} has no transaction with this hash. It was never broadcast, or it was dropped, or a reorganisation or a restart of the chain removed it. Look at [the chain](/console/chains).',
  source: 'Source: the embedded {network} at {address}',
  outside: 'The chain is {chain}. {explorer}, or ask {address}',
  explorer: 'Look up the hash in its explorer',
};
