import { hasSameWords, isLike, isSameTag, store } from './database.ts';
import type { Is } from './wrongs.ts';

/** Who asks for which customer: the judgement of the independent VASP as beneficiary. */

export interface Person {
  lastName: string;
  firstName?: string;
}
export type Owner = {
  id: string;
  dateOfBirth: string;
  placeOfBirth: string;
  kyc: boolean;
  accounts: Record<'ETH' | 'XRP', string>;
} & ({ kind: 'natural'; names: Person } | { kind: 'legal'; names: { legalName: string; representatives: Person[] } });

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
export type Any = any;

export interface Verdict {
  result: string;
  reason?: string;
  message?: string;
  owner?: Owner;
}
const denied = (reason: string, message = '', owner?: Owner): Verdict => ({
  result: 'DENIED',
  reason,
  message,
  ...(owner ? { owner } : {}),
});

const NETWORKS: Record<string, string[]> = { ETH: ['ethereum'], XRP: ['ripple', 'xrp ledger'] };

export function judgeBeneficiary(
  is: Is,
  owners: readonly Owner[],
  { symbol, network, beneficiary }: { symbol: string; network?: string; beneficiary: Any },
  { isNameNeeded, isKycNeeded }: { isNameNeeded: boolean; isKycNeeded: boolean },
): Verdict {
  const networks = NETWORKS[symbol];
  if (!networks) return denied('UNKNOWN-SYMBOL', symbol);
  const known = is('knows the XRP Ledger as XRPL') && symbol === 'XRP' ? ['xrpl'] : networks;
  if (network && !known.includes(network.toLowerCase()) && !is('ignores the network'))
    return denied('UNKNOWN-NETWORK', network);
  if (!network && is('needs a network')) return denied('UNKNOWN-NETWORK', 'network');
  if (!network && is('needs a network and says UNDEFINED-ERROR')) return denied('UNDEFINED-ERROR', 'network');
  const accounts = beneficiary.accountNumber as string[];
  const isLower = owners.some(({ accounts: own }) => own.ETH.toLowerCase() === accounts[0]);
  if (is('takes an account in lower case for wrong') && isLower) return denied('UNDEFINED-ERROR', 'checksum');
  const judged = is('looks only at the last account') ? accounts.slice(-1) : accounts;
  const found = judged.map(account => owners.find(owner => isAccountOf(is, owner, symbol, account)));
  const isFine = is('one of several accounts is enough')
    ? found.some(Boolean)
    : found.every(owner => owner && owner === found[0]);
  const owner = found.find(Boolean);
  if (!owner || !isFine) return denied('UNKNOWN-ADDRESS', accounts[0], owner);
  const persons = (beneficiary.beneficiaryPersons ?? []) as Any[];
  if (is('wants a person to verify an account') && persons.length === 0) return denied('MISMATCHED-NAME');
  const named = is('compares the names of all customers') ? owners : [owner];
  if ((isNameNeeded || persons.length > 0) && !named.some(each => isNamed(is, each, persons)))
    return denied('MISMATCHED-NAME', hintAt(is, owner), owner);
  if (isKycNeeded && !owner.kyc) return denied('UNVERIFIED-KYC', '', owner);
  return { result: 'VERIFIED', owner };
}

function hintAt(is: Is, owner: Owner): string {
  if (is('hints at the owner')) return `hint: ${nameText(owner).slice(0, 2)}***`;
  return is('tells the owner in the message') ? nameText(owner) : '';
}

