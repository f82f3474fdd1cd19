/** English texts of faults, chains and users. */

export const faults = {
  active: 'Active faults',
  none: 'No fault is active. Everything works normally. Add a fault below.',
  add: 'Add a fault',
  intro:
    'Choose a target, then a mode. If several faults match an event, the oldest one applies. A fault applies as often as “How often” says. If that is empty, it applies until you remove it.',
  noSuchTarget: 'There is no such target. Choose one above.',
  added: (mode: string, target: string) => `Added: ${mode} of ${target}.`,
  removed: 'The fault was removed.',
  allRemoved: (count: number) => (count === 1 ? '1 fault was removed.' : `${count} faults were removed.`),
  target: 'Target',
  verificationField: 'Verification (empty: all of your VASP)',
  showModes: 'Show its modes',
  ofVerification: 'of verification',
  ofEvery: 'of every verification of your VASP',
  caption: 'Active faults, oldest first',
  mode: 'Mode',
  applied: 'Applied',
  left: 'Left',
  untilRemoved: 'until removed',
  times: (count: number) => (count === 1 ? 'once' : `${count} times`),
  addedAt: 'Added',
  allOfYours: 'all of your VASP',
  remove: 'Remove',
  removeThis: (mode: string, target: string) => `Remove ${mode} of ${target}`,
  removeAll: (count: number) => `Remove all ${count}`,
  addShort: 'Add',
  addMode: (mode: string) => `Add ${mode}`,
  delay: 'Delay',
  status: 'Status',
  code: 'Code',
  message: 'Message',
  messageHint: 'text of the error',
  howOften: 'How often',
};

export const chains = {
  hold: 'Hold',
  release: 'Release',
  runs: 'Runs',
  inside: 'inside this program',
  outside: 'outside, configured by URL',
  address: 'Address',
  newestBlock: 'Newest block',
  unknown: 'unknown',
  readByRobot: 'Read by the robot',
  upTo: (height: number) => `up to ${height}`,
  onlyOperator: 'All VASPs share this chain. Only the operator has its controls.',
  noControls:
    'This chain runs outside, so the console has no controls and no faucet for it. Start the program without its URL to get an embedded chain with both.',
  faucet: 'Faucet',
  controls: 'Controls',
  amountIn: (symbol: string) => `Amount in ${symbol}`,
  xrpHint: 'r… or r…:tag',
  fund: 'Fund',
  paid: (amount: string, address: string) => `The faucet paid ${amount} to ${address}.`,
  done: (symbol: string, knob: string) => `${symbol}: ${knob} is done.`,
  newestIs: (height: number) => `The newest block is ${height}.`,
  silent: 'The chain does not answer at the moment.',
  cannotUndo: 'This cannot be undone.',
  network: 'Network',
  networkId: (network: string, id: number) => `${network}, id ${id}`,
  funds: 'Funds of the robot',
  fresh: 'fresh: the first transaction makes the next block',
  old: (duration: string) => `${duration} old`,
  callsInMinute: 'Calls in the last minute',
};

/** The controls of the embedded chains. */
export const knobs = {
  mine: { title: 'Mine', meaning: 'Mines new blocks.' },
  'hold-ETH': { title: 'Hold', meaning: 'No transaction gets into blocks until you release them.' },
  'hold-XRP': { title: 'Hold', meaning: 'No transaction gets into ledgers until you release them.' },
  reorg: {
    title: 'Reorganise',
    meaning: 'Replaces the newest blocks with others, as if another fork had won.',
  },
  'drop-ETH': { title: 'Drop a transaction', meaning: 'Removes a pending transaction.' },
  'fee-spike': {
    title: 'Fee spike',
    meaning: 'Sets the base fee of the next block. Every empty block lowers it by an eighth.',
  },
  'start-over': {
    title: 'Start over',
    meaning:
      'Replaces the chain by a new one, as a test network after a reset. Open verifications end as ERROR, unfinished transfers are CANCELED, balances start at zero.',
  },
  close: { title: 'Close', meaning: 'Closes a ledger now.' },
  'drop-XRP': {
    title: 'Drop the next submission',
    meaning: 'The submission is answered normally but never reaches a ledger.',
  },
  delay: {
    title: 'Delay the next submission',
    meaning: 'The submission is answered normally but reaches a ledger late.',
  },
  reorder: {
    title: 'Reorder the next close',
    meaning: 'Applies the newest submission first, so final results may differ from the provisional ones.',
  },
  'load-factor': {
    title: 'Load factor',
    meaning: 'Minimum fee = base fee × factor. The normal factor is 1.',
  },
  'forget-history': {
    title: 'Delete history',
    meaning: 'Deletes old ledgers, as on a server with little history.',
  },
};

