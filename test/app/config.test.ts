import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Config, ConfigError, loadConfig } from '../../src/app/config.ts';
import { DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED } from '../../src/app/development-wallets.ts';
import { DEVELOPMENT_KEYS } from '../../src/screening/development-keys.ts';

const OWN_MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const OWN_SEED = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [head, ...lines] = (error as Error).message.split('\n');
    expect(head).toBe('The configuration is wrong:');
    return lines.map(line => line.replace(/^ {2}- /, ''));
  }
  return [];
}

const QUOTAS = {
  requestsPerSecond: 50,
  burst: 100,
  verificationsPerDay: 10_000,
  verificationsKept: 100_000,
  users: 1_000,
  faults: 200,
  streams: 20,
  mailboxWaits: 20,
  runs: 5,
  callbacksInFlight: 20,
  faucetEth: 100,
  faucetXrp: 10_000,
  registrationsPerHour: 5,
};

describe('PROD-2: every variable is optional', () => {
  test('without any, the defaults stand', () => {
    expect(loadConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      hosts: [],
      databasePath: 'data/robot.sqlite',
      retentionMs: 0,
      vasp: {
        vaspId: '15952089931162058999',
        name: 'Tested VASP',
        endpoints: {},
        authorization: { header: 'Authorization' },
      },
      robot: { vaspId: '17104899575711300402', name: 'RobotVASP' },
      ethereum: {
        urls: [],
        confirmations: 1,
        maxFeeGwei: 500,
        stuckAfterMs: 90_000,
        blockTimeMs: 0,
        mnemonic: DEVELOPMENT_MNEMONIC,
      },
      xrpl: { closeIntervalMs: 1_000, maxFeeDrops: 2_000_000, seed: DEVELOPMENT_SEED },
      allowNetwork: [],
      chainTimeoutMs: 10_000,
      chainPollMs: 4_000,
      chainRetryMs: 2_000,
      chainRereadMs: 5_000,
      inquiry: { waitMs: 600_000, intervalMs: 300_000, windowMs: 3_600_000 },
      vaspTimeoutMs: { account: 1_000, user: 5_000, transaction: 1_000, callback: 1_000 },
      thresholds: { KRW: '1000000', USD: '1000' },
      screening: {
        names: { a: 'providerA', b: 'providerB' },
        keys: DEVELOPMENT_KEYS,
        answerMs: 2_000,
      },
      logLevel: 'info',
      mode: 'local',
      registration: 'invite',
      cell: 'main',
      trustedProxies: [],
      callbackAllow: [],
      allowHttpCallbacks: false,
      callbackDns: [],
      quotas: QUOTAS,
    });
  });

  test('an empty variable counts as unset', () => {
    const empty = Object.fromEntries(VARIABLES.map(([name]) => [name, '']));
    expect(loadConfig(empty)).toEqual(loadConfig({}));
  });
});

const chainEnv = { ETH_CHAIN_ID: '11155111', ROBOT_MNEMONIC: OWN_MNEMONIC };
const ledgerEnv = { XRPL_NETWORK_ID: '1', XRPL_SEED: OWN_SEED };

const HOSTED = {
  OPERATOR_KEY: 'o'.repeat(32),
  PUBLIC_URL: 'https://sandbox.example',
  DATA_KEY: '0f'.repeat(32),
};

