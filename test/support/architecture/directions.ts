import type { Source } from './source.ts';

/** Each rule answers one text per violation. */
export type Rule = (sources: readonly Source[]) => string[];

/**
 * The imports that each folder may have. A file (`enclave/port.ts`) allows that file alone, `*` stands for one folder.
 * Composition stands in `app/`.
 */
export const MAY_IMPORT: Record<string, readonly string[]> = {
  kernel: [],
  contract: ['kernel'],
  db: ['contract', 'kernel'],
  timers: ['db', 'contract', 'kernel'],
  remarks: ['db', 'contract', 'kernel'],
  chains: ['contract', 'kernel'],
  vasps: ['db/transaction.ts', 'timers/loop.ts', 'http', 'contract', 'kernel'],
  screening: ['contract', 'kernel'],
  http: ['contract', 'kernel'],
  devnet: ['kernel'],
  'fault-injection': ['vasps/port.ts', 'timers', 'db', 'contract', 'kernel'],
  enclave: [
    'remarks',
    'fault-injection/port.ts',
    'vasps',
    'screening',
    'http',
    'timers',
    'db',
    'contract',
    'kernel',
  ],
  robot: [
    'remarks',
    'enclave/port.ts',
    'vasps/port.ts',
    'chains',
    'http',
    'timers',
    'db',
    'contract',
    'kernel',
  ],
  // Inside enclave and robot it does what their control ports say.
  sandbox: [
    'enclave/control.ts',
    'robot/control.ts',
    'enclave/port.ts',
    'vasps/port.ts',
    'chains/port.ts',
    'fault-injection',
    'remarks',
    'http',
    'timers',
    'db',
    'contract',
    'kernel',
  ],
  // The hosted mode: it decides who may use what of the sandbox.
  tenants: [
    'sandbox',
    'enclave/control.ts',
    'robot/control.ts',
    'http',
    'timers',
    'db',
    'contract',
    'kernel',
  ],
  // Control calls that play by the API of the program.
  runs: [
    'sandbox',
    'plans',
    'client/client.ts',
    'enclave/control.ts',
    'http',
    'timers',
    'db',
    'contract',
    'kernel',
  ],
  // Plays by the API of the program, like a client, and keeps its runs in the database.
  plans: ['client', 'vasps', 'chains/port.ts', 'http', 'timers', 'db', 'contract', 'kernel'],
  // Both know the program by its API alone.
  client: ['sandbox/*/schema.ts', 'tenants/*/schema.ts', 'contract', 'kernel'],
  // It shows the example bodies of the API document.
  guide: [
    'console',
    'client',
    'http/kept-pages.ts',
    'http/openapi/example-refusals.ts',
    'http/openapi/vasp-bodies.ts',
    'contract',
    'kernel',
  ],
  console: ['client', 'timers/loop.ts', 'contract', 'kernel'],
  // Tools for agents: each is one call of the API, or a page of the guide.
  mcp: ['http', 'guide', 'console/texts', 'contract', 'kernel'],
  // A program of its own: it knows the sandbox by its API alone.
  'reference-vasp': ['client', 'timers/loop.ts', 'contract', 'kernel'],
  // Loads the bundles of the program.
  launch: ['testing.ts', 'kernel'],
  // Starts programs, and talks to running ones by their API alone.
  cli: [
    'main.ts',
    'app/storage',
    'app/config/config.ts',
    'reference-vasp/join.ts',
    'devnet/xrpl/serve.ts',
    'plans/catalogue.ts',
    'plans/outcome.ts',
    'plans/report/certificate.ts',
    'client',
    'sandbox/*/schema.ts',
    'timers/loop.ts',
    'contract',
    'kernel',
  ],
};

/** Code that runs the program, as a whole or beside it: it knows the composition. */
const COMPOSITION = ['', 'app', 'testing'];

export const moduleOf = (path: string): string =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : '';

/** True: the path is the file, or is in the folder of that name. */
const isWithin = (path: string, name: string): boolean =>
  name.includes('*')
    ? path.split('/').length === name.split('/').length &&
      name.split('/').every((part, index) => part === '*' || part === path.split('/')[index])
    : path === name || path.startsWith(`${name}/`);

export const directions: Rule = sources =>
  sources.flatMap(({ path, imports }) => {
    const from = moduleOf(path);
    if (COMPOSITION.includes(from)) return [];
    const allowed = MAY_IMPORT[from];
    if (!allowed) return [`${path}: ${from} is no module of the table`];
    return imports
      .filter(({ isOwn, to }) => isOwn && moduleOf(to) !== from)
      .filter(({ to }) => !allowed.some(name => isWithin(to, name)))
      .map(({ to }) => `${path} imports ${to}`);
  });

/** Files that import each other, directly or by others. Type imports count: a type has one home too. */
export const cycleRule: Rule = sources => {
  const importsOf = new Map(
    sources.map(({ path, imports }) => [path, imports.filter(({ isOwn }) => isOwn).map(({ to }) => to)]),
  );
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || finished.has(path)) return;
    for (const to of importsOf.get(path) ?? []) visit(to, [...trail, path]);
    finished.add(path);
  };
  for (const path of importsOf.keys()) visit(path, []);
  return cycles;
};

/** The same for whole folders: of two, at most one knows the other. */
export const folderRule: Rule = sources => {
  const imports = new Map<string, Source['imports']>();
  for (const { path, imports: own } of sources) {
    const folder = moduleOf(path) || path;
    const others = own
      .map(each => ({ ...each, to: moduleOf(each.to) || each.to }))
      .filter(({ to }) => to !== folder);
    imports.set(folder, [...(imports.get(folder) ?? []), ...others]);
  }
  return cycleRule([...imports].map(([path, of]) => ({ path, imports: of }) as Source));
};
