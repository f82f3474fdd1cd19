import type { ScenarioGroup } from '../../../client/answers.ts';

/** English texts of the page Send. */

export const send = {
  whatToSend: 'What to send',
  enclave: 'To your enclave',
  robot: 'To the robot',
  sandbox: 'To the sandbox',
  catalogue: 'Catalogue',
  send: 'Send',
  asCurl: 'As a curl command',
  body: 'Body',
  noVerificationFits: (href: string) => `No verification fits yet. [Verify first](${href}).`,
  update: 'Update the request',
  notJson: (line: number, column: number, message: string) =>
    `The body is not JSON: line ${line}, column ${column}: ${message}. Nothing was sent.`,
  answered: (call: string, status: number) => `${call} answered ${status}.`,
  timeIs: (now: string, fired: number) =>
    `It is ${now} now. ${fired === 1 ? '1 timer fired' : `${fired} timers fired`}.`,
  expected: 'Expected',
  outcome: 'Outcome',
  asExpected: 'AS EXPECTED',
  notYet: 'NOT YET',
  theAssessment: 'The assessment:',
  goOnPay: 'Go on: pay and report',
  goOnLetPay: 'Go on: let the robot pay',
  screenAddress: 'Screen the address',
  activeFaults: 'Active faults',
  advance: 'Advance the time',
  by: 'By',
};

export const sendFields = {
  symbol: 'Symbol',
  user: 'User of the robot',
  amount: 'Amount',
  account: 'Address of your customer',
  accountHint: 'empty: address of your newest deposit, or a sample',
  verificationUuid: 'Verification',
  txHash: 'Transaction hash',
  result: 'Result',
  reason: 'Reason',
  message: 'Message',
  omitTxReport: 'Report',
  robotReports: 'The robot reports the transaction',
  robotIsSilent: 'The robot does not report: your VASP has to ask',
  noUser: 'no user of the robot',
};

/** Groups of the catalogue. */
export const scenarios = {
  'verify-user': 'Every result of a user verification',
  'verify-account': 'Every result of an account verification',
  'assess-sanction': 'Sanction screening',
  'assess-kyt': 'Transaction monitoring',
  'assess-wco': 'Person screening',
  report: 'Every verdict on a transaction report',
  behaviour: 'Users with a special behaviour',
  fault: 'Injected faults',
} satisfies Record<ScenarioGroup, string>;

/** Every request of a VASP. */
export const requests = {
  'verify-user': {
    title: 'Verify user',
    meaning: 'May my customer pay this user of the robot? A callback brings the result.',
  },
  'verify-account': {
    title: 'Verify account',
    meaning: 'Does this address belong to this user of the robot?',
  },
  'report-transaction': {
    title: 'Report a transaction',
    meaning: 'Reports the hash of my payment to the robot.',
  },
  'report-error': {
    title: 'Report an error',
    meaning: 'Cancels the withdrawal. The result becomes ERROR for both VASPs.',
  },
  'inquire-transaction': {
    title: 'Ask for the transaction status',
    meaning: 'What is the status of the robot’s payment to my customer?',
  },
  'assess-sanction': {
    title: 'Screen the address for sanctions',
    meaning: 'Provider A answers at once.',
  },
  'assess-kyt': {
    title: 'Monitor the address or the transaction',
    meaning: 'Provider A. The callback PROVIDER_A_KYT_RESULT brings the result.',
  },
  'assess-wco': {
    title: 'Screen the person',
    meaning: 'Provider B. The callback PROVIDER_B_WCO_RESULT brings the result.',
  },
  'robot-verify-account': {
    title: 'Let the robot verify an account',
    meaning: 'The robot asks your VASP whether this address is yours.',
  },
  'robot-verify-user': {
    title: 'Let the robot verify a user',
    meaning: 'A user of the robot wants to pay your customer. The robot asks your VASP.',
  },
  'robot-withdraw': {
    title: 'Let the robot pay',
    meaning: 'The robot pays a VERIFIED verification once and reports the transaction.',
  },
  'robot-report-tx': {
    title: 'Force a transaction report',
    meaning: 'The robot reports this hash to you, even if no such transaction exists.',
  },
  'robot-report-error': {
    title: 'Force an error report',
    meaning: 'The robot cancels its payment to you and reports the error.',
  },
  'robot-inquire-tx': {
    title: 'Let the robot ask for the status',
    meaning:
      'The robot asks your VASP for the status of your payment now. By itself it asks after ten minutes.',
  },
  'robot-balance': {
    title: 'Ask for the balance',
    meaning: 'How much has this user of the robot received from me?',
  },
  'order-fault': {
    title: 'Add a fault',
    meaning: 'Makes an answer or a callback fail on purpose. The page Faults lists the active faults.',
  },
};