/** Every variable: a good value and where it stands, what it needs beside it, and bad values. */
const VARIABLES: readonly (readonly [
  name: string,
  good: string,
  read: (config: Config) => unknown,
  means: unknown,
  bad: readonly string[],
  beside?: Record<string, string>,
])[] = [
  ['PORT', '0', c => c.port, 0, ['65536', '-1', 'http', '80.5', '1e3', ' 80']],
  ['HOST', '0.0.0.0', c => c.host, '0.0.0.0', []],
  ['DATABASE_PATH', ':memory:', c => c.databasePath, ':memory:', []],
  [
    'DATA_KEY',
    `${'n'.repeat(40)}, ${'o'.repeat(40)}`,
    c => c.dataKeys,
    ['n'.repeat(40), 'o'.repeat(40)],
    ['short', `${'n'.repeat(40)},short`],
  ],
  ['RETENTION', '30d', c => c.retentionMs, 2_592_000_000, ['30', '59m', 'long']],
  [
    'VASP_ID',
    '18446744073709551615',
    c => c.vasp.vaspId,
    '18446744073709551615',
    ['18446744073709551616', '-5', 'abc', '007', '1.0', '123456789012345678901'],
  ],
  ['VASP_NAME', 'Börse', c => c.vasp.name, 'Börse', []],
  ...(
    [
      ['VEGA_VERIFICATION_API_PATH', 'verifyUser'],
      ['VEGA_VERIFICATION_ACCOUNT_API_PATH', 'verifyAccount'],
      ['VEGA_VERIFICATION_TRANSACTION_API_PATH', 'transactionStatus'],
      ['VEGA_VERIFICATION_CALLBACK_API_PATH', 'callback'],
    ] as const
  ).map(
    ([name, endpoint]) =>
      [
        name,
        `https://vasp.example/${endpoint}`,
        (c: Config) => c.vasp.endpoints[endpoint],
        `https://vasp.example/${endpoint}`,
        ['/verify', 'vasp.example/verify', 'ftp://vasp.example', 'http://[broken'],
      ] as const,
  ),
  [
    'VEGA_VERIFICATION_AUTHORIZATION_TOKEN',
    'ApiKey s3cret-token',
    c => c.vasp.authorization.token,
    'ApiKey s3cret-token',
    ['s3cret\ntoken', 's3crét'],
  ],
  [
    'VEGA_VERIFICATION_AUTHORIZATION_KEY',
    'X-Api-Key',
    c => c.vasp.authorization.header,
    'X-Api-Key',
    ['X Api Key', 'X-Api-Key:', 'Schlüssel', 'Host', 'content-length'],
  ],
  ['ROBOT_VASP_ID', '42', c => c.robot.vaspId, '42', ['robot', '042', '99999999999999999999']],
  ['ROBOT_NAME', 'Robot', c => c.robot.name, 'Robot', []],
  [
    'ETH_RPC_URL',
    'https://rpc.example/v3/k3y',
    c => c.ethereum.urls,
    ['https://rpc.example/v3/k3y'],
    ['rpc.example', 'wss://rpc.example', 'k3y', 'https://rpc.example,', 'https://rpc.example,x'],
    chainEnv,
  ],
  [
    'ETH_RPC_URL',
    'https://a.example/k3y, https://b.example',
    c => c.ethereum.urls,
    ['https://a.example/k3y', 'https://b.example'],
    [],
    chainEnv,
  ],
  ['ALLOW_NETWORK', '20260731,31415', c => c.allowNetwork, [20_260_731, 31_415], ['x', '1,', '0x1', '-1']],
  ['ETH_CHAIN_ID', '31337', c => c.ethereum.chainId, 31_337, ['0', 'sepolia', '0x1', '1.5']],
  ['ETH_NETWORK_NAME', 'Sepolia', c => c.ethereum.networkName, 'Sepolia', []],
  ['ETH_CONFIRMATIONS', '12', c => c.ethereum.confirmations, 12, ['0', '-1', 'many', '10001']],
  ['ETH_CONFIRMATIONS', 'safe', c => c.ethereum.confirmations, 'safe', ['latest', 'SAFE']],
  ['ETH_CONFIRMATIONS', 'finalized', c => c.ethereum.confirmations, 'finalized', ['fin']],
  ['ETH_MAX_FEE_GWEI', '60', c => c.ethereum.maxFeeGwei, 60, ['0', '1.5', 'cheap']],
  ['ETH_STUCK_AFTER', '2m', c => c.ethereum.stuckAfterMs, 120_000, ['soon', '999ms']],
  ['ETH_BLOCK_TIME', '12s', c => c.ethereum.blockTimeMs, 12_000, ['1500ms', 'twelve', '-1s']],
  [
    'XRPL_URL',
    'wss://xrpl.example:51233',
    c => c.xrpl.url,
    'wss://xrpl.example:51233',
    ['https://xrpl.example', 'xrpl.example'],
    ledgerEnv,
  ],
  ['XRPL_NETWORK_ID', '2', c => c.xrpl.networkId, 2, ['4294967296', '-1', 'test']],
  ['XRPL_CLOSE_INTERVAL', '250ms', c => c.xrpl.closeIntervalMs, 250, ['soon', '-1s']],
  ['XRPL_MAX_FEE_DROPS', '5000', c => c.xrpl.maxFeeDrops, 5_000, ['9', '12.5', 'much']],
  ['CHAIN_TIMEOUT', '3s', c => c.chainTimeoutMs, 3_000, ['99ms', 'never']],
  ['CHAIN_POLL_INTERVAL', '250ms', c => c.chainPollMs, 250, ['9ms', 'often']],
  ['CHAIN_RETRY_INTERVAL', '250ms', c => c.chainRetryMs, 250, ['9ms', 'often']],
  ['CHAIN_REREAD_INTERVAL', '250ms', c => c.chainRereadMs, 250, ['9ms', 'often']],
  [
    'ROBOT_MNEMONIC',
    `  ${OWN_MNEMONIC.toUpperCase()} `,
    c => c.ethereum.mnemonic,
    OWN_MNEMONIC,
    ['sausage', `${OWN_MNEMONIC} yellow`, OWN_MNEMONIC.replace('wave', 'w4ve')],
  ],
  [
    'XRPL_SEED',
    OWN_SEED,
    c => c.xrpl.seed,
    OWN_SEED,
    ['master-key', `r${OWN_SEED.slice(1)}`, `${OWN_SEED}0`],
  ],
  ['FIXTURES_PATH', 'my/fixtures', c => c.fixturesPath, 'my/fixtures', []],
  ['INQUIRY_WAIT', '30s', c => c.inquiry.waitMs, 30_000, ['10', '10 minutes', '-1m', '1e3']],
  ['INQUIRY_INTERVAL', '1m', c => c.inquiry.intervalMs, 60_000, ['0s', '999ms', 'often']],
  ['INQUIRY_WINDOW', '2h', c => c.inquiry.windowMs, 7_200_000, ['long']],
  ['VASP_TIMEOUT_ACCOUNT', '2s', c => c.vaspTimeoutMs.account, 2_000, ['0', '0ms', 'x']],
  ['VASP_TIMEOUT_USER', '2s', c => c.vaspTimeoutMs.user, 2_000, ['0', '0ms', 'x']],
  ['VASP_TIMEOUT_TRANSACTION', '2s', c => c.vaspTimeoutMs.transaction, 2_000, ['0', '0ms', 'x']],
  ['VASP_TIMEOUT_CALLBACK', '2s', c => c.vaspTimeoutMs.callback, 2_000, ['0', '0ms', 'x']],
  [
    'PROVIDER_A_NAME',
    'acmeChain2',
    c => c.screening.names.a,
    'acmeChain2',
    ['Acme', 'acme-chain', 'acme chain', '2acme', 'a'.repeat(33)],
  ],
  ['PROVIDER_B_NAME', 'globex', c => c.screening.names.b, 'globex', ['Globex', 'globex_b', 'glöbex']],
  ['PROVIDER_A_SANCTION_API_KEY', 'k1', c => c.screening.keys.sanctionApiKey, 'k1', []],
  ['PROVIDER_A_KYT_API_KEY', 'k2', c => c.screening.keys.kytApiKey, 'k2', []],
  ['PROVIDER_B_WCO_API_KEY', 'k3', c => c.screening.keys.wcoApiKey, 'k3', []],
  ['PROVIDER_B_WCO_GROUP_ID', 'g1', c => c.screening.keys.wcoGroupId, 'g1', []],
  [
    'TRAVEL_RULE_THRESHOLDS',
    'EUR:0, JPY:100000.5',
    c => c.thresholds,
    { EUR: '0', JPY: '100000.5' },
    ['USD', 'EUR:', 'usd:1000', 'USD:-1', 'USD:1,000'],
  ],
  ['PROVIDER_ANSWER_TIME', '90s', c => c.screening.answerMs, 90_000, ['soon', '-1s']],
  ['MODE', 'hosted', c => c.mode, 'hosted', ['Hosted', 'hostd'], HOSTED],
  ['REGISTRATION', 'open', c => c.registration, 'open', ['yes']],
  ['CELL', 'eu-1', c => c.cell, 'eu-1', ['EU', 'eu_1', '-eu', 'a'.repeat(33)]],
  [
    'TRUSTED_PROXIES',
    '10.20.0.0/16, fd00::/8,192.0.2.7',
    c => c.trustedProxies,
    ['10.20.0.0/16', 'fd00::/8', '192.0.2.7/32'],
    ['10.20.0.0/33', 'proxy', '192.0.2.7/'],
  ],
  [
    'CALLBACK_DNS',
    '10.0.0.2, [fd00::2]:53',
    c => c.callbackDns,
    ['10.0.0.2', '[fd00::2]:53'],
    ['dns.example'],
  ],
  ['CALLBACK_ALLOW', '10.0.0.0/8', c => c.callbackAllow, ['10.0.0.0/8'], ['10.0.0.0/x']],
  ['ALLOW_HTTP_CALLBACKS', 'true', c => c.allowHttpCallbacks, true, ['yes', '1']],
  ['QUOTA_BURST', '0', c => c.quotas.burst, 0, ['-1', '1.5', 'many']],
  ['QUOTA_FAUCET_ETH', '0.5', c => c.quotas.faucetEth, 0.5, ['1e3', '0.1234567', '-1']],
  ['LOG_LEVEL', 'silent', c => c.logLevel, 'silent', ['loud', 'INFO']],
];

