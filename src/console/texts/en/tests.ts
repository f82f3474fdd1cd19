/** English texts of the guided tests and of the reference VASP. */

export const tests = {
  intro:
    'A guided test plays one payment from the first question to the balance. Each step makes one call of a real VASP and shows what was sent and what came back.',
  withdrawal: 'Your customer pays a user of the robot: verify, pay, report, look at the balance.',
  deposit: 'The robot pays your customer: verify, pay, get the report, ask for the status.',
  inAsset: (symbol: string) => `In ${symbol}`,
  testInAsset: (test: string, symbol: string) => `${test} in ${symbol}`,
  amountIn: (symbol: string) => `Amount in ${symbol}`,
  amount: 'Amount',
  address: 'Address',
  addressWithTag: 'Address:destination tag',
  transaction: 'Transaction',
  requestAndAnswer: 'Request and answer',
  done: 'DONE',
  onlyAfterVerified: 'The test continues only after VERIFIED. Try again:',
  noUser: 'no user of the robot',
  next: '**Next: your own VASP.** Enter its addresses in [My VASP](/console/settings) and let the sandbox call them. Then the same test runs against your code, and [Checks](/console/checks) gives a verdict.',
};

export const withdrawal = {
  intro:
    'Your customer pays a user of the robot. The robot verifies the user. You pay on the real ledger and report the transaction. The robot credits it. Every step makes the call of a real VASP.',
  verify: 'Verify the user',
  pay: 'Pay this amount',
  payCall: (symbol: string) => `A real transfer on the ledger of ${symbol}`,
  report: 'Report the transaction',
  balance: 'Look at the balance',
  toUser: 'To this user of the robot',
  askRobot: 'Ask the robot',
  letOursWithdraw: 'Let the reference VASP withdraw',
  accountDenied: (user: string) =>
    `It stopped before the user verification: the account of ${user} was denied.`,
  faucet: 'Pay from the faucet',
  noFaucet: 'This chain runs outside, so there is no faucet. Pay with your own wallet.',
  ownPayment: 'Or pay yourself, and enter the hash',
  havePaid: 'I have paid',
  reported: 'The transaction is reported to the robot.',
  reportIt: 'Report it',
  askBalance: 'Ask for the balance',
  askAgain: 'Ask again',
  credited: 'are credited to you. The withdrawal test is complete.',
  nextDeposit: (href: string) => `Next: [the deposit test](${href}). It pays the money back.`,
};

export const deposit = {
  intro:
    'A user of the robot pays your customer. The robot asks your VASP, pays on the real ledger and reports the transaction. You ask for its status. The robot can pay no more than it received in withdrawal tests.',
  verify: 'Let the robot verify',
  pay: 'Let the robot pay',
  report: 'Get the transaction report',
  reportCall: 'Callback TX_REPORT to your VASP',
  status: 'Ask for the status',
  noFunds: (symbol: string, href: string) =>
    `The robot has no ${symbol} to pay you. [Run the withdrawal test first](${href}).`,
  fromUser: 'From this user of the robot',
  toCustomer: 'To this address of your customer',
  addressHint: 'empty: address of your newest deposit, or a sample',
  reportComes: 'The robot reports its transaction right after sending it.',
  answered: 'The robot answered',
  complete: 'The deposit test is complete.',
  askLater: 'Ask again in a moment.',
};

export const referenceVasp = {
  title: 'The reference VASP',
  offer: 'No VASP yet? Use ours',
  stopped:
    'A correct VASP starts beside the sandbox and plays the part of yours: it verifies, pays, reports and answers. You can run both guided tests with it.',
  use: 'Use our VASP',
  running:
    'It plays the part of your VASP. Run the [withdrawal test](/console/tests/withdrawal) and the [deposit test](/console/tests/deposit), or fill the sandbox with one example of everything.',
  fill: 'Fill the sandbox',
  stop: 'Stop our VASP',
  runs: 'The reference VASP runs. It answers in the place of your VASP.',
  hasStopped: 'The reference VASP has stopped. Its addresses are removed.',
  played: (count: number) => `${count} verifications were played.`,
};
