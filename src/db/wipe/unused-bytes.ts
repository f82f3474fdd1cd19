/** https://sqlite.org/fileformat2.html: pages of b-trees begin with one of these bytes, and so long is their header. */
const HEADERS: ReadonlyMap<number, number> = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);
const FILE_HEADER = 100;
const LARGEST_PAGE = 65_536;
const ZEROS = Buffer.alloc(LARGEST_PAGE);

/**
 * Fills the unused bytes of a b-tree page with zeros: SQLite leaves there what it has moved to another page. True: the page
 * is changed. A page that is no b-tree page stays.
 */
export function zeroUnused(page: Buffer, number: number): boolean {
  const start = number === 1 ? FILE_HEADER : 0;
  const header = HEADERS.get(page[start]!);
  if (!header) return false;
  const cells = start + header + 2 * page.readUInt16BE(start + 3);
  const content = page.readUInt16BE(start + 5) || LARGEST_PAGE;
  if (cells > content || content > page.length) return false;
  let isChanged = zero(page, cells, content);
  for (let free = page.readUInt16BE(start + 1); free >= content && free + 4 <= page.length; ) {
    const end = free + page.readUInt16BE(free + 2);
    if (end > page.length) break;
    isChanged = zero(page, free + 4, end) || isChanged;
    const next = page.readUInt16BE(free);
    if (next <= free) break;
    free = next;
  }
  return isChanged;
}

/** False: there were zeros alone. */
export function zero(page: Buffer, from: number, to: number): boolean {
  if (from >= to || page.compare(ZEROS, 0, to - from, from, to) === 0) return false;
  page.fill(0, from, to);
  return true;
}