function isAccountOf(is: Is, owner: Owner, symbol: string, text: string): boolean {
  if (is('finds an account by a text in SQL') && text.endsWith("'1'='1")) return true;
  if (is('compares the accounts of all symbols') && Object.values(owner.accounts).includes(text)) return true;
  const own = owner.accounts[symbol as 'ETH' | 'XRP'];
  if (is('compares the ends of an account')) return text.slice(0, 20).toLowerCase() === own.slice(0, 20).toLowerCase();
  if (symbol === 'ETH')
    return text === own || (text === own.toLowerCase() && !is('compares ETH addresses with their case'));
  const [address, tag] = text.split(':');
  const [ownAddress, ownTag] = own.split(':');
  if (is('compares XRP addresses without case'))
    return address?.toLowerCase() === ownAddress?.toLowerCase() && tag === ownTag;
  if (address !== ownAddress) return false;
  if (is('compares addresses without their tag')) return true;
  return isSameTag(is, tag, ownTag);
}

const fold = (text: unknown, is: Is) => {
  const stored = store(String(text ?? ''), is);
  const plain = (is('compares decomposed names') ? stored : stored.normalize('NFC')).trim().replace(/\s+/g, ' ');
  if (is('folds case by Turkish rules')) return plain.toLocaleLowerCase('tr');
  const joined = is('overlooks blanks') ? plain.replaceAll(' ', '') : plain;
  const hyphens = is('overlooks a hyphen') ? joined.replaceAll('-', '') : joined;
  const single = is('overlooks doubled letters') ? hyphens.replace(/(\p{L})\1/giu, '$1') : hyphens;
  const signs = is('overlooks punctuation') ? single.replace(/[^\p{L}\p{N} ]/gu, '') : single;
  return is('compares case') ? signs : signs.toLowerCase();
};

function isNamed(is: Is, owner: Owner, [first, ...others]: Any[]): boolean {
  if (is('compares no name')) return true;
  if (is('takes no person for any') && !first) return true;
  if (is('takes a person without a name for any') && first?.naturalPerson?.name?.nameIdentifier?.length === 0)
    return true;
  const isOne = (each: Any) => isPerson(is, owner, owner.names as Person, each?.naturalPerson?.name);
  const hasCompany = [first, ...others].some(each => each?.legalPerson);
  if (owner.kind === 'natural' && is('one of several persons is enough') && !hasCompany)
    return [first, ...others].some(isOne);
  if (owner.kind === 'natural' && is('overlooks a company before the person') && hasCompany) return others.some(isOne);
  if (owner.kind === 'natural') return others.length === 0 && isOne(first);
  if (is('takes the representative for the company') && !hasCompany)
    return owner.names.representatives.some(own => isPerson(is, owner, own, first?.naturalPerson?.name));
  const { legalName, representatives } = owner.names;
  const companies = namesIn(is, first?.legalPerson?.name).map(each => fold(each.legalPersonName, is));
  const whole = fold(legalName, is);
  const isCompany =
    is('compares no company') ||
    companies.includes(whole) ||
    companies.some(
      each =>
        (is('takes the beginning of a company for the company') && whole.startsWith(each)) ||
        (is('takes a longer company for the company') && each.startsWith(whole)),
    );
  if (is('compares no representative')) return isCompany && (others.length > 0 || is('needs no representative'));
  if (is('needs no representative') && others.length === 0) return isCompany;
  const known = is('knows only the first representative') ? representatives.slice(0, 1) : representatives;
  return isCompany && others.some(each => known.some(own => isPerson(is, owner, own, each.naturalPerson?.name)));
}

const ascii = (text: string): string => text.replace(/[^a-z]/g, '');

function isNearly(is: Is, primary: string, last: string): boolean {
  if (primary === '') return false;
  const isOtherLetter = primary.length === last.length && primary.slice(0, -1) === last.slice(0, -1);
  return (
    (is('takes the beginning of a last name for the name') && last.startsWith(primary)) ||
    (is('takes a longer last name for the name') && primary.startsWith(last)) ||
    (is('overlooks one letter') && isOtherLetter)
  );
}

