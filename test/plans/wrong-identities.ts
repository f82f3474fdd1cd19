import type { WrongVasp } from './wrong-vasps.ts';

/** Independent VASPs that judge a beneficiary wrongly. */

/** The same of an account and of a user verification. */
const both = <const W extends string>(wrong: W, word: string, account: string, user: string) => ({
  wrong,
  fails: [`${account}.${word}`, `${user}.${word}`],
});
const ofName = <const W extends string>(wrong: W, word: string) => both(wrong, word, 'D1.g', 'D2.k');
const ofCompany = <const W extends string>(wrong: W, word: string) => both(wrong, word, 'D1.h', 'D2.l');
const ofAccount = <const W extends string>(wrong: W, word: string, symbol: 'ETH' | 'XRP' = 'ETH') => ({
  ...both(wrong, word, 'D1.i', 'D2.m'),
  symbol,
});

/** Questions whose names are not those of the customer. */
const NAME_WORDS = [
  ...['stranger', 'prefix', 'longer', 'one-letter', 'initial', 'exchanged', 'blank'],
  ...['first-prefix', 'first-one-letter', 'two-persons', 'company-of-customer', 'doubled', 'accent'],
  'doubled-letter',
  ...['wildcard', 'pattern', 'apostrophe', 'four-bytes', 'long', 'more-given', 'joined', 'parted'],
];

