/** English texts of the guided tests and of the reference VASP. */

export const tests = {
  intro:
    'A guided test plays one payment from the first question to the balance, as a run of one module. The run shows every request with its answer, tells you what to do next, and ends in a verdict.',
  withdrawal: 'Your customer pays a user of the robot: verify, pay, report, look at the balance.',
  deposit: 'The robot pays your customer: verify, pay, get the report, ask for the status.',
  inAsset: (symbol: string) => `In ${symbol}`,
  testInAsset: (test: string, symbol: string) => `${test} in ${symbol}`,
  send: 'Send me a deposit',
  sendMeaning:
    'The robot asks your VASP, gets money, pays your customer and reports. It need not have been paid before.',
  asset: 'Asset',
  amount: 'Amount',
  to: 'Address of your customer',
  toHint: 'empty: of your newest deposit, or a sample',
  next: '**Next: your own VASP.** Enter its addresses in [My VASP](/console/settings) and let the sandbox call them. Then the same test runs against your code, and [Checks](/console/checks) runs all of them.',
};

export const referenceVasp = {
  title: 'The reference VASP',
  offer: 'No VASP yet? Use ours',
  stopped:
    'A correct VASP starts beside the sandbox and plays the part of yours: it verifies, pays, reports and answers. You can run both guided tests with it.',
  use: 'Use our VASP',
  running:
    'It plays the part of your VASP. Run a withdrawal test and a deposit test, or fill the sandbox with one example of everything.',
  fill: 'Fill the sandbox',
  stop: 'Stop our VASP',
  runs: 'The reference VASP runs. It answers in the place of your VASP.',
  hasStopped: 'The reference VASP has stopped. Its addresses are removed.',
};
