import type { Wallet } from 'xrpl';
import type { Json, Network } from '../network.ts';
import type { Cast } from './cast.ts';
import { type Row, row, type Told, ZERO } from './row.ts';

const MALFORMED: Told = [-299, 'Malformed transaction.'];
const BAD_SIGNER: Told = [-272, 'Malformed: No signer may duplicate account or other signers.'];

const signers = (SignerQuorum: number, ...entries: [Wallet, number][]): Json => ({
  TransactionType: 'SignerListSet',
  SignerQuorum,
  ...(entries.length
    ? {
        SignerEntries: entries.map(([{ classicAddress }, SignerWeight]) => ({
          SignerEntry: { Account: classicAddress, SignerWeight },
        })),
      }
    : {}),
});
const ofAlice =
  (json: (cast: Cast) => Json) =>
  (cast: Cast): Json => ({ ...json(cast), Account: cast.alice.classicAddress });
const preauth = (json: (cast: Cast) => Json) => ofAlice(cast => ({ TransactionType: 'DepositPreauth', ...json(cast) }));
/** The fee of a deletion is one owner reserve. */
const deletion =
  (to: (cast: Cast) => Wallet, more: Json = {}) =>
  (cast: Cast, { facts }: Network): Json => ({
    TransactionType: 'AccountDelete',
    Account: cast.alice.classicAddress,
    Destination: to(cast).classicAddress,
    Fee: String(facts.reserveIncrement),
    ...more,
  });

/** XRPL-4.2 for signer lists, deposit authorisation and the deletion of accounts. */
export const RIGHTS_ROWS: readonly Row[] = [
  row(
    'temMALFORMED',
    MALFORMED,
    'a quorum without signers',
    ofAlice(() => signers(1)),
  ),
  row(
    'temMALFORMED',
    MALFORMED,
    'signers without a quorum',
    ofAlice(({ bob }) => signers(0, [bob, 1])),
  ),
  row(
    'temBAD_SIGNER',
    BAD_SIGNER,
    'the account itself',
    ofAlice(({ alice }) => signers(1, [alice, 1])),
  ),
  row(
    'temBAD_SIGNER',
    BAD_SIGNER,
    'a signer twice',
    ofAlice(({ bob }) => signers(1, [bob, 1], [bob, 1])),
  ),
  row(
    'temBAD_WEIGHT',
    [-270, 'Malformed: Weight must be a positive value.'],
    'a weight of 0',
    ofAlice(({ bob }) => signers(1, [bob, 0])),
  ),
  row(
    'temBAD_QUORUM',
    [-271, 'Malformed: Quorum is unreachable.'],
    'more than all weights',
    ofAlice(({ bob, nobody }) => signers(4, [bob, 1], [nobody, 2])),
  ),
  row(
    'temMALFORMED',
    MALFORMED,
    'a preauthorisation of nobody',
    preauth(() => ({})),
  ),
  row(
    'temCANNOT_PREAUTH_SELF',
    [-267, 'Malformed: An account may not preauthorize itself.'],
    'a preauthorisation of itself',
    preauth(({ alice }) => ({ Authorize: alice.classicAddress })),
  ),
  row(
    'temINVALID_ACCOUNT_ID',
    [-268, 'Malformed: A field contains an invalid account ID.'],
    'a preauthorisation of the zero account',
    preauth(() => ({ Authorize: ZERO })),
  ),
  row(
    'tecNO_TARGET',
    [138, 'Target account does not exist.'],
    'a preauthorisation of an account that does not exist',
    preauth(({ nobody }) => ({ Authorize: nobody.classicAddress })),
  ),
  row(
    'tecNO_ENTRY',
    [140, 'No matching entry found.'],
    'the end of a preauthorisation that does not exist',
    preauth(({ bob }) => ({ Unauthorize: bob.classicAddress })),
  ),
  row(
    'temDST_IS_SRC',
    [-279, 'Destination may not be source.'],
    'a deletion to itself',
    deletion(({ alice }) => alice),
  ),
  row('telINSUF_FEE_P', [-394, 'Fee insufficient.'], 'a deletion for the base fee', (cast, network) => ({
    ...deletion(({ bob }) => bob)(cast, network),
    Fee: String(network.facts.baseFee),
  })),
  row(
    'tecTOO_SOON',
    [152, 'It is too early to attempt the requested operation. Please wait.'],
    'the deletion of a young account',
    deletion(({ bob }) => bob),
  ),
  row(
    'tecNO_DST',
    [124, 'Destination does not exist. Send XRP to create it.'],
    'a deletion to an account that does not exist',
    deletion(({ nobody }) => nobody),
  ),
  row(
    'tecDST_TAG_NEEDED',
    [143, 'A destination tag is required.'],
    'a deletion without a tag',
    deletion(({ strict }) => strict),
  ),
  row(
    'tecNO_PERMISSION',
    [139, 'No permission to perform requested operation.'],
    'a deletion into DepositAuth',
    deletion(({ shy }) => shy),
  ),
];
