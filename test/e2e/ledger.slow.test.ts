import { expect, onTestFinished, test } from 'vitest';
import { Client, Wallet } from 'xrpl';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { linesOf, robotVasp } from '../support/process/command-line.ts';
import { type LedgerProcess, startLedger } from '../support/xrpl-network/server.ts';

const databaseIn = scratchDatabase();

async function started(...options: string[]): Promise<LedgerProcess> {
  const ledger = await startLedger(...options);
  onTestFinished(() => void ledger.end('SIGKILL'));
  return ledger;
}

test('robot-vasp ledger serves an unmodified client on the network that was asked for', async () => {
  const ledger = await started('--network-id', '5000', '--close-interval', '100', '--reserve-base', '2000000');
  const client = new Client(ledger.url);
  await client.connect();
  onTestFinished(() => client.disconnect());
  expect(client.networkID).toBe(5_000);
  const { host } = new URL(client.url);
  const faucet = { faucetHost: host, faucetPath: '/accounts', faucetProtocol: 'http' } as const;
  const { balance } = await client.fundWallet(Wallet.generate(), { ...faucet, amount: '20' });
  expect(balance).toBe(20);
  const { result } = await client.request({ command: 'server_state' });
  expect(result.state.validated_ledger).toMatchObject({ reserve_base: 2_000_000 });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops it: exit code 0, and its ledger goes on where it was',
  async signal => {
    const database = databaseIn(`${signal}.sqlite`);
    const validated = async (closes: number) => {
      const ledger = await started('--close-interval', '0', '--database', database);
      const client = new Client(ledger.url);
      await client.connect();
      for (let n = 0; n < closes; n++) await client.request({ command: 'ledger_accept' } as never);
      const { result } = await client.request({ command: 'ledger_closed' });
      expect([await ledger.end(signal), ledger.stderr()]).toEqual([0, '']);
      await client.disconnect();
      return result;
    };
    const before = await validated(3);
    expect(before.ledger_index).toBe(5);
    expect(await validated(0)).toEqual(before);
  },
);

test('--help names every option, and starts nothing', async () => {
  const { code, stdout } = await robotVasp(['ledger', '--port', '0', '--help']);
  expect(code).toBe(0);
  for (const option of ['--port', '--host', '--network-id', '--close-interval', '--database', '--admin-from-anywhere'])
    expect(stdout).toContain(option);
  expect(stdout).not.toContain('ready');
});

test.each([
  [['--port', 'many'], '--port: must be a whole number from 0 to 65535'],
  [['--port', '65536'], '--port'],
  [['--network-id', '4294967296'], '--network-id'],
  [['--close-interval', '-1'], '--close-interval'],
  [['--keep-ledgers', '0'], '--keep-ledgers'],
  [['--database', 'nowhere/ledger.sqlite'], '--database: nowhere/ledger.sqlite cannot be written (ENOENT)'],
  [['--database', 'package.json/ledger.sqlite'], '--database: package.json/ledger.sqlite cannot be written'],
  [['--database', 'src'], '--database: src is a folder, not a file'],
  [['--colour'], '--colour'],
  [['somewhere'], 'somewhere'],
])('%j is refused with a message that names it, and exit code 2', async (options, named) => {
  const { code, stdout, stderr } = await robotVasp(['ledger', ...options]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(named);
  expect(stderr).toMatch(/^robot-vasp ledger: /);
  expect(stderr).not.toContain('    at ');
});

test('a port that is taken is said in one line: exit code 1', async () => {
  const { port } = new URL((await started()).url);
  const { code, stderr } = await robotVasp(['ledger', '--port', port]);
  expect([code, linesOf(stderr)]).toEqual([
    1,
    [expect.stringMatching(new RegExp(`:${port}. Set --port to a free port`))],
  ]);
});
