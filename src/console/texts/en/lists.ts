/** English texts of lists, of callbacks and of the actions of a verification. */

export const list = {
  filter: 'Filter',
  clear: 'Clear',
  pages: 'Pages of the list',
  newer: 'Newer',
  older: 'Older',
  perPage: 'per page',
  sizePerPage: (size: number) => `${size} per page`,
  shown: (count: number) => `${count} shown`,
  rangeOf: (range: string, total: string) => `${range} of ${total}`,
  moreFollow: (range: string) => `${range}, more follow`,
  moreThan: (count: string) => `more than ${count}`,
  copy: 'Copy',
  copyThis: (what: string) => `Copy ${what}`,
  actions: 'Actions',
  any: 'Any',
  name: 'Name',
  symbol: 'Symbol',
  state: 'State',
  time: 'Time',
  transaction: 'Transaction',
  user: 'User',
  countOf: (count: number, all: number) => `${count} of ${all}`,
  confirm: (label: string) => `Yes, ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
};

export const callback = {
  caption: 'Callbacks, newest first',
  type: 'Type',
  lastAttempt: 'Last attempt',
  noneYet: 'none yet',
  replay: 'Replay',
  replayThis: (type: string, of: string) => `Replay ${type} of ${of}`,
  attempts: (count: number) => (count === 1 ? 'Data and 1 attempt' : `Data and ${count} attempts`),
};

export const actions = {
  advance: 'Advance time',
  by: 'By',
  reportTransaction: 'Report the transaction',
  reportError: 'Report an error',
  reportAsYou: 'Report as your VASP',
  txHash: 'Transaction hash',
  hashArrived: 'The hash of the payment that arrived.',
  noPayment: 'No matching payment has arrived yet.',
  letInquire: 'Let the robot ask for the status',
  letPay: 'Let the robot pay',
  letPaySilently: 'Let the robot pay without a report',
  inquire: 'Ask for the transaction status',
  letReportError: 'Let the robot report an error',
  letReport: 'Let the robot report',
};
