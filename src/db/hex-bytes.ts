import { customType } from 'drizzle-orm/sqlite-core';

/** `0x` and pairs of digits in lower case, stored as bytes. Any other text is stored as it is. */
export const hexBytes = customType<{ data: string; driverData: string | Buffer }>({
  dataType: () => 'text',
  toDriver: text => (/^0x([0-9a-f]{2})+$/.test(text) ? Buffer.from(text.slice(2), 'hex') : text),
  fromDriver: stored => (typeof stored === 'string' ? stored : `0x${stored.toString('hex')}`),
});
