import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { command, run } from '../../src/cli/command.ts';
import { load } from '../../src/cli/commands.ts';
import { cannotOpen } from '../../src/cli/input.ts';
import { build, version } from '../../src/kernel/program.ts';
import { commandHere, robotVasp } from '../support/process/command-line.ts';
import { selfSignedServer, WANTS_CLIENT_CERTIFICATE } from '../support/vasp/self-signed-server.ts';

interface Help {
  name: string;
  summary: string;
  args?: { name: string }[];
  options: Record<string, { meaning: string; default?: string; env?: string }>;
  exits: Record<string, string>;
  examples: string[];
}

/** As the program runs a command, with standard output and error for itself. */
async function inProcess(name: string, argv: string[]) {
  const [out, error]: [string[], string[]] = [[], []];
  const terminal = { env: {}, out: (text: string) => out.push(text), error: (text: string) => error.push(text) };
  const code = await run(await load(name), argv, terminal);
  return { code, out, error };
}

const overview = await robotVasp(['help', '--json']);
const commands = (JSON.parse(overview.stdout) as { commands: Help[] }).commands;

test.each([[['--help']], [['help']], [['-h']]])('%j names every command and every exit code', async argv => {
  const { code, stdout, stderr } = await robotVasp(argv);
  expect([code, stderr]).toEqual([0, '']);
  for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`^ +${name} +${summary}$`, 'm'));
  expect(stdout.match(/^ {2}[0-4] /gm)).toHaveLength(5);
});

describe.each(commands)('$name --help', ({ name, args = [], options, exits, examples }) => {
  test('says everything, and starts nothing', async () => {
    const { code, out, error } = await inProcess(name, ['--help']);
    expect([code, error]).toEqual([0, []]);
    const stdout = out.join();
    for (const [option, { meaning, default: fallback, env }] of Object.entries(options))
      for (const part of [`--${option}`, meaning, fallback || '', env ? `$${env}` : '']) expect(stdout).toContain(part);
    for (const [exit, meaning] of Object.entries(exits))
      expect(stdout).toMatch(new RegExp(`^ +${exit} +${meaning}$`, 'm'));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(stdout).toContain(example);
    for (const each of args) expect(stdout).toContain(each.name.slice(1, -1));
  });

  test('an unknown option is exit code 2, and says what is possible', async () => {
    const { code, out, error } = await inProcess(name, [...args.map(() => '1s'), '--colour', 'red']);
    expect([code, out, error.length]).toEqual([2, [], 1]);
    const [message = ''] = error;
    expect(message).toMatch(new RegExp(`^robot-vasp ${name}: .*'--colour'`));
    for (const option of Object.keys(options)) expect(message).toContain(`--${option}`);
  });
});