for (const [name, good, read, means, bad, beside = {}] of VARIABLES)
  describe(name, () => {
    test('is read', () => {
      expect(read(loadConfig({ ...beside, [name]: good }))).toEqual(means);
      expect(read(loadConfig(beside))).not.toEqual(means);
    });

    for (const value of bad)
      test(`refuses ${JSON.stringify(value)}, names the variable and does not echo the value`, () => {
        const problems = problemsOf({ ...beside, [name]: value });
        expect(problems.length).toBeGreaterThan(0);
        for (const problem of problems) expect(problem).toMatch(new RegExp(`^${name} `));
        if (value.length > 3) expect(problems.join()).not.toContain(value);
      });
  });

test('every problem is reported at once, those between two settings too', () => {
  const problems = problemsOf({
    PORT: 'http',
    VASP_ID: '5',
    ROBOT_VASP_ID: '5',
    VEGA_VERIFICATION_CALLBACK_API_PATH: '/callback',
    ETH_RPC_URL: 'https://rpc.example',
    XRPL_URL: 'wss://xrpl.example',
    INQUIRY_WAIT: 'soon',
    LOG_LEVEL: 'loud',
  });
  expect(problems.map(problem => problem.split(' ')[0])).toEqual([
    'PORT',
    'VEGA_VERIFICATION_CALLBACK_API_PATH',
    'INQUIRY_WAIT',
    'LOG_LEVEL',
    'VASP_ID',
    'ROBOT_MNEMONIC',
    'XRPL_SEED',
    'ETH_CHAIN_ID',
    'XRPL_NETWORK_ID',
  ]);
});

