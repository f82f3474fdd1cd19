/** Most items of one batch. */
const MOST = 100;

/** The answers stand in the order of the items. */
type Send<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>;

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Items of one turn of the event loop go out together. A failure of `send` is the failure of each of them. */
export function inBatches<Item, Answer>(send: Send<Item, Answer>): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  const sendAll = () => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += MOST) void sendBatch(send, all.slice(from, from + MOST));
  };
  return item =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll);
      waiting.push({ item, resolve, reject });
    });
}

async function sendBatch<Item, Answer>(
  send: Send<Item, Answer>,
  batch: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await send(batch.map(({ item }) => item));
    for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
