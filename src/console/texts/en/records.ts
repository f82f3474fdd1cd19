/** English texts of the pages Callbacks, Exchanges and Assessments. */

export const callbacks = {
  intro:
    'The callbacks of the enclave to your VASP, with every attempt and its answer. Without a callback address they wait in the mailbox: `GET /sandbox/v1/mailbox`.',
  everyType: 'Every type',
  PENDING: 'PENDING: not delivered yet',
  DELIVERED: 'DELIVERED',
  'GIVEN-UP': 'GIVEN-UP: no more attempts',
  MAILBOX: 'MAILBOX: no address configured',
  noMatch: 'No callback matches this filter.',
  none: 'No callback yet. The first one comes after a verification.',
  replayed: (type: string) => `${type} will be sent again.`,
  allReplayed: (count: number) =>
    count === 1 ? '1 callback will be sent again.' : `${count} callbacks will be sent again.`,
};

export const exchanges = {
  intro: 'Every HTTP request and answer between your VASP and the sandbox, newest first.',
  caption: 'HTTP exchanges, newest first',
  operation: 'Operation',
  direction: 'Direction',
  both: 'Both',
  IN: 'from your VASP',
  OUT: 'to your VASP',
  accepted: '2xx: accepted',
  refused: '4xx: refused',
  failed: '5xx: failed',
  noAnswer: 'no answer',
  duration: 'Duration',
  orLonger: (duration: string) => `${duration} or longer`,
  noMatch: 'No exchange matches this filter. Clear the filter to see all.',
  none: 'No exchange yet. [Send a verification](/console/send), or call `GET /v1/vasps` from your VASP.',
};

/** One exchange, and JSON. */
export const exchange = {
  request: 'Request',
  answer: 'Answer',
  copyCurl: 'Copy the request as a curl command',
  asCurl: 'as curl',
  noAnswer: 'NO ANSWER',
  noAnswerCame: 'No answer came.',
  noBody: 'no body',
  isCheck: 'CHECK',
  fold: 'Fold',
  foldJson: 'Fold or unfold this JSON',
  copyJson: 'Copy this JSON',
  expectedAndGot: (expected: string, got: string) => `expected ${expected}, got ${got}`,
  nothing: 'nothing',
  codeIn: (language: string) => `the ${language} code`,
  command: 'the command',
};

export const assessments = {
  noMatch: 'No assessment matches this filter. Clear the filter to see all.',
  none: 'No assessment yet. Request one on the page [Send](/console/send?action=assess-sanction), or call `POST /v1/risk-assessment/providerA-sanction` with the `verificationUuid` of a completed verification.',
  caption: 'Risk assessments, newest first',
  kind: 'Kind',
  sanction: 'Sanction screening',
  kyt: 'Transaction monitoring',
  wco: 'Person screening',
  verdict: 'Verdict',
  failures: 'Failed calls',
  listedAs: (direction: string, name: string) => `${direction}, listed as ${name}`,
  noAlert: 'NO ALERT',
  noMatchFound: 'NO MATCH',
};
