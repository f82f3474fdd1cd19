import type { Call } from '../command.ts';
import { CONNECTION } from '../connection.ts';
import { ENV_FILE_OPTION } from '../env-file.ts';

export const CHECK_OPTIONS = {
  customers: { value: '<file>', meaning: 'whom your VASP knows; `--init` writes an example' },
  symbol: { value: '<symbols>', meaning: 'ETH, XRP or both, separated by commas; default: both' },
  driver: { value: '<url>', meaning: 'endpoint at which your VASP is told what to do' },
  'driver-token': { value: '<token>', meaning: 'sent as Authorization: Bearer', env: 'DRIVER_TOKEN' },
  'allow-skipped': { meaning: 'accepts SKIPPED modules: what is missing for them does not make it red' },
  unattended: { meaning: 'nobody acts by hand: what needs it is skipped' },
  module: { value: '<ids>', meaning: 'only these modules, separated by commas; W3 means all of W3, D4 also D4.a' },
  clock: {
    value: '<clock>',
    meaning: '`sandbox` moves the time, `real` waits; a status query due later than `--wait` comes on order',
    default: 'sandbox',
  },
  wait: {
    value: '<duration>',
    meaning: 'real time for each act of your VASP; default: 10s, in a terminal by hand 10m',
  },
  'inquiry-wait': { value: '<duration>', meaning: 'real time for the inquiry of D4', default: '60s' },
  'expected-failures': { value: '<file>', meaning: 'conditions that may fail; one that does not makes it red' },
  junit: { value: '<file>', meaning: 'writes JUnit XML' },
  html: { value: '<file>', meaning: 'writes one web page with all evidence' },
  report: { value: '<file>', meaning: 'writes the report as JSON; `--json <file>` does so and prints it' },
  summary: { value: '<file>', meaning: 'writes a Markdown summary' },
  certificate: { value: '<file>', meaning: 'writes the signed report (`verify-report` checks it)' },
  'with-personal-data': { meaning: 'does not mask the data of persons, in the files and in the terminal' },
  list: { meaning: 'prints modules and conditions with their clauses' },
  schema: { meaning: 'prints the JSON Schema of the report' },
  init: { meaning: 'writes an example customers file; it overwrites nothing' },
  port: { value: '<port>', meaning: 'of the sandbox in memory', default: '8080' },
  ...ENV_FILE_OPTION,
  url: { value: '<url>', meaning: 'address of a running sandbox', env: 'ROBOT_VASP_URL' },
  'api-key': CONNECTION['api-key'],
} as const;

export type CheckValues = Call<typeof CHECK_OPTIONS>['values'];
