const NOT_BLANK = /\P{White_Space}/u;

/** Something else than blanks stands in it. A name type by itself names nobody. */
export function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return NOT_BLANK.test(value);
  if (Array.isArray(value)) return value.some(isFilled);
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).some(member => !member.endsWith('Type') && isFilled(value[member as never]));
  return value !== null && value !== undefined;
}