function isPerson(is: Is, owner: Owner, own: Person, name: Any): boolean {
  const [last, first] = [fold(own.lastName, is), fold(own.firstName, is)];
  return namesIn(is, name).some(each => {
    const [primary, secondary] = [fold(each.primaryIdentifier, is), fold(each.secondaryIdentifier, is)];
    if (isLike(is, primary) && (secondary === '' || isLike(is, secondary))) return true;
    if (hasSameWords(is, [primary, secondary], [last, first])) return true;
    if (is('compares only the last name')) return primary === last;
    if (is('compares only the last name of a representative') && owner.kind === 'legal') return primary === last;
    if (is('takes a blank name for any') && primary === '' && secondary === '') return true;
    if (is('compares only ASCII letters') && secondary !== '')
      return [primary, secondary, last, first].every(text => ascii(text) === '')
        ? true
        : ascii(primary) === ascii(last) && ascii(secondary) === ascii(first);
    if (is('compares names in any order') && primary === first && secondary === last) return true;
    if (is('takes an initial for the first name') && primary === last && secondary === first[0]) return true;
    if (secondary === first && isNearly(is, primary, last)) return true;
    if (is('overlooks a further given name') && primary === last && secondary.startsWith(`${first} `)) return true;
    if (primary === last && secondary !== '' && first.length > 1) {
      if (is('takes the beginning of a first name') && secondary.length > 1 && first.startsWith(secondary)) return true;
      if (is('overlooks one letter of a first name') && secondary.slice(0, -1) === first.slice(0, -1)) return true;
    }
    if (is('compares only the first name')) return secondary === first;
    const isWhole = secondary === '' && [`${last} ${first}`, `${first} ${last}`].includes(primary);
    return (primary === last && secondary === first) || isWhole;
  });
}

function namesIn(is: Is, name: Any): Any[] {
  if (is('takes no localNameIdentifier') && name?.localNameIdentifier) return [];
  if (is('takes no phoneticNameIdentifier') && name?.phoneticNameIdentifier) return [];
  const names = name?.nameIdentifier ?? [];
  if (is('overlooks local names')) return names;
  if (is('compares only the legal name'))
    return [
      ...names.filter((each: Any) => each.nameIdentifierType !== 'ALIA').slice(0, 1),
      ...(name?.localNameIdentifier ?? []),
    ];
  return [
    ...(is('compares only the first nameIdentifier') ? names.slice(0, 1) : names),
    ...(name?.localNameIdentifier ?? []),
    ...(name?.phoneticNameIdentifier ?? []),
  ];
}

const birthOf = ({ dateOfBirth, placeOfBirth }: Owner) => ({ dateAndPlaceOfBirth: { dateOfBirth, placeOfBirth } });

export const nameText = (owner: Owner): string =>
  owner.kind === 'natural' ? `${owner.names.firstName ?? ''} ${owner.names.lastName}`.trim() : owner.names.legalName;

export function personsOf(owner: Owner, birth: object = {}): Any[] {
  const person = ({ lastName, firstName }: Person) => ({
    naturalPerson: {
      name: {
        nameIdentifier: [{ primaryIdentifier: lastName, secondaryIdentifier: firstName, nameIdentifierType: 'LEGL' }],
      },
      ...birth,
    },
  });
  if (owner.kind === 'natural') return [person(owner.names)];
  const { legalName, representatives } = owner.names;
  const name = { nameIdentifier: [{ legalPersonName: legalName, legalPersonNameIdentifierType: 'LEGL' }] };
  return [{ legalPerson: { name } }, ...representatives.map(person)];
}

const isBirth = (codes: string): boolean => codes.includes('NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH');

const KNOWN_INFO = {
  natural: ['NATURAL_PERSON_NAME', 'ACCOUNT_NUMBER'],
  legal: ['LEGAL_PERSON_NAME', 'CORPORATE_REPRESENTATIVE_NAME', 'ACCOUNT_NUMBER'],
};

