/** Pages without content. A trunk page lists leaf pages: trunk -> where its list ends. */
export interface FreePages {
  trunks: ReadonlyMap<number, number>;
  leaves: ReadonlySet<number>;
}

const FIRST_TRUNK_AT = 32;

/** `read`: a page of the file, by number. The log of the database is empty. */
export function freePages(read: (number: number) => Buffer): FreePages {
  const trunks = new Map<number, number>();
  const leaves = new Set<number>();
  for (let number = read(1).readUInt32BE(FIRST_TRUNK_AT); number !== 0 && !trunks.has(number); ) {
    const page = read(number);
    const end = 8 + 4 * page.readUInt32BE(4);
    trunks.set(number, end);
    for (let at = 8; at < end; at += 4) leaves.add(page.readUInt32BE(at));
    number = page.readUInt32BE(0);
  }
  return { trunks, leaves };
}