test.each([
  [['advance'], "missing required argument 'duration'"],
  [['advance', '-5m'], "unknown option '-5m'"],
  [['advance', '1m', '2m'], 'unexpected argument `2m`'],
  [['status', 'please'], 'unexpected argument `please`'],
  [['replay'], "missing required argument 'callback id'"],
  [['scenarios', '--symbol', 'BTC'], '--symbol: `BTC` is none of ETH, XRP.'],
  [['wait'], 'give exactly one of'],
  [['wait', '--ready', '--callback', 'TX_REPORT'], 'give exactly one of'],
  [['wait', '--result', 'VERIFIED'], '--verification'],
  [
    ['wait', '--result', 'FINE', '--verification', 'x'],
    '--result: `FINE` is none of VERIFIED, DENIED, UNKNOWN, ERROR.',
  ],
  [['wait', '--transfer', 'CREDITED', '--verification', 'x'], 'WAIT-CONFIRM'],
  [['wait', '--received-payment', 'PENDING', '--verification', 'x'], 'UNATTRIBUTED'],
  [['wait', '--ready', '--after', '1'], '--after'],
  [['wait', '--ready', '--timeout', 'soon'], '`soon` is not a duration'],
  [['advance', '10'], '`10` is not a duration'],
  [['status', '--url', 'nowhere'], '`nowhere` is not an address'],
  [['status', '--url', 'http://user:secret@127.0.0.1:8080'], '--url: write the address without a user, `?` and `#`.'],
  [['status', '--url', 'http://127.0.0.1:8080/#part'], '--url: write the address without a user, `?` and `#`.'],
  [['status', '--url', 'http://127.0.0.1:8080?a=1'], '--url: write the address without a user, `?` and `#`.'],
  [['status', '--url'], '--url'],
  [['status', '--jsn'], 'Did you mean --json?'],
  [['wait', '--result', 'verifed', '--verification', 'x'], 'Did you mean `VERIFIED`?'],
  [['wait', '--callback', 'TX-REPORT'], '--callback: `TX-REPORT` is none of VERIFICATION_RESULT, TX_REPORT,'],
  [['deposit', '--symbol', 'BTC'], '--symbol: `BTC` is none of ETH, XRP.'],
  [['verifications', '--result', 'denid'], '--result: `denid` is none of'],
  [['verifications', '--role', 'payer'], '--role: `payer` is none of originating, beneficiary.'],
  [['callbacks', '--status', 'delivred'], 'Did you mean `DELIVERED`?'],
  [['exchanges', '--direction', 'both'], '--direction: `both` is none of IN, OUT.'],
  [['chain', 'resume', 'BTC'], '`BTC` is none of ETH, XRP.'],
  [['check', 'complet'], 'Did you mean `complete`?'],
  [['tail', '--kind', 'calback'], 'Did you mean `callback`?'],
  [['tail', '--count', 'many'], '`many` is not a number'],
  [['setup', 'exprt', 'x.json'], 'Did you mean `export`?'],
  [['setup', 'import', 'nowhere.json'], 'nowhere.json cannot be read (ENOENT)'],
  [['open', 'verification'], 'Did you mean `verifications`?'],
  [['init', '--callback', 'here'], '`here` is not an address'],
  [['init', '--callback', 'http://127.0.0.1:1/callback#part'], 'has a user or `#`'],
  [['init', '--callback', 'http://user@127.0.0.1:1/callback'], 'has a user or `#`'],
  [['serve', '--port', 'many'], '--port: write a number from 0 to 65535'],
  [['serve', '--prot', '1'], 'Did you mean --port?'],
  [['ledger', '--port', 'x', '--database', 'ledger.sqlite '], '--database: the name begins or ends with a blank'],
  [['vasp', '--database', ' '], '--database: the name begins or ends with a blank'],
  [['serve', '--env-file', 'nowhere.env'], 'nowhere.env cannot be read (ENOENT)'],
])('%j is exit code 2 and says why, to people and to machines', async ([name, ...argv], why) => {
  const people = await inProcess(name!, argv);
  expect(people).toMatchObject({ code: 2, out: [], error: [expect.stringContaining(why)] });
  const machine = await inProcess(name!, ['--json', ...argv]);
  const failure = JSON.parse(machine.error.join()) as { code: string; message: string };
  expect([machine.code, machine.out, failure.code]).toEqual([2, [], 'WRONG-USAGE']);
  expect(people.error).toEqual([`robot-vasp ${name}: ${failure.message}`]);
});

describe.each(['junit', 'html', 'summary', 'certificate'])('check --%s', option => {
  test.each([
    ['nowhere/file', 'ENOENT'],
    ['package.json/file', 'ENOTDIR'],
    ['src', 'EISDIR'],
  ])('refuses %s before it plays anything', async (path, why) => {
    const argv = ['--url', 'http://127.0.0.1:9', `--${option}`, path];
    const { code, out, error } = await inProcess('check', argv);
    expect([code, out]).toEqual([2, []]);
    expect(error.at(-1)).toEqual(expect.stringContaining(`--${option}: ${path} cannot be written (${why})`));
  });
});

test.each(['65536', 'many'])('check refuses --port %s by the name of the option: exit code 2', async port => {
  const { code, error } = await inProcess('check', ['--port', port]);
  expect([code, error.at(-1)]).toEqual([2, 'robot-vasp check: --port: write a number from 0 to 65535']);
});

test('check --init into a folder that is not there says so: exit code 2', async () => {
  const { code, error } = await inProcess('check', ['--init', '--customers', 'nowhere/customers.json']);
  expect(code).toBe(2);
  expect(error.at(-1)).toEqual(expect.stringContaining('nowhere/customers.json cannot be written (ENOENT). Name'));
});

test('a file after --json is told how JSON goes to a file', async () => {
  const { code, error } = await inProcess('status', ['--json', 'status.json']);
  expect([code, JSON.parse(error.join()).message]).toEqual([
    2,
    'unexpected argument `status.json`. --json takes no file: write --json > status.json',
  ]);
});