export function judgeUser(
  is: Is,
  owners: readonly Owner[],
  { assetInfo, requiredBeneficiaryInfo, ivms101 }: Any,
): Verdict {
  const { beneficiary, originator } = ivms101;
  const verdict = judgeBeneficiary(
    is,
    owners,
    { symbol: assetInfo.symbol, network: assetInfo.network, beneficiary },
    { isNameNeeded: true, isKycNeeded: true },
  );
  const { owner } = verdict;
  if (verdict.result !== 'VERIFIED' || !owner) return verdict;
  if (is('refuses stale and senseless prices') && !isPriceRight(assetInfo))
    return denied('NOT-ALLOWED', 'the price is stale or senseless');
  if (is('takes no deposit of more than 100 coins') && Number(assetInfo.amount) > 100)
    return denied('NOT-ALLOWED', 'more than the limit of this customer');
  const unknown = (requiredBeneficiaryInfo as string)
    .split(',')
    .filter(
      code =>
        !KNOWN_INFO[owner.kind].includes(is('compares codes with their blanks') ? code : code.trim()) &&
        !(is('gives another birth date') && isBirth(code)),
    );
  if (unknown.length > 0) return denied('UNAVAILABLE-INFORMATION', unknown.join(','), owner);
  if (is('knows the codes in one order') && requiredBeneficiaryInfo.startsWith('ACCOUNT_NUMBER,'))
    return denied('UNAVAILABLE-INFORMATION', requiredBeneficiaryInfo, owner);
  const { dateAndPlaceOfBirth } = originator.originatorPersons[0]?.naturalPerson ?? {};
  if (!dateAndPlaceOfBirth && !originator.originatorPersons[0]?.legalPerson)
    return denied('LACK-OF-INFORMATION', 'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH', owner);
  return verdict;
}

const DAY_MS = 86_400_000;
/** The least and the most for one coin, in euro. */
const PRICE: Record<string, [number, number]> = { ETH: [500, 10_000], XRP: [0.1, 5] };

function isPriceRight({ symbol, amount, tradePrice, tradeCurrency, tradeISODatetime }: Any): boolean {
  const [least, most] = PRICE[symbol]!;
  const price = Number(tradePrice) / Number(amount);
  const age = Math.abs(Date.now() - Date.parse(tradeISODatetime));
  return tradeCurrency === 'EUR' && price >= least && price <= most && age < DAY_MS;
}

/** The answer to a user verification. */
export function userAnswer(is: Is, { version, requiredBeneficiaryInfo, ivms101 }: Any, verdict: Verdict): object {
  const { result, reason = 'OK', message = '', owner } = verdict;
  const answer = { result, reason, message, version };
  const { accountNumber: accounts, beneficiaryPersons } = ivms101.beneficiary;
  const accountNumber = is('answers without the tag')
    ? accounts.map((each: string) => each.split(':')[0])
    : owner && is('answers with its own form of the account')
      ? [owner.accounts[ivms101.beneficiary.accountNumber[0].startsWith('0x') ? 'ETH' : 'XRP']]
      : accounts;
  if (owner && result !== 'VERIFIED' && is('tells the name of the owner'))
    return {
      ...answer,
      ivms101: { beneficiary: { beneficiaryPersons: personsOf(owner, birthOf(owner)), accountNumber } },
    };
  if (!owner || result !== 'VERIFIED') return answer;
  const wanted = requiredBeneficiaryInfo as string;
  const all = personsOf(owner, isBirth(wanted) ? birthOf({ ...owner, dateOfBirth: '1900-01-01' }) : {});
  const isAsked = (each: Any) =>
    owner.kind === 'natural' ||
    each.legalPerson ||
    is('names all representatives') ||
    beneficiaryPersons.slice(1).some((asked: Any) => JSON.stringify(asked) === JSON.stringify(each));
  const isAnyWanted = /PERSON_NAME/.test(wanted) || is('gives the name when only the account is wanted');
  const persons = isAnyWanted ? all.filter(isAsked) : [];
  const more = is('gives the birth date in another member') ? { bornOn: owner.dateOfBirth } : {};
  return { ...answer, ...more, ivms101: { beneficiary: { beneficiaryPersons: persons, accountNumber } } };
}
