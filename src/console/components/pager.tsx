interface Pager {
  /** Addresses. Undefined: there is no such page. */
  newer: string | undefined;
  older: string | undefined;
  /** The current position: `Page 2`, `21–40 of 112`. */
  here: string;
}

export const Pager = ({ newer, older, here }: Pager) => (
  <nav class="pager" aria-label="Pages of the list">
    {newer === undefined ? <span class="muted">← Newer</span> : <a href={newer}>← Newer</a>}
    <span>{here}</span>
    {older === undefined ? <span class="muted">Older →</span> : <a href={older}>Older →</a>}
  </nav>
);

/** The address with another query. */
export const withQuery = (path: string, query: Record<string, string | number>): string => {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) text.set(name, String(value));
  return text.size === 0 ? path : `${path}?${text}`;
};
