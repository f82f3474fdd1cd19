import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { loadConfig, VARIABLES } from '../src/app/config/config.ts';
import { client } from '../src/client/client.ts';
import { type AssetInfo, priceOf } from '../src/contract/assets.ts';
import { blocksOf, DOCUMENTS, DOCUMENTS_OF_THE_CODE, lasting, MANUAL, rowsOf, section } from './support/docs/manual.ts';
import { ROOT } from './support/paths.ts';
import { freePort, type Program, program } from './support/process/program.ts';

describe('every block for a bash, pasted into one, section after section', () => {
  /** It speaks with its own copy of the program: test/readme-ci.slow.test.ts. */
  const ALONE = 'From the shell';
  /** What a VASP receives, which no script prints: test/http/vasp-bodies.test.ts. */
  const BODIES = /^### The bodies$/m;
  const titles = [...MANUAL.matchAll(/^## (.+)$/gm)].map(([, title]) => title!);
  const pasted = titles
    .filter(title => title !== ALONE)
    .map(title => blocksOf(section(title).split(BODIES)[0]!))
    .filter(blocks => blocks.some(({ language }) => language === 'bash'));

  /** The text below a script, up to the next one, is its output. */
  const scripts = pasted.flat().reduce<{ script: string; promised: string }[]>((all, { language, text }) => {
    if (language === 'bash') all.push({ script: text, promised: '' });
    else if (language === 'text' || language === 'json') all.at(-1)!.promised += text;
    return all;
  }, []);

  let built: Program;
  let printed: string[];
  beforeAll(async () => {
    built = await program();
    await built.start();
    const marked = scripts.map(({ script }) => `${script}\necho '--- end of block'\n`).join('');
    const ports = await freePorts(marked);
    const script = replaced(marked.replaceAll('http://127.0.0.1:8080', built.url), ports);
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, timeout: 60_000 });
    const asWritten = ports.map(([written, free]) => [free, written] as const);
    printed = replaced(stdout, asWritten).split('--- end of block\n');
  });
  afterAll(() => built.close());

  test('every block answers what stands below it', () => {
    expect(scripts.length).toBeGreaterThan(14);
    expect(printed.slice(0, -1).map(lasting)).toEqual(scripts.map(({ promised }) => lasting(promised)));
  });

  test('the price of each amount is right, and so is what follows from it', async () => {
    const { verifications } = await client(built.url).verifications({ limit: 50 });
    const priced = await Promise.all(
      verifications.map(async ({ verificationUuid }) => {
        const response = await fetch(`${built.url}/v1/verifications/${verificationUuid}`);
        const { assetInfo } = (await response.json()) as { assetInfo: AssetInfo };
        return assetInfo;
      }),
    );
    expect(priced.length).toBeGreaterThan(4);
    const right = priced.map(({ symbol, amount, tradeCurrency }) =>
      priceOf(symbol, amount, tradeCurrency as 'KRW' | 'EUR'),
    );
    expect(priced.map(({ tradePrice }) => tradePrice)).toEqual(right);
    const codes = verifications.flatMap(({ findings }) => findings.map(({ code }) => code));
    expect(codes).not.toContain('THRESHOLD-WRONG');
  });

  test('both withdrawals end in the balance', () => {
    const balances = printed.join('').matchAll(/"symbol":"(ETH|XRP)","address":.*"value":"([^"]*)"/g);
    expect([...balances].map(([, symbol, value]) => [symbol, value])).toEqual([
      ['ETH', '0.024'],
      ['XRP', '25'],
    ]);
  });
});

/** The blocks listen on ports 91xx, which another program of this machine may use. */
const freePorts = (script: string): Promise<(readonly [written: string, free: string])[]> =>
  Promise.all(
    [...new Set(script.match(/\b91\d\d\b/g))].map(async written => [written, String(await freePort())] as const),
  );

const replaced = (text: string, pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((changed, [from, to]) => changed.replace(new RegExp(`\\b${from}\\b`, 'g'), to), text);

describe('the configuration table', () => {
  const rows = rowsOf(section('Configuration')).filter(([name]) => name!.startsWith('`'));
  const settings = rows.map(([name, value]) => ({ name: name!.replaceAll('`', ''), value: value! }));

  test('names every variable of the configuration and no other, in order', () => {
    expect(settings.map(({ name }) => name)).toEqual(VARIABLES);
  });

  test('its defaults, given, make the same configuration as nothing', () => {
    const given = settings.filter(({ value }) => value.startsWith('`'));
    const env = Object.fromEntries(given.map(({ name, value }) => [name, value.replaceAll('`', '')]));
    expect(loadConfig(env)).toEqual(loadConfig({}));
  });

  test('what it gives no default has none, and only keys have a development value', () => {
    const leaves = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null
        ? Array.isArray(value) && value.length === 0
          ? [undefined]
          : Object.values(value).flatMap(leaves)
        : [value];
    const { ethereum, xrpl, ...others } = loadConfig({});
    // The hosted mode makes the keys of the faucets. No variable sets them.
    const { faucetMnemonic, ...ofEthereum } = ethereum;
    const { faucetSeed, ...ofXrpl } = xrpl;
    expect([faucetMnemonic, faucetSeed]).toEqual([undefined, undefined]);
    const unset = leaves([ofEthereum, ofXrpl, others]).filter(value => value === undefined);
    expect(settings.filter(({ value }) => value === '–')).toHaveLength(unset.length);
    const development = settings.filter(({ value }) => value === 'development value');
    expect(development.map(({ name }) => name)).toEqual([
      'ROBOT_MNEMONIC',
      'XRPL_SEED',
      'PROVIDER_A_SANCTION_API_KEY',
      'PROVIDER_A_KYT_API_KEY',
      'PROVIDER_B_WCO_API_KEY',
      'PROVIDER_B_WCO_GROUP_ID',
    ]);
  });
});

test('every decision of the clauses has its row, once, in order', () => {
  const ids = rowsOf(section('Decisions')).map(([id]) => id!);
  const clauses = readFileSync(join(ROOT, 'src/contract/clauses.md'), 'utf8');
  const expected = [...clauses.matchAll(/^- (D-\d+) /gm)].map(([, id]) => id!);
  expect(expected.length).toBeGreaterThan(30);
  expect(expected).toEqual([...expected].sort());
  expect(ids.filter(id => id.startsWith('D-'))).toEqual(expected);
});

test('every user and script that the manual names exists', () => {
  const users = JSON.parse(readFileSync(join(ROOT, 'fixtures/users.json'), 'utf8')) as { id: string }[];
  const named = rowsOf(section('Every result and reason')).map(([sent]) => sent!);
  const userIds = named.flatMap(sent => [...sent.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, id]) => id!));
  expect(userIds.length).toBeGreaterThan(8);
  expect(userIds.filter(id => !users.some(user => user.id === id))).toEqual([]);

  const scripts = [...MANUAL.matchAll(/npm run ([a-z:]+)/g)].map(([, script]) => script!);
  expect(scripts.filter(script => !(script in packageJson.scripts))).toEqual([]);
});

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-');

test.each([...DOCUMENTS, ...DOCUMENTS_OF_THE_CODE].map(document => [document.path, document] as const))(
  'every link of %s leads to a file, and to a heading of it',
  (path, { text }) => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    for (const link of links.filter(each => !/^[a-z]+:/.test(each))) {
      const [file, anchor] = link.split('#') as [string, string?];
      const target = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file);
      expect(existsSync(target), link).toBe(true);
      if (!anchor) continue;
      const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);
      expect(headings.map(anchorOf), link).toContain(anchor);
    }
  },
);
