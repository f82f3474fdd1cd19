import { foldText } from './names.ts';

/** Something else than blanks stands in it. A name type alone names nobody. */
export function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return foldText(value) !== '';
  if (Array.isArray(value)) return value.some(isFilled);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([member, inner]) => !member.endsWith('Type') && isFilled(inner));
  return value !== null && value !== undefined;
}
