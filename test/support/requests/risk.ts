import type { Client } from '../../../src/client/client.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import type { Callback } from '../../../src/contract/callbacks.ts';
import type { Person } from '../../../src/contract/ivms101.ts';
import type { VerifyUserRequest } from '../../../src/contract/requests.ts';
import type { World } from '../world/world.ts';
import { FOREIGN, natural, ORIGINATOR, paid, verificationOf, type Wish } from './from-tested-vasp.ts';

export const RISK_PATHS = {
  sanction: '/v1/risk-assessment/providerA-sanction',
  kyt: '/v1/risk-assessment/providerA-kyt',
  wco: '/v1/risk-assessment/providerB-wco',
} as const;
export type Kind = keyof typeof RISK_PATHS;
export const KINDS = Object.keys(RISK_PATHS) as Kind[];

export type RiskAnswer = { code?: string; message?: string; requestId?: string } & Record<string, unknown>;
export const assess = (api: Client, kind: Kind, body: unknown) => api.call<RiskAnswer>('POST', RISK_PATHS[kind], body);

export const TX_HASH = `0x${'5a'.repeat(32)}`;

/** Registered in the world of `world`, with another registered VASP's rights. */
export async function anotherVasp(world: World, vaspId: string, registration: object = {}): Promise<Client> {
  const { apiKey } = await world.api.registerVasp(vaspId, { name: `VASP ${vaspId}`, ...registration });
  return world.as(apiKey!);
}

/** Completed: the tested VASP is the originating one, a user of the robot the beneficiary. */
export async function outgoing(world: World, wish: Wish = {}): Promise<string> {
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world, wish));
  await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  return uuid;
}

export interface IncomingWish {
  symbol?: AssetSymbol;
  /** The originator's account. */
  from?: string;
  originator?: Person[];
  change?: (request: VerifyUserRequest) => void;
}

/** Completed: `sender`, another VASP, is the originating one, the tested VASP the beneficiary. */
export async function incoming(world: World, sender: Client, wish: IncomingWish = {}): Promise<string> {
  const symbol = wish.symbol ?? 'ETH';
  const request = verificationOf(world, {
    symbol,
    from: wish.from ?? FOREIGN[symbol],
    change: each => {
      each.beneficiaryVaspId = world.vaspId;
      each.requiredBeneficiaryInfo = 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER';
      each.payload.ivms101.originator.originatorPersons = wish.originator ?? [ORIGINATOR];
      each.payload.ivms101.beneficiary = {
        beneficiaryPersons: [natural('Moss', 'Kate')],
        accountNumber: [symbol === 'ETH' ? '0x00000000000000000000000000000000000000aa' : `${FOREIGN.XRP}:7`],
      };
      wish.change?.(each);
    },
  });
  const { verificationUuid: uuid } = await sender.verifyUser(request);
  await sender.mailbox({ wait: '20s', type: 'VERIFICATION_RESULT', verificationUuid: uuid });
  return uuid;
}

/** Pays a verification on its ledger from the wallet of the world, and reports it by `sender`. Returns the hash. */
export async function paidAndReported(world: World, sender: Client, uuid: string): Promise<string> {
  const { assetInfo, beneficiaryAccountNumber: to } = await world.api.verification(uuid);
  const symbol = assetInfo.symbol as AssetSymbol;
  const txHash = await paid(world, { symbol, amount: assetInfo.amount, to });
  await sender.reportTransaction(uuid, txHash);
  return txHash;
}

type ResultType = 'PROVIDER_A_KYT_RESULT' | 'PROVIDER_B_WCO_RESULT';
type ResultOf<T extends ResultType> = Extract<Callback, { callbackType: T }>['data'];

/** The callbacks to the tested VASP about its assessments of the verification, in order. */
export const results = <T extends ResultType>(world: World, uuid: string, type: T): ResultOf<T>[] =>
  world.vasp
    .callbacks(uuid)
    .filter(each => each.callbackType === type)
    .map(each => each.data as ResultOf<T>);

/** Asks, lets the provider take its time, and answers the last that was told. */
export async function kytOf(world: World, uuid: string, body: object = {}) {
  const { status, body: answer } = await assess(world.api, 'kyt', { verificationUuid: uuid, ...body });
  if (status !== 200) throw new Error(`${status} ${answer.code}`);
  await world.advance('2s');
  const { riskAssessment } = results(world, uuid, 'PROVIDER_A_KYT_RESULT').at(-1)!;
  return { requestId: answer.requestId, ...riskAssessment };
}

export async function wcoOf(world: World, uuid: string, body: object = {}) {
  const { status, body: answer } = await assess(world.api, 'wco', { verificationUuid: uuid, ...body });
  if (status !== 200) throw new Error(`${status} ${answer.code}`);
  await world.advance('2s');
  const { riskAssessment } = results(world, uuid, 'PROVIDER_B_WCO_RESULT').at(-1)!;
  return { requestId: answer.requestId, ...riskAssessment };
}
