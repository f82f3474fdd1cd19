/** English texts of the page Money and of one transaction on chain. */

export const money = {
  balances: 'Balances',
  balancesMeaning: 'The money that you paid to users of the robot, and how much of it they can pay back.',
  balancesCaption: 'Balances per user and symbol',
  noBalance: 'No balance yet. The first credited deposit makes one.',
  address: 'Address',
  credited: 'Credited',
  reserved: 'Reserved',
  paidOut: 'Paid out',
  balance: 'Balance',
  transfers: 'Transfers',
  transfersMeaning: 'Payments of the robot to you.',
  transfersCaption: 'Transfers, newest first',
  noTransfer:
    'No transfer yet. [Let the robot verify a user](/console/send?action=robot-verify-user), then let it pay. It can pay no more than it has received from you.',
  signed: (count: number) => (count === 1 ? '1 signed transaction' : `${count} signed transactions`),
  notReported: 'not reported to you',
  oneReported: 'one reported to you',
  isReported: 'reported to you',
  number: (nonce: number) => `number ${nonce}`,
  signedAt: (time: string) => `signed ${time}`,
  refused: (reason: string) => `refused: ${reason}`,
  deposits: 'Deposits',
  depositsMeaning:
    'Payments to the robot. A deposit is credited when it is final on chain and belongs to a verification.',
  depositsCaption: 'Deposits, newest first',
  noDeposit:
    'No deposit yet. [Send a verification](/console/send), then pay its amount to the address of the beneficiary.',
  block: (height: number) => `block ${height}`,
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
