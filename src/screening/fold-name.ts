/** Folds names into Latin letters and digits, so that one name compares equal across scripts and spellings. */

const CYRILLIC =
  'а=a б=b в=v г=g ґ=g д=d е=e є=ye ж=zh з=z и=i і=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ' +
  'ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz';
const GREEK =
  'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o';
const LATIN = 'ß=ss æ=ae œ=oe ø=o ł=l đ=d ð=d þ=th ı=i';
const LETTERS = new Map(
  `${CYRILLIC} ${GREEK} ${LATIN}`.split(' ').map(pair => pair.split('=') as [string, string]),
);

/** Two spellings of one sound: `Mueller` folds like `Müller`. */
const SPELLINGS = [
  [/ae/g, 'a'],
  [/oe/g, 'o'],
  [/ue/g, 'u'],
  [/ph/g, 'f'],
  [/kh/g, 'h'],
] as const;

export function foldName(name: string): string {
  const plain = [...name.normalize('NFKC').toLowerCase()]
    .map(plainLetter)
    .join('')
    .replace(/['’`ʼ´]/gu, '')
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim();
  return SPELLINGS.reduce((text, [two, one]) => text.replace(two, one), plain);
}

/** Composed forms first: `й` is a letter of its own, not an `и` with a mark. */
function plainLetter(letter: string): string {
  const latin = LETTERS.get(letter);
  if (latin !== undefined) return latin;
  const bare = letter.normalize('NFKD').replace(/\p{Mark}+/gu, '');
  return [...bare].map(each => LETTERS.get(each) ?? each).join('');
}
