import { ASSETS, isAssetSymbol, isNetworkOf } from '../../contract/assets.ts';
import { identifiersOf, type NameLists, type Person } from '../../contract/ivms101.ts';
import { refusals } from '../../contract/refusals.ts';
import type {
  AssessKytRequest,
  AssessSanctionRequest,
  AssessWcoPayload,
  AssessWcoRequest,
} from '../../contract/requests.ts';
import type { AssessmentRegistered, AssessSanctionAnswer } from '../../contract/risk.ts';
import { MAX_LENGTH } from '../../contract/text.ts';
import { transition } from '../../db/transition.ts';
import { toIso } from '../../kernel/clock.ts';
import { multiply } from '../../kernel/decimal.ts';
import type { ScreenedParty, ScreenedPerson } from '../../screening/port.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { type AssessmentContext, assessmentContext, createAssessment } from './assessment.ts';
import { asRefusal, type KytRequest, presentSanction, providerKeysOf, registerAssessment } from './async-assessment.ts';
import { assessmentStatus } from './machine.ts';

/** REF-4.2: monitors the counterparty's address, or the transaction once it is reported. */
export async function assessKyt(
  deps: EnclaveDeps,
  { verificationUuid, network }: AssessKytRequest,
  caller: string,
): Promise<AssessmentRegistered> {
  const context = assessmentContext(deps, 'kyt', verificationUuid, caller);
  return registerAssessment(deps, context, requestFor(deps, context, network));
}

function requestFor(
  deps: EnclaveDeps,
  { verification, counterparty, apiType, address, at }: AssessmentContext,
  network: string | undefined,
): KytRequest {
  refuseOtherNetwork(verification.symbol, network);
  // REF-2.6: the output of the transaction is the account that is paid, in both directions.
  const outputAddress = verification.beneficiaryAccountNumber;
  const txHash = apiType === 'TRANSFER' ? verification.txHash! : undefined;
  return {
    apiType: apiType!,
    direction: counterparty.direction,
    asset: verification.symbol,
    amount: verification.amount,
    usdPrice: usdPrice(deps.risk.usdRates, verification.tradePrice, verification.tradeCurrency),
    network: network ?? networkOf(verification),
    outputAddress,
    ...(txHash === undefined ? {} : { txHash, transferRef: `${txHash}:${outputAddress}` }),
    // D-42: the time of the report, until the block is found.
    timestamp: toIso(txHash !== undefined ? verification.orderedAt! : at),
    counterpartyAddress: address,
  };
}

/** D-43, D-07: a network of another asset would be assessed there. */
function refuseOtherNetwork(symbol: string, network: string | undefined): void {
  if (network === undefined || !isAssetSymbol(symbol) || isNetworkOf(symbol, network)) return;
  const wanted = ASSETS[symbol].networks.map(name => `\`${name}\``).join(' or ');
  throw refusals.invalidField('network', `should be ${wanted}, the network of ${symbol}`);
}

/** REF-4.2: the network of the verification, or else of its asset. */
function networkOf({ network, symbol }: Verification): string {
  if (network !== null) return network;
  if (isAssetSymbol(symbol)) return ASSETS[symbol].networks[0];
  throw refusals.missingField('network');
}

const CENTS = 2;

/** REF-2.6: converts a price to USD, decimal text. Null without a rate for the currency. */
export function usdPrice(rates: Record<string, string>, price: string, currency: string): string | null {
  const code = currency.toUpperCase();
  if (code === 'USD') return price;
  const rate = Object.hasOwn(rates, code) ? rates[code] : undefined;
  return rate === undefined ? null : multiply(price, rate, CENTS);
}

/** REF-4.1: compares the counterparty's address with the sanction lists, at once. */
export async function assessSanction(
  deps: EnclaveDeps,
  { verificationUuid }: AssessSanctionRequest,
  caller: string,
): Promise<AssessSanctionAnswer> {
  const context = assessmentContext(deps, 'sanction', verificationUuid, caller);
  const request = { asset: context.verification.symbol, address: context.address };
  const { sanction } = deps.risk.screening(caller);
  const finding = await sanction.screen(providerKeysOf(deps, caller), request).catch(error => {
    throw asRefusal(error);
  });
  const registration = { request, reference: null, error: null };
  const row = createAssessment(deps, context, registration, (tx, created) => {
    const at = deps.clock.now(context.owner);
    return transition(tx, assessmentStatus, created, 'processed', {
      patch: { result: finding, assessedAt: at },
      at,
      cause: 'the provider answered',
    });
  });
  return presentSanction(row);
}

/** REF-4.3: screens the person or organisation on the other side. `payload` adds to what the verification holds. */
export async function assessWco(
  deps: EnclaveDeps,
  { verificationUuid, payload }: AssessWcoRequest,
  caller: string,
): Promise<AssessmentRegistered> {
  const context = assessmentContext(deps, 'wco', verificationUuid, caller);
  return registerAssessment(deps, context, screenedParty(context, payload));
}

/** One party with all its names: those that were sent, those that were answered and those that the caller adds. */
export function screenedParty(
  { verification, counterparty, address }: Pick<AssessmentContext, 'verification' | 'counterparty' | 'address'>,
  payload: AssessWcoPayload | undefined,
): ScreenedParty {
  const sources =
    counterparty.party === 'originator'
      ? [verification.ivms101Originator.originatorPersons, payload?.ivms101.originator?.originatorPersons]
      : [
          verification.ivms101Beneficiary.beneficiaryPersons,
          verification.ivms101Answer?.beneficiaryPersons,
          payload?.ivms101.beneficiary?.beneficiaryPersons,
        ];
  return { persons: mergePersons(sources.map(persons => persons ?? [])), asset: verification.symbol, address };
}

/** Merges by position: the first natural person of each source is one person, and so on. */
function mergePersons(sources: readonly (readonly Person[])[]): ScreenedPerson[] {
  const merged = new Map<string, ScreenedPerson>();
  for (const persons of sources) {
    const counts = { INDIVIDUAL: 0, ORGANISATION: 0 };
    for (const person of persons.map(screenedPerson)) {
      const key = `${person.kind} ${counts[person.kind]++}`;
      const earlier = merged.get(key);
      merged.set(key, { ...earlier, ...person, names: [...new Set([...(earlier?.names ?? []), ...person.names])] });
    }
  }
  return [...merged.values()];
}

function screenedPerson({ naturalPerson, legalPerson }: Person): ScreenedPerson {
  if (legalPerson)
    return { kind: 'ORGANISATION', names: namesIn(legalPerson.name, identifier => [identifier.legalPersonName]) };
  const { dateOfBirth, placeOfBirth } = naturalPerson?.dateAndPlaceOfBirth ?? {};
  return {
    kind: 'INDIVIDUAL',
    names: namesIn(naturalPerson?.name, ({ secondaryIdentifier, primaryIdentifier }) => [
      secondaryIdentifier,
      primaryIdentifier,
    ]),
    ...(dateOfBirth ? { dateOfBirth } : {}),
    ...(placeOfBirth ? { placeOfBirth } : {}),
  };
}

const namesIn = <I>(
  name: NameLists<I> | null | undefined,
  partsOf: (identifier: I) => (string | null | undefined)[],
): string[] =>
  identifiersOf(name)
    .map(identifier => partsOf(identifier).filter(Boolean).join(' ').slice(0, MAX_LENGTH.name))
    .filter(text => text !== '');