export const IDENTITIES = [
  {
    wrong: 'compares only the last name',
    fails: ['D1.g', 'D2.k'].flatMap(id =>
      ['first', 'initial', 'first-prefix', 'first-one-letter', 'more-given'].map(word => `${id}.${word}`),
    ),
  },
  {
    wrong: 'compares only the first name',
    fails: ['D1.g', 'D2.k'].flatMap(id =>
      [
        ...['last', 'prefix', 'longer', 'one-letter', 'apostrophe', 'four-bytes', 'long'],
        ...['doubled', 'doubled-letter', 'accent', 'joined', 'parted'],
      ].map(word => `${id}.${word}`),
    ),
  },
  ofName('compares case', 'case'),
  ofCompany('folds case by Turkish rules', 'case'),
  ofName('compares the names of all customers', 'other-customer'),
  ofName('compares only the first nameIdentifier', 'second'),
  {
    wrong: 'takes no localNameIdentifier',
    fails: [
      ...['D1.g', 'D2.k'].flatMap(id => [`${id}.local`, `${id}.local-only`]),
      ...['D1.h', 'D2.l'].map(id => `${id}.local-only`),
    ],
  },
  { wrong: 'overlooks local names', fails: ['D1.g', 'D1.h', 'D2.k', 'D2.l'].map(id => `${id}.local-only`) },
  ofName('overlooks a hyphen', 'joined'),
  ofName('overlooks blanks', 'parted'),
  ofName('overlooks punctuation', 'joined'),
  ofName('overlooks a further given name', 'more-given'),
  { wrong: 'compares codes with their blanks', fails: ['D2.n.blanks'] },
  // Its one time is that of its start, which may be long ago.
  { wrong: 'writes one time for everything', fails: ['D1.a.grows'], may: ['D1.a.moment'] },
  ofName('takes no phoneticNameIdentifier', 'phonetic'),
  ofName('takes the beginning of a last name for the name', 'prefix'),
  {
    wrong: 'takes a longer last name for the name',
    fails: ['D1.g', 'D2.k'].flatMap(id => ['longer', 'four-bytes', 'long', 'doubled'].map(word => `${id}.${word}`)),
  },
  ofName('overlooks one letter', 'one-letter'),
  ofName('overlooks doubled letters', 'doubled-letter'),
  ofName('takes an initial for the first name', 'initial'),
  ofName('compares names in any order', 'exchanged'),
  ofName('takes a blank name for any', 'blank'),
  {
    wrong: 'compares only ASCII letters',
    fails: ['D1.g', 'D2.k'].flatMap(id =>
      ['other-script', 'four-bytes', 'joined', 'parted'].map(word => `${id}.${word}`),
    ),
  },
  ofName('takes the beginning of a first name', 'first-prefix'),
  ofName('overlooks one letter of a first name', 'first-one-letter'),
  ofName('one of several persons is enough', 'two-persons'),
  ofName('overlooks a company before the person', 'company-of-customer'),
  ofName('compares names by LIKE', 'wildcard'),
  ofName('compares names by a pattern', 'pattern'),
  ofName('stores no apostrophe', 'apostrophe'),
  ofName('stores letters of three bytes', 'four-bytes'),
  ofName('has room for 64 letters', 'long'),
  ofName('compares decomposed names', 'decomposed'),
  {
    wrong: 'compares the words of a name',
    fails: ['D1.g', 'D2.k'].flatMap(id => [`${id}.doubled`, `${id}.exchanged`]),
  },
  ofName('compares names without accents', 'accent'),
  ofAccount('finds an account by a text in SQL', 'injection'),
  { wrong: 'answers with its own form of the account', fails: ['D2.m.lower-case'] },
  ofCompany('takes the representative for the company', 'representative-only'),
  { wrong: 'mixes up questions at once', fails: ['D2.o.own'], modules: ['D2.a', 'D2.c', 'D2.o'] },
  {
    wrong: 'remembers a VERIFIED account for any name',
    fails: [...NAME_WORDS, 'last', 'first', 'other-customer', 'nameless', 'nobody'].map(word => `D2.k.${word}`),
    may: ['D2.k.other-script'],
    modules: ['D2.a', 'D2.k'],
  },
  { wrong: 'takes a person without a name for any', fails: ['D2.k.nameless'] },
  { wrong: 'takes no person for any', fails: ['D2.k.nobody'] },
  { wrong: 'wants a person to verify an account', fails: ['D1.g.address-only'] },
  ofName('hints at the owner', 'nothing-told'),
  { wrong: 'tells the owner of a verified account', fails: ['D1.g.nothing-told'] },
  ofCompany('takes the beginning of a company for the company', 'company-prefix'),
  ofCompany('takes a longer company for the company', 'company-longer'),
  ofCompany('compares only the last name of a representative', 'representative-first'),
  { wrong: 'names all representatives', fails: ['D2.n.one-representative'] },
  { wrong: 'says another place of birth', fails: ['W3.a.originator-birthplace'] },
  {
    wrong: 'compares no name',
    fails: [
      ...['D1.g', 'D2.k'].flatMap(id =>
        [...NAME_WORDS, 'last', 'first', 'other-customer', 'other-script'].map(word => `${id}.${word}`),
      ),
      'D2.k.nameless',
      'D2.k.nobody',
    ],
  },
  {
    wrong: 'tells the name of the owner',
    fails: ['D1.g', 'D1.h', 'D1.i', 'D2.k', 'D2.l', 'D2.m'].map(id => `${id}.nothing-told`),
  },
  ofName('tells the owner in the message', 'nothing-told'),
  {
    wrong: 'compares no company',
    fails: ['D1.h', 'D2.l'].flatMap(id =>
      ['company', 'company-prefix', 'company-longer', 'representative-only'].map(word => `${id}.${word}`),
    ),
  },
  {
    wrong: 'compares no representative',
    fails: ['D1.h', 'D2.l'].flatMap(id => [`${id}.representative`, `${id}.representative-first`]),
  },
  { wrong: 'needs no representative', fails: ['D2.l.no-representative'] },
  ofCompany('knows only the first representative', 'second-representative'),
  {
    wrong: 'one of several accounts is enough',
    fails: ['D1.i', 'D2.m'].flatMap(id => [`${id}.two-accounts`, `${id}.two-accounts-last`]),
  },
  ofAccount('looks only at the last account', 'two-accounts-last'),
  ofAccount('compares the ends of an account', 'look-alike'),
  ofAccount('ignores the network', 'network'),
  ofAccount('compares the accounts of all symbols', 'other-symbol'),
  ofAccount('compares the accounts of all symbols', 'other-symbol', 'XRP'),
  { wrong: 'answers without the tag', fails: ['D2.a.account', 'D2.i.account'], symbol: 'XRP' },
  ofAccount('takes an account in lower case for wrong', 'lower-case'),
  ofAccount('needs a network and says UNDEFINED-ERROR', 'no-network'),
  ofAccount('compares XRP addresses without case', 'lower-case', 'XRP'),
  ofAccount('tag 0 is no tag', 'tag-zero', 'XRP'),
  {
    wrong: 'keeps 32 bits of a tag',
    fails: ['D1.i', 'D2.m'].flatMap(id => [`${id}.tag-overflow`, `${id}.tag-zeros`]),
    symbol: 'XRP',
  },
  ofAccount('compares tags as numbers', 'tag-zeros', 'XRP'),
  {
    wrong: 'compares addresses without their tag',
    fails: ['D1.i', 'D2.m'].flatMap(id =>
      [
        ...['no-tag', 'tag-zero', 'tag-overflow', 'tag-zeros'],
        ...['look-alike', 'two-accounts', 'two-accounts-last'],
      ].map(word => `${id}.${word}`),
    ),
    symbol: 'XRP',
  },
  {
    wrong: 'gives the name when only the account is wanted',
    fails: ['D2.n.account-only', 'D2.n.company-account-only'],
  },
  { wrong: 'gives another birth date', fails: ['D2.n.birth'] },
  { wrong: 'knows the codes in one order', fails: ['D2.n.order'] },
  {
    wrong: 'gives the birth date in another member',
    fails: ['D2.n.account-only', 'D2.n.name-only', 'D2.n.company-account-only'],
  },
] as const satisfies readonly WrongVasp[];
