/**
 * Which folder of `src/` imports what. A folder may import itself and what stands in its line: a folder, or one file; `*`
 * stands for one folder. Every folder stands below those that it imports, so no two of them import each other.
 */
const MAY_IMPORT = {
  kernel: [],
  contract: ['kernel'],
  db: ['contract', 'kernel'],
  timers: ['db', 'contract', 'kernel'],
  findings: ['db', 'contract', 'kernel'],
  chains: ['contract', 'kernel'],
  screening: ['contract', 'kernel'],
  http: ['contract', 'kernel'],
  vasps: ['db/transaction.ts', 'timers/loop.ts', 'http', 'contract', 'kernel'],
  devnet: ['kernel'],
  'fault-injection': ['vasps/port.ts', 'timers', 'db', 'contract', 'kernel'],
  enclave: ['findings', 'fault-injection/port.ts', 'vasps', 'screening', 'http', 'timers', 'db', 'contract', 'kernel'],
  robot: ['findings', 'enclave/port.ts', 'vasps/port.ts', 'chains', 'http', 'timers', 'db', 'contract', 'kernel'],
  // Inside enclave and robot it does what their control ports say.
  sandbox: [
    ...['enclave/control.ts', 'robot/control.ts', 'enclave/port.ts', 'vasps/port.ts', 'chains/port.ts'],
    ...['robot/users/user.ts'],
    // It asks the processes of robots that have joined for their timers.
    'vasps/http-client.ts',
    ...['fault-injection', 'findings', 'http', 'timers', 'db', 'contract', 'kernel'],
  ],
  // The hosted mode: it decides who may use what of the sandbox.
  tenants: ['sandbox', 'enclave/control.ts', 'robot/control.ts', 'http', 'timers', 'db', 'contract', 'kernel'],
  // It knows the program by its API alone.
  client: [
    ...['enclave/calls.ts', 'robot/calls.ts', 'sandbox/*.ts', 'sandbox/*/schema.ts'],
    ...['tenants/*.ts', 'tenants/*/schema.ts'],
    ...['contract', 'kernel'],
  ],
  // Plays by the API of the program, like a client, and keeps its runs in the database.
  plans: ['client', 'vasps', 'chains/port.ts', 'http', 'timers', 'db', 'contract', 'kernel'],
  // Control calls that play by the API of the program.
  runs: ['sandbox', 'plans', 'client/client.ts', 'enclave/control.ts', 'http', 'timers', 'db', 'contract', 'kernel'],
  console: ['client', 'timers/loop.ts', 'contract', 'kernel'],
  // It shows the example bodies of the API document.
  guide: [
    ...['http/kept-pages.ts', 'http/openapi/examples.ts'],
    ...['console', 'client', 'contract', 'kernel'],
  ],
  // Tools for agents: each is one call of the API, or a page of the guide.
  mcp: ['http', 'guide', 'console/texts', 'contract', 'kernel'],
  // A program of its own: it knows the sandbox by its API alone.
  'reference-vasp': ['client', 'timers/loop.ts', 'contract', 'kernel'],
};
MAY_IMPORT.app = Object.keys(MAY_IMPORT);
Object.assign(MAY_IMPORT, {
  'main.ts': ['app', 'http', 'db', 'contract', 'kernel'],
  // Starts programs, and talks to running ones by their API alone.
  cli: [
    ...['main.ts', 'app/storage.ts', 'app/config/config.ts', 'reference-vasp/join.ts'],
    ...['reference-vasp/customers.ts', 'devnet/xrpl/ledger.ts'],
    ...['plans/catalogue.ts', 'plans/outcome.ts', 'plans/report/mask.ts', 'plans/report/certificate.ts'],
    ...['client', 'sandbox/*.ts', 'sandbox/*/schema.ts', 'timers/loop.ts', 'contract', 'kernel'],
  ],
  'cli.ts': ['cli', 'kernel'],
  testing: [
    ...['app/config/config.ts', 'sandbox/scenarios/provocations.ts', 'timers/loop.ts'],
    ...['client', 'contract', 'kernel'],
  ],
  'testing.ts': ['main.ts', 'testing', 'app', 'client', 'chains', 'devnet', 'contract', 'kernel'],
  // Loads the bundles of the program.
  launch: ['testing.ts', 'kernel'],
});

/** The files that import a package. `drizzle-orm` is SQL, and SQL stands in stores. */
const PACKAGES = {
  hono: [
    ...['http', 'console', 'devnet', 'guide', 'vasps/serve-vasp.ts', '**/routes.ts', '**/routes.tsx'],
    ...['app/callers/callers.ts', 'app/parts/serving.ts', 'app/parts/robot.ts', 'app/parts/sandbox.ts'],
  ],
  '@hono/': ['testing.ts', 'http/listener.ts', 'devnet', 'reference-vasp'],
  ethers: ['chains/ethereum', 'chains/ethereum.ts', 'devnet', 'reference-vasp/ledgers'],
  xrpl: ['chains/xrpl', 'chains/xrpl.ts', 'devnet', 'reference-vasp/ledgers'],
  'ripple-': ['chains/xrpl', 'chains/xrpl.ts', 'devnet', 'contract/assets.ts'],
  ws: ['devnet'],
  'drizzle-orm': ['db', 'console', '**/store.ts', '**-store.ts', 'timers/sandbox-clock.ts'],
  'better-sqlite3': ['db', 'devnet', 'reference-vasp/store.ts', 'kernel/sqlite-module.ts'],
  'prom-client': ['http/monitoring.ts'],
  commander: ['cli'],
  pino: ['kernel/log.ts'],
  // `kernel/http-client.ts` is the one client of the program.
  undici: [],
};

const folders = Object.keys(MAY_IMPORT);
const escaped = text => text.replaceAll('.', '\\.').replaceAll('**', '.+').replaceAll('*', '[^/]+');
const pattern = name => `^src/${escaped(name)}${/\.tsx?$/.test(name) ? '$' : '/'}`;
const topOf = name => (MAY_IMPORT[name] ? name : name.split('/')[0]);

for (const [folder, allowed] of Object.entries(MAY_IMPORT))
  for (const name of allowed)
    if (folders.indexOf(topOf(name)) >= folders.indexOf(folder))
      throw new Error(`${folder} may import ${name}, which stands below it`);

const directions = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `${folder} imports what its line names`,
  from: { path: pattern(folder) },
  to: { path: '^src/', pathNot: [folder, ...allowed].map(pattern) },
}));

const packages = Object.entries(PACKAGES).map(([name, files]) => ({
  name: `${name} is imported where its job is done`,
  from: { path: '^src/', pathNot: files.map(pattern) },
  to: { path: `(^|node_modules/)${name}${/[/-]$/.test(name) ? '' : '(/|$)'}` },
}));

const others = [
  { name: 'no file imports itself through others', from: {}, to: { circular: true } },
  {
    name: 'every file is in a folder of the table',
    from: { path: '^src/.+\\.tsx?$', pathNot: folders.map(pattern) },
    to: {},
  },
  {
    name: 'the robot reads no table of the enclave',
    from: { path: '^src/(robot|sandbox)/' },
    to: { path: '^src/db/schema/enclave\\.ts$' },
  },
  {
    name: 'the enclave reads no table of the robot',
    from: { path: '^src/(enclave|sandbox)/' },
    to: { path: '^src/db/schema/robot\\.ts$' },
  },
];

export default {
  forbidden: [...directions, ...packages, ...others].map(rule => ({ severity: 'error', ...rule })),
  options: {
    parser: 'tsc',
    // A type has one home, too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