/** Fields of the controls. */
export const knobFields = {
  blocks: 'Blocks',
  depth: 'Blocks',
  moved: 'Keep their transactions in the new blocks',
  txHash: 'Hash',
  baseFee: 'Wei per gas',
  closes: 'Delay in ledgers',
  factor: 'Factor',
  upTo: 'Up to this ledger',
};

export const users = {
  intro:
    'Every user has a behaviour, which decides the outcome of a test. Choose a user as the beneficiary of a withdrawal test or as the originator of a deposit test. Your changes affect only your VASP.',
  behaviour: 'Behaviour',
  any: 'Any',
  noneFits: 'No user has this behaviour. Clear the filter, or [add a user](#add).',
  allBehaviours: 'All behaviours',
  addUser: 'Add a user',
  add: 'Add',
  restoreTitle: 'Restore',
  restoreMeaning: 'Undoes all your changes and restores the removed users.',
  restore: 'Restore all users',
  restoreWarning: 'All users that you added go, and all your changes.',
  exists: (id: string) => `There is already a user ${id}. Change it, or choose another id.`,
  isUser: (name: string) => `${name} is now a user of the robot.`,
  sendTo: (id: string) => `Send a verification to ${id}`,
  removed: (id: string) => `${id} was removed for your VASP. Running tests with this user continue.`,
  restored: 'All users are restored.',
  kycDone: 'DONE',
  kycNotDone: 'NOT DONE',
  caption: 'Users of the robot',
  user: 'User',
  addresses: 'Addresses',
  actions: 'Actions',
  companyBy: (names: string) => `company, represented by ${names}`,
  send: 'Send',
  change: 'Change',
  changeThis: (id: string) => `Change ${id}`,
  file: 'Export and import',
  fileMeaning:
    'One file holds your changes of the users, and your faults. [Download setup.json](/console/users/setup.json). The command `robot-vasp setup` reads and writes the same file.',
  import: 'Import',
  fileField: 'Content of setup.json',
  fileHelp: 'Adds to what is there. The robot chooses the addresses of users, so they differ elsewhere.',
  noFile: 'This is no file of users and faults. Paste the whole content of setup.json.',
  imported: (users: number, faults: number) => `Imported: ${users} users, ${faults} faults.`,
};

/** One user, and the form of a user. */
export const user = {
  id: 'Id',
  source: 'Source',
  fixture: 'fixtures',
  changed: 'fixtures, changed by your VASP',
  added: 'added by your VASP',
  addressIn: (symbol: string) => `${symbol} address`,
  sendToThis: 'Send a verification to this user',
  remove: 'Remove',
  removeThis: (id: string) => `Remove ${id}`,
  removeWarning: (name: string) =>
    `${name} is removed for your VASP. Verifications to this user become UNKNOWN. Running tests continue.`,
  wasChanged: (name: string) => `${name} was changed for your VASP.`,
  idHelp: 'Small letters, digits and hyphens.',
  kind: 'Kind',
  natural: 'natural person',
  legal: 'company',
  kycDone: 'KYC is done',
  firstName: 'First name',
  lastName: 'Last name',
  legalName: 'Name of the company',
  representatives: 'Representatives',
  representativesHelp: 'One per line: last name, first name.',
};

/** Meanings of behaviours. Without an entry the API's own text is shown. */
export const behaviours: Partial<Readonly<Record<string, string>>> = {};
