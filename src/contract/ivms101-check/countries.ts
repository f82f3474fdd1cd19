import { iso31661 } from 'iso-3166';

/** C3: the assigned codes of ISO 3166-1 alpha-2, and XX for an unknown state or an organisation. */
const COUNTRIES: ReadonlySet<string> = new Set([...iso31661.map(({ alpha2 }) => alpha2), 'XX']);

/** Codes that people write, and the assigned ones. */
const ASSIGNED: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** Values compare without regard to case. */
export const isCountry = (code: string): boolean => COUNTRIES.has(code.toUpperCase());

export const assignedCountry = (code: string): string | undefined => ASSIGNED[code.toUpperCase()];
