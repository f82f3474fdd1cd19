import { type Source, staticallyReachable } from './source.ts';

/** Each rule returns one text per violation. */
export type Rule = (sources: readonly Source[]) => string[];

const CLOCK =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bsetTimeout\b|\bsetInterval\b|\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bperformance\.now\b|\btimers\/promises\b/g;
const mayTellTime = (path: string) => /^(kernel|devnet)\//.test(path) || path === 'timers/loop.ts';

export const clockRule: Rule = sources =>
  sources
    .filter(({ path }) => !mayTellTime(path))
    .flatMap(({ path, code }) => [...code.matchAll(CLOCK)].map(([word]) => `${path} says ${word}`));

/** The adapters are the heaviest part of the program: they are loaded when they are first needed. */
export const lazyChains: Rule = sources =>
  [...staticallyReachable(sources, 'app/compose.ts')].flatMap(([path, packages]) =>
    packages
      .filter(name => /^(ethers|xrpl|ripple-(?!address)[a-z-]+|prom-client)(\/|$)/.test(name))
      .map(name => `app/compose.ts loads ${name} by ${path}`),
  );

/** The text between the parenthesis that opens at `from` and its partner. */
function argumentsAt(code: string, from: number): string {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    if ('([{'.includes(code[at]!)) depth++;
    if (')]}'.includes(code[at]!) && --depth === 0) return code.slice(from + 1, at);
  }
  return code.slice(from + 1);
}

/** `db/transition.ts` alone moves a status; a row begins in the initial state of its machine. */
export const statusRule: Rule = sources =>
  sources
    .filter(({ path }) => path !== 'db/transition.ts' && !path.startsWith('devnet/'))
    .flatMap(({ path, code }) => {
      const said = (what: string) => `${path}: ${what}`;
      const changes = [...code.matchAll(/(?:\.set|\bpatch|Store?\.patch)\(|\bpatch:\s*\{|\bset:\s*\{/g)]
        .map(({ index, 0: opening }) => argumentsAt(code, index + opening.length - 1))
        .filter(given => /(^|[\s{,])status\s*[:,}]/.test(given))
        .map(() => said('sets a status'));
      const sql = [...code.matchAll(/UPDATE[\s\S]{0,200}?SET[^;`]{0,200}?\bstatus"?\s*=/gi)].map(() =>
        said('sets a status in SQL'),
      );
      const inserts = [...code.matchAll(/\.(?:insert|values)\(/g)]
        .map(({ index, 0: opening }) => argumentsAt(code, index + opening.length - 1))
        .flatMap(given => [...given.matchAll(/(?:^|[\s{,])status:\s*([^,}\n]+)/g)])
        .filter(([, value]) => !/^\w+Machine\.initial$/.test(value!.trim()))
        .map(([, value]) => said(`inserts status ${value!.trim()}`));
      return [...changes, ...sql, ...inserts];
    });

/** SQL text stands in `db/` alone; a typed column needs no cast, and a JSON column no `JSON` of its reader. */
export const sqlRule: Rule = sources =>
  sources
    .filter(({ path }) => !/^(db|devnet)\//.test(path))
    .flatMap(({ path, code }) =>
      [
        /\b(?:db|tx|deps\.db)\.sqlite\b|\bsqlite\.(?:prepare|exec|pragma)\(/g,
        /\b(?:row|transfer|deposit|expectation|verification|assessment|callback)\.(?:status|symbol|callbackType|kind) as (?!const\b)/g,
        /\bJSON\.parse\((?:row|transfer|deposit|expectation|verification|assessment|callback|attempt|last)\.\w+/g,
      ].flatMap(pattern => [...code.matchAll(pattern)].map(([text]) => `${path} says ${text}`)),
    );

const EMPTY_NAMES = /(^|\/)(utils?|helpers?|types?|common|misc|index|shared)\.tsx?$/;

export const nameRule: Rule = sources => [
  ...sources.filter(({ path }) => EMPTY_NAMES.test(path)).map(({ path }) => `${path}: a name that says nothing`),
  ...sources
    .filter(({ path }) => !/^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(path.slice(path.lastIndexOf('/') + 1)))
    .map(({ path }) => `${path}: not kebab-case`),
];

/** A file that only hands on what others export. */
export const barrelRule: Rule = sources =>
  sources
    .filter(({ code, imports }) => {
      const handsOn = imports.some(({ isReExport }) => isReExport);
      const hasOwn =
        /^export\s+(?:default|(?:abstract |async |declare )?(?:const|let|function|class|interface|type \w))/m;
      return /^export\s+(?:type\s+)?\*/m.test(code) || (handsOn && !hasOwn.test(code));
    })
    .map(({ path }) => `${path} only exports what is another file's`);

const exportsOf = (code: string): string[] =>
  [...code.matchAll(/^export\s+(?:async\s+)?(?:const|function\*?|class)\s+(\w+)/gm)].map(([, name]) => name!);
const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.tsx?$/, '');

/** The contents that a file of a fixed name may have. */
export const fixedNames: Rule = sources =>
  sources
    .filter(({ path }) => /^(enclave|robot|sandbox|vasps|chains|screening)\//.test(path))
    .flatMap(({ path, code, imports }) => {
      const exported = exportsOf(code);
      switch (fileName(path)) {
        case 'machine':
          return [
            ...(/\bmachine\(/.test(code) ? [] : [`${path} declares no machine`]),
            ...(/=>\s*\{|\bfunction\b|\bawait\b/.test(code) ? [`${path} does more than state data`] : []),
          ];
        case 'routes':
          return exported.length === 1 && exported[0]!.endsWith('Endpoints')
            ? []
            : [`${path} exports more than one list of endpoints`];
        case 'port':
        case 'deps':
          return imports
            .filter(({ kind, isOwn }) => isOwn && kind !== 'type')
            .map(({ to }) => `${path} runs code of ${to}`);
        case 'store':
          return imports.some(({ to }) => /(^|\/)db\/|^drizzle-orm/.test(to)) ? [] : [`${path} has no SQL`];
        default:
          return [];
      }
    });

const MAX_LINES = 400;
export const sizeRule: Rule = sources =>
  sources.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path} has ${lines} lines`);