test('a setting that is wrong by itself makes no second problem with another', () => {
  expect(
    problemsOf({ ETH_RPC_URL: 'https://rpc.example', ETH_CHAIN_ID: 'x', ROBOT_MNEMONIC: 'one two' }),
  ).toHaveLength(2);
});

test.each([
  ['DATABASE_PATHH', 'DATABASE_PATH'],
  ['PROT', 'PORT'],
  ['INQUIRY_WIAT', 'INQUIRY_WAIT'],
  ['RETENTON', 'RETENTION'],
])('the unknown variable %s is refused, and %s is named', (typed, meant) => {
  expect(problemsOf({ [typed]: 'x' })).toEqual([`${typed} is not a variable of robot-vasp; ${meant} is`]);
});

test('variables of others pass', () => {
  for (const name of [
    'DATABASE_URL',
    'HOSTNAME',
    'LOGNAME',
    'HOME',
    'PATH',
    'ROBOT_VASP_URL',
    'npm_config_port',
  ])
    expect([name, problemsOf({ [name]: 'x' })]).toEqual([name, []]);
});

test('the robot and the tested VASP are two VASPs', () => {
  expect(problemsOf({ VASP_ID: '17104899575711300402' })).toEqual(['VASP_ID and ROBOT_VASP_ID are the same']);
});