test('an unknown command is exit code 2, and says what is possible', async () => {
  const { code, stdout, stderr } = await robotVasp(['sreve']);
  expect([code, stdout]).toEqual([2, '']);
  expect(await robotVasp(['help', 'sreve'])).toEqual({ code, stdout, stderr });
  expect(stderr).toContain('Unknown command: sreve. Did you mean `serve`?');
  for (const { name } of commands) expect(stderr).toContain(name);
  const asJson = await robotVasp(['sreve', '--json']);
  expect([asJson.code, JSON.parse(asJson.stderr).code]).toEqual([2, 'WRONG-USAGE']);
});

test('through the program: `help <command>` and `<command> --help` are the same, wrong usage is exit code 2', async () => {
  const [help, option, wrong] = await Promise.all([
    robotVasp(['help', 'wait']),
    robotVasp(['wait', '--help']),
    robotVasp(['wait']),
  ]);
  expect(help).toEqual(option);
  expect([help.code, help.stderr]).toEqual([0, '']);
  expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('give exactly one of') });
});

test('an unexpected failure shows its stack only with --debug', async () => {
  const failing = command({
    summary: 'fails',
    options: {},
    examples: [],
    run: () => Promise.reject(new TypeError('out of order')),
  });
  const broken = { name: 'broken', ...failing };
  const errorOf = async (...argv: string[]) => {
    const error: string[] = [];
    const code = await run(broken, argv, { env: {}, out: () => {}, error: text => error.push(text) });
    expect(code).toBe(1);
    return error.join('\n');
  };
  expect(await errorOf()).toBe(
    'robot-vasp broken: unexpected failure: out of order. Add --debug to see where it comes from',
  );
  expect(await errorOf('--debug')).toContain('usage.test.ts');
  expect(JSON.parse(await errorOf('--json'))).toMatchObject({ code: 'UNEXPECTED-FAILURE' });
});

test('a key that no header can carry is refused without being shown', async () => {
  expect(await inProcess('status', ['--api-key', 'rv_geheim niß'])).toEqual({
    code: 2,
    out: [],
    error: ['robot-vasp status: --api-key may hold only printable ASCII without spaces. Check the key'],
  });
});

test.each([['version'], ['--version'], ['-v'], ['-V']])('%s prints the version and its build', async name => {
  expect(await robotVasp([name])).toEqual({ code: 0, stdout: `${version}+${build()}\n`, stderr: '' });
  const machine = await robotVasp([name, '--json']);
  expect(JSON.parse(machine.stdout)).toEqual({ version, build: build() });
});

test.each([
  [['--symbol', 'BTC'], '`BTC` is none of ETH, XRP.'],
  [['--json', 'nowhere/report.json'], '--report: nowhere/report.json cannot be written (ENOENT)'],
  [['--json', 'deposits'], '`deposits` is none of complete,'],
])('check %j: the message names what was typed', async (argv, message) => {
  const { code, stderr } = await commandHere(['check', '--unattended', ...argv]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('serve names every problem of the configuration: exit code 1', async () => {
  const env = { PORT: 'many', LOG_LEVEL: 'loud' };
  const { code, stdout, stderr } = await robotVasp(['serve'], env);
  expect([code, stdout]).toEqual([1, '']);
  for (const name of ['PORT', 'LOG_LEVEL']) expect(stderr).toContain(`- ${name} `);
  const machine = await robotVasp(['serve', '--json'], env);
  expect(JSON.parse(machine.stderr)).toMatchObject({ code: 'CONFIGURATION' });
});

test('serve refuses mistyped keys, without writing them: exit code 1', async () => {
  const mnemonic = Array(12).fill('abandon').join(' ');
  const seed = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM3';
  const { code, stdout, stderr } = await robotVasp(['serve'], { ROBOT_MNEMONIC: mnemonic, XRPL_SEED: seed });
  expect([code, stdout]).toEqual([1, '']);
  for (const name of ['ROBOT_MNEMONIC', 'XRPL_SEED']) expect(stderr).toContain(`- ${name} `);
  for (const secret of ['abandon', seed]) expect(stderr).not.toContain(secret);
});

test.each([
  [Object.assign(new Error('late'), { code: 23 }), 'late'],
  [Object.assign(new Error('no file'), { code: 'SQLITE_CANTOPEN' }), '--database: /x cannot be used (no file)'],
])('an error that is not of the database stays as it is', (error, message) => {
  expect(() => cannotOpen('/x')(error as unknown as NodeJS.ErrnoException)).toThrow(message);
});

test('the help fits into a narrow terminal: only words and examples that are longer stand out', async () => {
  const { columns } = process.stdout;
  process.stdout.columns = 80;
  onTestFinished(() => {
    process.stdout.columns = columns;
  });
  for (const { name, examples } of commands) {
    const { out } = await inProcess(name, ['--help']);
    const [, ...lines] = out.join('\n').split('\n');
    const tooLong = lines.filter(line => line.length > 80 && line.trim().includes(' '));
    expect(tooLong.filter(line => !examples.includes(line.trim()))).toEqual([]);
  }
});

const reached = async (url: string): Promise<string> => {
  const { code, error } = await inProcess('status', ['--url', url]);
  expect(code).toBe(3);
  return error.join('');
};

test('a port that no browser calls: the advice is another port, because the sandbox may run there', async () => {
  expect(await reached('http://127.0.0.1:6000')).toMatch(
    /6000 \(bad port\).*another with `robot-vasp serve --port 8080`/,
  );
});

test('https:// where nobody speaks TLS: the advice is http://', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await reached(`https://127.0.0.1:${port}`)).toMatch(
    /no TLS is spoken at .* Write http:\/\/ instead of https:/,
  );
});

test('a server that speaks TLS and ends the handshake: the advice is not http://', async () => {
  const server = await selfSignedServer(WANTS_CLIENT_CERTIFICATE);
  onTestFinished(server.close);
  expect(await reached(`https://127.0.0.1:${server.port}`)).toMatch(/TLS is refused at .* it may want a certificate/);
});

test('a certificate that nobody trusts: the advice is NODE_EXTRA_CA_CERTS', async () => {
  const server = await selfSignedServer();
  onTestFinished(server.close);
  expect(await reached(`https://127.0.0.1:${server.port}`)).toMatch(/CERT\)\. Set NODE_EXTRA_CA_CERTS/);
});

