/** English texts of the page My VASP. */

export const settings = {
  yourVasp: 'Addresses and token',
  check: 'Check the endpoints',
  checkMeaning:
    'The enclave sends each endpoint one harmless sample request, in the same way as real requests.',
  callNow: 'Call my endpoints now',
  environment: 'Environment variables',
  environmentUse:
    'Use them as the file of `docker run --env-file`. Inside a container `127.0.0.1` is the container itself. Use the service name of your VASP, or `host.docker.internal`.',
  theVariables: 'the variables',
  startOver: 'Start over',
  removeAll: 'Remove all data of your VASP',
  removeWarning: (name: string) =>
    `This removes all verifications, callbacks, transfers, timers and exchanges of ${name}. Its registration, other VASPs and the chains stay.`,
  removed: 'Your data was removed. Your clock is back at the time of the machine.',
  saved: 'Saved. The next call uses it.',
  savedAnd: (outcome: string) => `Saved. ${outcome}`,
  allCorrect: 'All endpoints answered correctly.',
  haveProblem: (wrong: number, all: number) => `${wrong} of ${all} endpoints have a problem.`,
  answers: 'Answers of your endpoints',
  endpoint: 'Endpoint',
  result: 'Result',
  status: 'Status',
  duration: 'Duration',
  problem: 'Problem and next step',
  requestAndAnswer: 'Request and answer',
  noAnswer: 'No answer.',
  name: 'Name',
  header: 'Authorization header',
  headerHelp: 'The header Authorization carries “Bearer <token>”, any other header carries only the token.',
  token: 'Token',
  providerKeys: 'Keys of the screening providers',
  providerKeysHelp: 'They replace the keys of the configuration. Enter a wrong key to get 401, 403 or 404.',
  save: 'Save',
  saveAndCall: 'Save and call my endpoints now',
  isSet: 'set (leave empty to keep it)',
  notSet: 'not set',
  neverShown: 'It is set. It is never shown.',
  remove: 'Remove it',
};

/** Endpoints of a VASP, and keys of the screening providers. */
export const settingsFields = {
  verifyUser: 'Verify user',
  verifyUserHelp: 'Deposit test: may this originator pay your customer?',
  verifyAccount: 'Verify account',
  verifyAccountHelp: 'Deposit test: does this address belong to your customer?',
  transactionStatus: 'Transaction status',
  transactionStatusHelp: 'Withdrawal test without your report: what is the status of your transaction?',
  callback: 'Callback',
  callbackHelp: 'Receives results and reports. Without an address they wait in the mailbox.',
  sanctionApiKey: 'Provider A: key for sanction screening',
  kytApiKey: 'Provider A: key for transaction monitoring',
  wcoApiKey: 'Provider B: key for person screening',
  wcoGroupId: 'Provider B: group ID',
};