test('the two screening providers have two names', () => {
  for (const env of [{ PROVIDER_A_NAME: 'acme', PROVIDER_B_NAME: 'acme' }, { PROVIDER_A_NAME: 'providerB' }])
    expect(problemsOf(env)).toEqual(['PROVIDER_A_NAME and PROVIDER_B_NAME are the same']);
});

test('D-29: the main network of Ethereum is refused, with an address and without', () => {
  for (const env of [{}, { ETH_RPC_URL: 'https://rpc.example', ROBOT_MNEMONIC: OWN_MNEMONIC }])
    expect(problemsOf({ ...env, ETH_CHAIN_ID: '1' })).toEqual([
      'ETH_CHAIN_ID 1 is no known test network: it is refused. If it is one, set ALLOW_NETWORK=1',
    ]);
});

test.each([10, 56, 61, 100, 137, 324, 8_453, 42_161, 43_114, 59_144, 999])(
  'D-29: chain id %d is refused unless ALLOW_NETWORK names it',
  id => {
    expect(problemsOf({ ETH_CHAIN_ID: String(id) })).toHaveLength(1);
    expect(problemsOf({ ETH_CHAIN_ID: String(id), ALLOW_NETWORK: '5' })).toHaveLength(1);
    expect(loadConfig({ ETH_CHAIN_ID: String(id), ALLOW_NETWORK: `5,${id}` }).ethereum.chainId).toBe(id);
  },
);

test.each(['11155111', '560048', '17000', '1337', '31337'])('D-29: test network %s is accepted', id => {
  expect(loadConfig({ ETH_CHAIN_ID: id }).ethereum.chainId).toBe(Number(id));
});

test('D-30: one confirmation on the embedded chain, three by URL, unless it is set', () => {
  const byUrl = { ETH_RPC_URL: 'https://rpc.example', ...chainEnv };
  expect(loadConfig({}).ethereum.confirmations).toBe(1);
  expect(loadConfig(byUrl).ethereum.confirmations).toBe(3);
  expect(loadConfig({ ...byUrl, ETH_CONFIRMATIONS: '1' }).ethereum.confirmations).toBe(1);
});