test.each([
  ['init', ['--yes', '--callback', 'http://bob:s%40x@127.0.0.1/x']],
  ['verify-report', ['package.json', '--jwks', 'http://bob:s%40x@127.0.0.1/x']],
])('%s refuses an address with a user, and does not print its password', async (name, argv) => {
  const { code, error } = await inProcess(name, argv);
  expect([code, error.join('')]).toEqual([2, expect.stringContaining('http://***@127.0.0.1/x')]);
});

test('check names every mistake of a file of customers', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'usage-')), 'customers.json');
  const names = { lastName: 'Barnes', firstName: 'Robert' };
  const customers = [
    { id: 'main', kind: 'natrual', names, accounts: {} },
    { id: 'other', kind: 'natural', names, accounts: {}, kyc: 'yes' },
  ];
  writeFileSync(file, JSON.stringify({ customers }));
  const { code, error } = await inProcess('check', ['--customers', file]);
  expect([code, error.at(-1)]).toEqual([2, expect.stringMatching(/customers\[0\]\.kind.*\n.*customers\[1\]\.kyc/)]);
});

test('check names a file of customers that cannot be used in whole sentences', async () => {
  const { code, error } = await inProcess('check', ['--customers', 'test']);
  expect([code, error.join('')]).toEqual([2, expect.stringMatching(/not a file\. `robot-vasp check --init` writes/)]);
  const latin1 = join(mkdtempSync(join(tmpdir(), 'usage-')), 'customers.json');
  writeFileSync(latin1, Buffer.from('{"é": 1}', 'latin1'));
  const unreadable = await inProcess('check', ['--customers', latin1]);
  expect(unreadable.error.join('')).toMatch(/Save it as UTF-8\. `robot-vasp check --init` writes/);
});

test.each([
  ['--jwks', 'is no set of keys'],
  ['--key', 'is no JWK'],
])('verify-report %s names a file that holds no object: exit code 2', async (option, says) => {
  const file = join(mkdtempSync(join(tmpdir(), 'null-')), 'null.json');
  writeFileSync(file, 'null');
  const { code, error } = await inProcess('verify-report', ['package.json', option, file]);
  expect([code, error]).toEqual([2, [expect.stringContaining(says)]]);
});

test('verify-report names a file that is no certificate', async () => {
  const { code, error } = await inProcess('verify-report', ['package.json']);
  expect([code, error]).toEqual([1, ['robot-vasp verify-report: package.json: It is no certificate of a test run.']]);
});

test('wait takes a limit of months, longer than a timer of Node', async () => {
  let looks = 0;
  const server = createServer((_, response) => {
    const isReady = ++looks > 2;
    response.writeHead(isReady ? 200 : 503).end(JSON.stringify({ status: isReady ? 'READY' : 'NOT-READY' }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code } = await inProcess('wait', ['--ready', '--timeout', '60d', '--url', url]);
  expect(code).toBe(0);
});
