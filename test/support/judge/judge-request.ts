import { DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED } from '../../../src/app/config/config.ts';
import { ethereumChain } from '../../../src/chains/ethereum.ts';
import { xrplChain } from '../../../src/chains/xrpl.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import type { Person, Persons } from '../../../src/contract/ivms101.ts';
import { VaspVerifyAccountRequest, VaspVerifyUserRequest } from '../../../src/contract/vasp-api.ts';
import { type Judgement, judge } from '../../../src/robot/judge/judge.ts';
import { accountSubject, loadListedOriginators, loadUsers, userSubject } from '../../../src/robot/judge/subject.ts';
import type { User } from '../../../src/robot/users/user.ts';
import { type UserChains, type UserDirectory, userDirectory } from '../../../src/robot/users/users.ts';
import { FIXTURES } from '../paths.ts';

export const fixtureUsers = loadUsers(FIXTURES);
export const listed = loadListedOriginators(FIXTURES);

/** The rest of what the robot judges with. */
export const judged = { listed, now: Date.UTC(2026, 6, 15, 10) };

/** The real adapters; an address needs no connection. */
export const chains: UserChains = {
  ETH: ethereumChain({
    urls: ['http://127.0.0.1:1'],
    chainId: 31_337,
    networkName: 'never connected',
    confirmations: 1,
    mnemonic: DEVELOPMENT_MNEMONIC,
    pollingIntervalMs: 1_000,
    maxFeePerGas: 0n,
    timeoutMs: 1_000,
  }),
  XRP: xrplChain({
    url: 'ws://127.0.0.1:1',
    networkId: 1,
    networkName: 'never connected',
    seed: DEVELOPMENT_SEED,
    maxFeeDrops: 0n,
    rereadMs: 1_000,
    timeoutMs: 1_000,
    reconnectMs: 1_000,
  }),
};

export const directory = userDirectory(fixtureUsers, chains);

export function userOf(id: string): User {
  const user = directory.byId(id);
  if (!user) throw new Error(`no user ${id}`);
  return user;
}

export const addressOf = (id: string, symbol: AssetSymbol = 'ETH'): string => directory.accounts(userOf(id))[symbol];

export const natural = (lastName: string, firstName: string, more: object = {}): Person => ({
  naturalPerson: {
    name: {
      nameIdentifier: [{ primaryIdentifier: lastName, secondaryIdentifier: firstName, nameIdentifierType: 'LEGL' }],
    },
    ...more,
  },
});

export const legal = (legalPersonName: string): Person => ({
  legalPerson: { name: { nameIdentifier: [{ legalPersonName, legalPersonNameIdentifierType: 'LEGL' }] } },
});

export const BORN = { dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: 'Seoul' } };

/** The beneficiary persons that are right for a user. */
export const personsOf = (user: User): Persons =>
  user.kind === 'natural'
    ? [natural(user.names.lastName, user.names.firstName)]
    : [
        legal(user.names.legalName),
        ...user.names.representatives.slice(0, 1).map(({ lastName, firstName }) => natural(lastName, firstName)),
      ];

export interface Ask {
  user?: string;
  symbol?: string;
  network?: string;
  addresses?: string[];
  beneficiary?: Persons | null;
  requiredInfo?: string;
  originator?: Persons;
}

/** A request that the user `ask.user` (taylor-robbins) is VERIFIED for, with what `ask` overrides. */
export const userRequest = (ask: Ask = {}): VaspVerifyUserRequest =>
  VaspVerifyUserRequest.parse({
    verificationUuid: '8557f2b2-985e-431f-8d52-75c2e5a01e46',
    assetInfo: {
      symbol: ask.symbol ?? 'ETH',
      network: ask.network,
      amount: '0.024',
      isExceedingThreshold: true,
      tradePrice: '2439800',
      tradeCurrency: 'KRW',
      tradeISODatetime: '2022-03-03T12:45:34.085Z',
    },
    requiredBeneficiaryInfo: ask.requiredInfo ?? 'ACCOUNT_NUMBER',
    originatingVaspId: '15952089931162058999',
    version: '1.0',
    ivms101: {
      originator: {
        originatorPersons: ask.originator ?? [natural('Barnes', 'Robert', BORN)],
        accountNumber: ['0x5811001506550d8356a215be229c15b6ef371a9b'],
      },
      beneficiary: {
        beneficiaryPersons: ask.beneficiary ?? personsOf(userOf(ask.user ?? 'taylor-robbins')),
        accountNumber: addressesOf(ask),
      },
    },
  });

export const accountRequest = (ask: Ask = {}): VaspVerifyAccountRequest =>
  VaspVerifyAccountRequest.parse({
    originatingVaspId: '15952089931162058999',
    symbol: ask.symbol ?? 'ETH',
    network: ask.network,
    version: '1.0',
    ivms101: {
      beneficiary: {
        beneficiaryPersons:
          ask.beneficiary === undefined ? personsOf(userOf(ask.user ?? 'taylor-robbins')) : ask.beneficiary,
        accountNumber: addressesOf(ask),
      },
    },
  });

const addressesOf = ({ addresses, user = 'taylor-robbins', symbol }: Ask): string[] =>
  addresses ?? [addressOf(user, symbol === 'XRP' ? 'XRP' : 'ETH')];

export const judgeUser = (ask?: Ask, users: UserDirectory = directory): Judgement =>
  judge(userSubject(userRequest(ask), users, judged));

export const judgeAccount = (ask?: Ask, users: UserDirectory = directory): Judgement =>
  judge(accountSubject(accountRequest(ask), users));

/** The deciding rule, for the timeline. */
export const decision = ({ steps }: Judgement) => steps.find(step => step.outcome === 'decided');
