import { expect, test } from 'vitest';
import { type AssetSymbol, accountProblem } from '../../src/contract/assets.ts';
import { Customers } from '../../src/contract/customers.ts';
import { parse, problemsIn } from '../../src/contract/parse.ts';
import { Refusal } from '../../src/contract/refusals.ts';

const ETH = '0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c';
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';

test.each<[AssetSymbol, string, RegExp | undefined]>([
  ['ETH', ETH, undefined],
  ['ETH', ETH.toLowerCase(), undefined],
  ['ETH', `0x${ETH.slice(2).toUpperCase()}`, undefined],
  ['ETH', ETH.replace('Fa', 'fa'), /EIP-55/],
  ['ETH', ETH.slice(0, -1), /40 hexadecimal digits/],
  ['ETH', XRP, /40 hexadecimal digits/],
  ['XRP', XRP, undefined],
  ['XRP', `${XRP}:0`, undefined],
  ['XRP', `${XRP}:4294967295`, undefined],
  ['XRP', `${XRP}:4294967296`, /destination tag/],
  ['XRP', `${XRP}:01`, /destination tag/],
  ['XRP', `${XRP}:`, /destination tag/],
  ['XRP', `${XRP}:1:2`, /XRP Ledger/],
  ['XRP', XRP.replace('E', 'F'), /XRP Ledger/],
  ['XRP', 'rYOURADDRESS:1', /XRP Ledger/],
  ['XRP', ETH, /XRP Ledger/],
  ['XRP', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb', /no X-address/],
  ['XRP', 'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ', /no X-address/],
])('%s %s', (symbol, account, problem) => {
  const found = accountProblem(symbol, account);
  if (problem) expect(found).toMatch(problem);
  else expect(found).toBeUndefined();
});

test('a customers file with an X-address names the account', () => {
  const accounts = { ETH, XRP: 'XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb' };
  const names = { lastName: 'Barnes', firstName: 'Robert' };
  const file = { customers: [{ id: 'main', kind: 'natural', names, accounts }] };
  const refused = () => parse(Customers, file);
  expect(refused).toThrow(Refusal);
  expect(refused).toThrow(/customers\.?\[?0\]?\.accounts\.XRP.*no X-address/);
});

test.each([
  ['two customers of one account', { ETH }, { ETH: ETH.toLowerCase() }, {}, /main and other have the ETH account/],
  ['a customer with the account of nobody', { ETH }, {}, { ETH }, /main and `nobody` have the ETH account/],
  ['two tags of one address', { XRP: `${XRP}:1` }, { XRP: `${XRP}:2` }, { XRP }, undefined],
])('a customers file with %s', (_, first, second, nobody, problem) => {
  const customers = [first, second].map((accounts, index) => ({
    id: index === 0 ? 'main' : 'other',
    kind: 'natural',
    names: { lastName: 'Barnes', firstName: 'Robert' },
    accounts,
  }));
  const read = () => parse(Customers, { customers, nobody });
  if (problem) expect(read).toThrow(problem);
  else expect(read).not.toThrow();
});

test('a customer is not born in the future', () => {
  const names = { lastName: 'Barnes', firstName: 'Robert' };
  const file = (dateOfBirth: string) => ({
    customers: [{ id: 'main', kind: 'natural', names, accounts: { ETH }, dateOfBirth }],
  });
  expect(() => parse(Customers, file('2999-01-01'))).toThrow(/dateOfBirth.*future/);
  expect(() => parse(Customers, file('1990-01-01'))).not.toThrow();
});

test('every mistake of a customers file is named at once', () => {
  const customer = (more: object) => ({
    ...{ id: 'main', kind: 'natural', names: { lastName: 'Barnes', firstName: 'Robert' }, accounts: { ETH } },
    ...more,
  });
  const customers = [
    customer({ dateOfBirth: '1990-02-30', surname: 'Barnes', town: 'Seoul' }),
    customer({ id: 'other', names: { lastName: '' } }),
    customer({ accounts: { XRP: 'nowhere' } }),
    null,
  ];
  expect(problemsIn(Customers, { customers, more: [] })).toEqual([
    '`customers[0].dateOfBirth` should be a well-formed date.',
    '`customers[0].surname` is not known.',
    '`customers[0].town` is not known.',
    '`customers[1].names.lastName` should not be empty.',
    expect.stringMatching(/^`customers\[2\]\.accounts\.XRP` should be an address of the XRP Ledger/),
    '`customers[3]` should be `natural` or `legal`.',
    '`more` is not known.',
    '`customers` should have ids that differ.',
    `\`customers\` should have accounts that differ: main and other have the ETH account ${ETH}.`,
  ]);
});
