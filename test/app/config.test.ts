import { describe, expect, test } from 'vitest';
import { DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED, loadConfig } from '../../src/app/config/config.ts';
import { DEVELOPMENT_KEYS } from '../../src/screening/port.ts';
import { problemsOf } from '../support/app/config-problems.ts';
import { chainEnv, OWN_MNEMONIC, VARIABLES } from '../support/app/config-variables.ts';

const QUOTAS = {
  requestsPerSecond: 50,
  burst: 100,
  verificationsPerDay: 10_000,
  reportsPerDay: 10_000,
  verificationsKept: 100_000,
  keys: 100,
  users: 1_000,
  faults: 200,
  streams: 20,
  webSockets: 100,
  mailboxWaits: 20,
  runs: 5,
  callbacksInFlight: 20,
  faucetEth: 100,
  faucetXrp: 10_000,
  chainGasPerDay: 300_000_000,
  chainBytesPerDay: 4_000_000,
  registrationsPerHour: 5,
};

describe('PROD-2: every variable is optional', () => {
  test('without any, the defaults stand', () => {
    expect(loadConfig({})).toEqual({
      roles: 'both',
      foreignEnclave: { joins: false },
      port: 8080,
      host: '127.0.0.1',
      hosts: [],
      origins: [],
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
      timeoutMs: { verifyAccount: 1_000, verifyUser: 5_000, transactionStatus: 1_000, callback: 1_000 },
      thresholds: { KRW: '1000000', USD: '1000' },
      screening: { names: { a: 'providerA', b: 'providerB' }, keys: DEVELOPMENT_KEYS, answerMs: 2_000 },
      logLevel: 'info',
      mode: 'local',
      registration: 'invite',
      cell: 'main',
      trustedProxies: [],
      callbackAllow: [],
      allowHttpCallbacks: false,
      callbackDns: [],
      auditRetentionMs: 31_536_000_000,
      quotas: QUOTAS,
    });
  });

  test('an empty variable counts as unset', () => {
    const empty = Object.fromEntries(VARIABLES.map(([name]) => [name, '']));
    expect(loadConfig(empty)).toEqual(loadConfig({}));
  });
});

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
  expect(problemsOf({ ETH_RPC_URL: 'https://rpc.example', ETH_CHAIN_ID: 'x', ROBOT_MNEMONIC: 'one two' })).toHaveLength(
    2,
  );
});

test.each([
  ['RETENTION', '5m', 'is less than 1h, and not 0s'],
  ['AUDIT_RETENTION', '59m', 'is less than 1h, and not 0s'],
  ['INQUIRY_INTERVAL', '10ms', 'is less than 1s'],
  ['VASP_TIMEOUT_USER', '0s', 'is less than 1ms'],
  ['CHAIN_TIMEOUT', '99ms', 'is less than 100ms'],
  ['DATABASE_PATH', ' ', 'begins or ends with a blank'],
  ['DATABASE_PATH', 'data/robot.sqlite ', 'begins or ends with a blank'],
  ['INQUIRY_INTERVAL', '10', 'is not a duration such as `10m`, `5s` or `250ms`'],
])('%s=%s %s', (name, value, problem) => {
  expect(problemsOf({ [name]: value })).toEqual([`${name} ${problem}`]);
});

test.each([
  ['DATABASE_PATHH', 'DATABASE_PATH'],
  ['PROT', 'PORT'],
  ['HOSTT', 'HOST'],
  ['INQUIRY_WIAT', 'INQUIRY_WAIT'],
  ['RETENTON', 'RETENTION'],
])('the unknown variable %s is refused, and %s is named', (typed, meant) => {
  expect(problemsOf({ [typed]: 'x' })).toEqual([`${typed} is not a variable of robot-vasp; ${meant} is`]);
});

test('an address of the VASP names no user: the token is sent in its header', () => {
  for (const address of ['http://user:s%40x@127.0.0.1:1/', 'https://user@vasp.example/'])
    expect(problemsOf({ VEGA_VERIFICATION_API_PATH: address })).toEqual([
      expect.stringMatching(/^VEGA_VERIFICATION_API_PATH names a user. Set VEGA_VERIFICATION_AUTHORIZATION_TOKEN/),
    ]);
});

test.each(['ENCLAVE_URL', 'ROBOT_URL', 'PUBLIC_URL'])('%s names no user: no call would carry it', name => {
  for (const address of ['https://user:s%40x@vasp.example/', 'https://user@vasp.example/'])
    expect(problemsOf({ [name]: address })).toEqual([expect.stringMatching(new RegExp(`^${name} names a user. `))]);
  expect(problemsOf({ [name]: 'https://vasp.example/' })).toEqual([]);
});

test.each(['VEGA_VERIFICATION_CALLBACK_API_PATH', 'ETH_RPC_URL'])('%s has no part after #', name => {
  const isRefused = (url: string) =>
    problemsOf({ [name]: url }).some(each => /^[A-Z_]+ has a part after #, which no call carries/.test(each));
  for (const part of ['#part', '#', '?a=1#b'])
    expect([part, isRefused(`https://vasp.example/${part}`)]).toEqual([part, true]);
  expect(isRefused('https://vasp.example/?a=%23')).toBe(false);
});

test('variables of others pass', () => {
  for (const name of [
    'DATABASE_URL',
    'DIST',
    'PACE',
    'LIST',
    'HOSTNAME',
    'LOGNAME',
    'NODE',
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
    const [problem, ...others] = problemsOf(mnemonic === undefined ? env : { ...env, ROBOT_MNEMONIC: mnemonic });
    expect(problem).toMatch(/^ROBOT_MNEMONIC must be your own/);
    expect(others).toEqual([]);
  });

  test.each([
    ['unset', {}],
    ['given', { XRPL_SEED: DEVELOPMENT_SEED }],
  ])('XRPL_SEED %s', (_, seed) => {
    const [problem, ...others] = problemsOf({ XRPL_URL: 'wss://xrpl.example', XRPL_NETWORK_ID: '1', ...seed });
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
