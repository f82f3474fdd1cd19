/** The requests of one owner that begin in one turn of the event loop. Its next ones wait while those of others begin. */
const AT_ONCE = 4;

/** Begins the requests of many owners in a fair order: nobody gets more by opening more connections. */
export function fairTurns(atOnce = AT_ONCE) {
  const waiting = new Map<string, (() => void)[]>();
  const begun = new Map<string, number>();
  let isPlanned = false;

  function plan(): void {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    isPlanned = false;
    begun.clear();
    for (const [owner, queue] of waiting) {
      const next = queue.splice(0, atOnce);
      if (queue.length === 0) waiting.delete(owner);
      else plan();
      begun.set(owner, next.length);
      for (const begin of next) begin();
    }
  }

  return (owner: string, begin: () => void): void => {
    const count = begun.get(owner) ?? 0;
    const queue = waiting.get(owner);
    plan();
    if (queue) return void queue.push(begin);
    if (count >= atOnce) return void waiting.set(owner, [begin]);
    begun.set(owner, count + 1);
    begin();
  };
}