describe('the public development keys are refused as soon as a real network is named', () => {
  test.each([
    ['unset', undefined],
    ['given', DEVELOPMENT_MNEMONIC],
    ['written otherwise', ` ${DEVELOPMENT_MNEMONIC.toUpperCase().replaceAll(' ', '  ')}`],
  ])('ROBOT_MNEMONIC %s', (_, mnemonic) => {
    const env = { ETH_RPC_URL: 'https://rpc.example', ETH_CHAIN_ID: '11155111' };
    const [problem, ...others] = problemsOf(
      mnemonic === undefined ? env : { ...env, ROBOT_MNEMONIC: mnemonic },
    );
    expect(problem).toMatch(/^ROBOT_MNEMONIC must be your own/);
    expect(others).toEqual([]);
  });

  test.each([
    ['unset', {}],
    ['given', { XRPL_SEED: DEVELOPMENT_SEED }],
  ])('XRPL_SEED %s', (_, seed) => {
    const [problem, ...others] = problemsOf({
      XRPL_URL: 'wss://xrpl.example',
      XRPL_NETWORK_ID: '1',
      ...seed,
    });
    expect(problem).toMatch(/^XRPL_SEED must be your own/);
    expect(others).toEqual([]);
  });

  test('one network may be real and the other embedded', () => {
    const config = loadConfig({ ETH_RPC_URL: 'https://rpc.example', ...chainEnv });
    expect(config.ethereum.urls).toEqual(['https://rpc.example']);
    expect(config.xrpl.url).toBeUndefined();
    expect(config.xrpl.seed).toBe(DEVELOPMENT_SEED);
  });
});

test('keys, tokens and seeds never stand in a message', () => {
  const secrets = {
    ROBOT_MNEMONIC: 'abandon ability able about above absent absorb abstract',
    XRPL_SEED: 'sEdSKsecretseedsecret!!',
    VEGA_VERIFICATION_AUTHORIZATION_TOKEN: 'hidden\ttoken',
    ETH_RPC_URL: 'rpc.example/v3/hidden-key',
  };
  const problems = problemsOf(secrets);
  expect(problems).toHaveLength(4);
  for (const secret of Object.values(secrets)) expect(problems.join()).not.toContain(secret);
  expect(problems.join()).not.toMatch(/abandon|secret|hidden/);
});

describe('MODE=hosted', () => {
  test('one message names all that is missing', () => {
    expect(problemsOf({ MODE: 'hosted' }).map(problem => problem.split(' is ')[0])).toEqual([
      'OPERATOR_KEY',
      'PUBLIC_URL',
      'DATA_KEY',
    ]);
  });

  test('and all that is weak', () => {
    const weak = { OPERATOR_KEY: 'short', PUBLIC_URL: 'http://sandbox.example', DATA_KEY: 'w'.repeat(40) };
    const problems = problemsOf({ MODE: 'hosted', ...weak });
    expect(problems.map(problem => problem.split(' ')[0])).toEqual([
      'OPERATOR_KEY',
      'PUBLIC_URL',
      'DATA_KEY',
    ]);
    for (const value of Object.values(weak)) expect(problems.join()).not.toContain(value);
  });

  test('the key of the operator is kept as a hash, and retention begins', () => {
    const config = loadConfig({ MODE: 'hosted', ...HOSTED });
    expect(config.operatorKeyHash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(config)).not.toContain(HOSTED.OPERATOR_KEY);
    expect(config.retentionMs).toBe(30 * 86_400_000);
    expect(loadConfig({ MODE: 'hosted', ...HOSTED, RETENTION: '0s' }).retentionMs).toBe(0);
  });

  test('each may stand in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    try {
      const files = Object.entries(HOSTED).map(([name, value]) => {
        writeFileSync(join(folder, name), `${value}\n`);
        return [`${name}_FILE`, join(folder, name)];
      });
      const env = { MODE: 'hosted', ...Object.fromEntries(files) };
      expect(loadConfig(env)).toEqual(loadConfig({ MODE: 'hosted', ...HOSTED }));
      expect(problemsOf({ ...env, DATA_KEY: HOSTED.DATA_KEY })).toEqual([
        'DATA_KEY and DATA_KEY_FILE are both set',
      ]);
      expect(problemsOf({ DATA_KEY_FILE: join(folder, 'nothing') })).toEqual([
        'DATA_KEY_FILE cannot be read (ENOENT)',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('a word that development tools set means the local mode', () => {
    for (const word of ['test', 'development', 'production'])
      expect(loadConfig({ MODE: word })).toEqual(loadConfig({}));
  });
});
