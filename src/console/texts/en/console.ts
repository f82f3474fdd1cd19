/** English texts of every console page. Functions take values. `Prose` shows the inline Markdown of a text. */

export const groups = { Test: 'Test', Look: 'Look', Steer: 'Steer', 'Set up': 'Set up' };

/** Titles of the pages. */
export const pages = {
  Overview: 'Overview',
  'Guided tests': 'Guided tests',
  'Withdrawal test': 'Withdrawal test',
  'Deposit test': 'Deposit test',
  Checks: 'Checks',
  Check: 'Check',
  Send: 'Send',
  IVMS101: 'IVMS101',
  Verifications: 'Verifications',
  Verification: 'Verification',
  Callbacks: 'Callbacks',
  Exchanges: 'Exchanges',
  Money: 'Money',
  Assessments: 'Assessments',
  Time: 'Time',
  Faults: 'Faults',
  Chains: 'Chains',
  'Transaction on chain': 'Transaction on chain',
  Users: 'Users',
  User: 'User',
  'My VASP': 'My VASP',
  Keys: 'Keys',
  Usage: 'Usage',
  Operator: 'Operator',
  Guide: 'Guide',
  API: 'API',
  'Not found': 'Not found',
};

/** Header, navigation and banner. */
export const frame = {
  skip: 'Skip to the content',
  pages: 'Pages',
  pagesOf: (group: string) => `Pages of ${group}`,
  breadcrumbs: 'Breadcrumbs',
  menu: 'Menu',
  find: 'Find anything',
  language: 'Language',
  zone: 'Switch between UTC and local time',
  signedIn: 'The signed-in VASP',
  noForm: 'The body is no form. Send it as the page does.',
  noSuchEntry: 'There is no such entry, or it belongs to other VASPs. Choose one from {list}.',
  noSuchPage: 'There is no such page. Go to the [overview](/console), or choose one from the navigation.',
  conditions: 'Conditions of the sandbox',
  held: (chains: string) => `**${chains}** held: no transaction gets into a block`,
  faults: (count: number) => `**${count === 1 ? '1 fault' : `${count} faults`}** active`,
  apiCall: 'The API call',
  timeMoved: (duration: string) => `Time moved: **${duration}** ahead of the machine`,
};

/** Texts that scripts show. */
export const scripts = {
  copy: 'Copy',
  copied: 'Copied',
  localTime: 'Local time',
  local: 'local',
  serverGone:
    'The server does not answer. This page may be out of date. It goes on by itself when the server is back.',
  streamBroken: 'Live updates are interrupted. This page may be out of date.',
  keys: 'Keys',
  close: 'Close',
  keySearch: 'Search everything',
  keyPalette: 'Open the palette of all pages and actions',
  keyKeys: 'List the keys',
  keyRows: 'Next and previous row of the first table',
  keyOpen: 'Open the row',
  keyNeighbours: 'Newer and older verification',
  paletteTitle: 'Go to a page or an action',
  paletteHint: 'Page or action, or any search',
  paletteField: 'Page or action',
  paletteSearch: 'Search',
};

/** Entries of the palette beside pages and requests. */
export const palette = {
  open: 'Open verifications',
  denied: 'Denied verifications',
  givenUp: 'Callbacks that were given up',
  unanswered: 'Exchanges without an answer',
  slow: 'Slow exchanges',
  advance: 'Advance the time',
  fault: 'Order a fault',
  faucet: 'Use the faucet',
  addUser: 'Add a user',
  callEndpoints: 'Call my endpoints',
};

export const overview = {
  yourVasp: 'Your VASP',
  counterpart: 'Counterpart',
  sandboxTime: 'Sandbox time',
  sameTime: 'same as the machine',
  ahead: (duration: string) => `${duration} ahead of the machine`,
  advance: 'Advance',
  state: 'State',
  attention: 'Needs attention',
  calm: 'Nothing at the moment.',
  replayAll: 'Replay all',
  why: 'Why',
  firstSteps: 'First steps',
  firstStepsFolded: 'First steps and addresses to configure',
  resultsByHour: 'Results by hour',
  latencies: 'How fast your VASP answers',
  latestVerifications: 'Latest verifications',
  noVerification: 'None yet. [Send the first one](/console/send).',
  latestCallbacks: 'Latest callbacks',
  noCallback: 'None yet. The first one comes after a verification.',
};

/** `{address}`, `{robot}` and `{vaspId}` are filled by the page. */
export const firstSteps = {
  configure:
    'Configure this address in your VASP: {address}. Use it as `{base_url}` of the enclave and as `{robot_base_url}` of the robot.',
  withdraw:
    'Let it withdraw to {robot}, vaspId {vaspId}. Choose the address of one of [its users](/console/users).',
  endpoints:
    'Enter the endpoints of your VASP in [My VASP](/console/settings), and let the sandbox call them.',
  send: '[Send](/console/send) has a ready-made form for every request and every action of the robot. You can try them without a VASP of your own.',
  time: 'Do not wait: [advance the time](/console/timers).',
  ledgers: 'Send your transfers to the chains on this page. They are real ledgers inside this program.',
  api: 'The [API documentation](/docs) has every request and every error.',
};

/** Pages of the API. */
export const docs = {
  needsScripts: 'This page needs JavaScript. The link openapi.json above leads to the document itself.',
  snippets:
    'The [API document](/docs) describes this operation. The Python code uses the package `requests`.',
};

export const time = {
  now: 'now',
  ago: (distance: string) => `${distance} ago`,
  ahead: (distance: string) => `in ${distance}`,
  d: ' d',
  h: ' h',
  min: ' min',
  s: ' s',
};
