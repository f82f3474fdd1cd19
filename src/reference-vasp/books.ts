import type { Store } from './store.ts';

export interface Booking {
  /** The purpose. Each purpose is booked once. */
  readonly key: string;
  readonly customer: string;
  readonly symbol: string;
  readonly units: bigint;
}

/** False: it was booked before. */
export const book = (store: Store, { key, customer, symbol, units }: Booking): boolean =>
  store.run('INSERT OR IGNORE INTO bookings VALUES (?, ?, ?, ?)', key, customer, symbol, String(units));

export const balance = (store: Store, customer: string, symbol: string): bigint =>
  store
    .all<{ units: string }>('SELECT units FROM bookings WHERE customer = ? AND symbol = ?', customer, symbol)
    .map(({ units }) => BigInt(units))
    .reduce((sum, units) => sum + units, 0n);
