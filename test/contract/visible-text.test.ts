import { describe, expect, test } from 'vitest';
import { foldText } from '../../src/contract/persons.ts';
import { visibleNearMiss } from '../../src/contract/text.ts';

const NAME = 'ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0].primaryIdentifier';
const ACCOUNT = 'ivms101.beneficiary.accountNumber[0]';
const gotOf = (got: string, expected: string, field = NAME) => visibleNearMiss({ field, expected, got }).got;

describe('D-46: a near miss shows', () => {
  test.each([
    ['a zero-width space', 'Robbins\u200b', 'Robbins⟨U+200B⟩'],
    ['a soft hyphen', 'Rob\u00adbins', 'Rob⟨U+00AD⟩bins'],
    ['a no-break space', 'Robbins\u00a0', 'Robbins⟨U+00A0⟩'],
    ['a byte order mark', '\ufeffRobbins', '⟨U+FEFF⟩Robbins'],
    ['a direction mark', '\u202eRobbins', '⟨U+202E⟩Robbins'],
    ['a tabulator', 'Robbins\t', 'Robbins⟨U+0009⟩'],
    ['a Hangul filler', 'Robbins\u3164', 'Robbins⟨U+3164⟩'],
    ['a tag outside of the first plane', 'Robbins\u{e0041}', 'Robbins⟨U+E0041⟩'],
    ['a variation selector', 'Robbins\ufe0f', 'Robbins⟨U+FE0F⟩'],
    ['a Cyrillic letter', 'R\u043ebbins', 'R\u043e⟨U+043E⟩bbins'],
    ['a Greek letter', 'R\u03bfbbins', 'R\u03bf⟨U+03BF⟩bbins'],
    ['full width', '\uff32obbins', '\uff32⟨U+FF32⟩obbins'],
    ['both at once', 'R\u043ebbins\u200b', 'R\u043e⟨U+043E⟩bbins⟨U+200B⟩'],
    ['nothing in another name', 'Robinson', 'Robinson'],
    ['nothing in accents', 'Röbbins', 'Röbbins'],
    ['nothing in Hangul', '로빈스', '로빈스'],
    ['nothing in Cyrillic without a twin', 'Роббинс', 'Роббинс'],
  ])('%s', (_, got, shown) => expect(gotOf(got, 'Robbins')).toBe(shown));

  test('a whole word of another script that looks like the expected one', () =>
    expect(gotOf('\u0420\u0410\u0423', 'PAY')).toBe('\u0420⟨U+0420⟩\u0410⟨U+0410⟩\u0423⟨U+0423⟩'));

  test('an apostrophe and a hyphen of another kind', () =>
    expect(gotOf('O’Neil‑Kim', "O'Neil-Kim")).toBe('O’⟨U+2019⟩Neil‑⟨U+2011⟩Kim'));

  test('what only the expected name has', () =>
    expect(visibleNearMiss({ field: NAME, expected: 'T\u0430ylor', got: 'Taylor' }).expected).toBe(
      'T\u0430⟨U+0430⟩ylor',
    ));

  test('blanks of an address, not those of a name', () => {
    expect(gotOf(' 0xab c ', '0xabc', ACCOUNT)).toBe('⟨U+0020⟩0xab⟨U+0020⟩c⟨U+0020⟩');
    expect(gotOf('ETH ', 'ETH or XRP', 'symbol')).toBe('ETH⟨U+0020⟩');
    expect(gotOf('Rob bins ', 'Robbins')).toBe('Rob bins ');
  });
});

test('D-09, D-46: judging folds blanks and case, and nothing that is invisible', () => {
  expect(foldText('Robbins\u00a0 X\u3000')).toBe(foldText('ROBBINS x'));
  for (const invisible of ['\u200b', '\ufeff', '\u00ad', '\u2060', '\u200d'])
    for (const text of [`Robbins${invisible}`, `${invisible}Robbins`, `Rob${invisible}bins`])
      expect(foldText(text)).not.toBe(foldText('Robbins'));
  expect(foldText('Т\u0430ylor')).not.toBe(foldText('Taylor'));
});
