/** C10: first and last number of each run of codes in the list of GLEIF. */
const RUNS: readonly (readonly [first: number, last: number])[] = [
  [1, 190],
  [192, 193],
  [195, 197],
  [199, 210],
  [213, 222],
  [224, 236],
  [238, 247],
  [249, 253],
  [255, 255],
  [257, 263],
  [266, 269],
  [271, 291],
  [293, 293],
  [295, 311],
  [313, 317],
  [319, 322],
  [324, 325],
  [328, 329],
  [331, 334],
  [336, 339],
  [342, 356],
  [358, 358],
  [362, 365],
  [368, 379],
  [381, 439],
  [441, 444],
  [446, 447],
  [449, 449],
  [451, 464],
  [466, 489],
  [493, 495],
  [497, 500],
  [502, 504],
  [508, 558],
  [560, 687],
  [689, 723],
  [725, 754],
  [756, 795],
  [797, 802],
  [804, 858],
  [860, 865],
  [867, 898],
  [900, 923],
  [925, 1045],
  [100_001, 100_001],
  [100_094, 100_094],
  // Reserved for those whose authority is not in the list.
  [777_777, 777_777],
  [888_888, 888_888],
  [999_999, 999_999],
];

/** Version 1.7 of the list. */
export const LISTED_ON = '2022-03-23';

const FORM = /^RA\d{6}$/i;
export const isAuthorityForm = (code: string): boolean => FORM.test(code);

export function isListedAuthority(code: string): boolean {
  const number = Number(code.slice(2));
  return RUNS.some(([first, last]) => number >= first && number <= last);
}
