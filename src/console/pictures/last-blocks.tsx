import { fill, useTexts } from '../texts/languages.ts';
import { Picture } from './picture.tsx';

export interface Block {
  /** Null: the transactions that wait for a block. */
  height: number | null;
  /** ISO 8601. Null: not yet. */
  at: string | null;
  hashes: readonly string[];
}

interface LastBlocks {
  symbol: string;
  blocks: readonly Block[];
  /** Hashes of payments to the robot, and of the robot. */
  deposits: ReadonlySet<string>;
  payouts: ReadonlySet<string>;
}

const BOX = { width: 118, height: 84 };
const GAP = 12;
const MAX_DOTS = 24;
const DOTS_IN_ROW = 8;
const KINDS = ['deposit', 'payout', 'other'] as const;
type Kind = (typeof KINDS)[number];

export const LastBlocks = ({ symbol, blocks, deposits, payouts }: LastBlocks) => {
  const { pictures: texts, verification } = useTexts();
  const kindOf = (hash: string): Kind =>
    deposits.has(hash.toLowerCase()) ? 'deposit' : payouts.has(hash.toLowerCase()) ? 'payout' : 'other';
  const count = (block: Block, kind: Kind) => block.hashes.filter(hash => kindOf(hash) === kind).length;
  return (
    <Picture
      id={`blocks-${symbol}`}
      title={fill(texts.lastBlocks, { symbol })}
      width={blocks.length * (BOX.width + GAP)}
      height={BOX.height + 2}
      hasLinks
      isNewestLast
      legend={KINDS.filter(kind => blocks.some(block => count(block, kind) > 0)).map(kind => [
        `tx ${kind}`,
        texts[kind],
      ])}
      heads={[texts.block, texts.time, texts.transactions, texts.deposits, texts.payouts]}
      rows={blocks.map(block => [
        block.height ?? texts.pool,
        block.at?.slice(0, 19).replace('T', ' ') ?? verification.notYet,
        block.hashes.length,
        count(block, 'deposit'),
        count(block, 'payout'),
      ])}
    >
      {blocks.map((block, index) => (
        <g transform={`translate(${index * (BOX.width + GAP) + 1} 1)`}>
          <rect width={BOX.width} height={BOX.height} rx={5} class={block.height === null ? 'box pool' : 'box plain'} />
          <text x={8} y={18} class="label">
            {block.height ?? texts.pool}
          </text>
          <text x={8} y={33} class="tick">
            {block.hashes.length === 0 ? texts.empty : fill(texts.txCount, { count: block.hashes.length })}
            {block.at === null ? '' : ` · ${block.at.slice(11, 19)}`}
          </text>
          {block.hashes.slice(0, MAX_DOTS).map((hash, position) => (
            <a href={`/console/chain/${symbol}/${hash}`} aria-label={fill(texts.transaction, { hash })}>
              <circle
                cx={14 + (position % DOTS_IN_ROW) * 13}
                cy={46 + Math.floor(position / DOTS_IN_ROW) * 13}
                r={5}
                class={`tx ${kindOf(hash)}`}
              >
                <title>{`${texts[kindOf(hash)]} ${hash}`}</title>
              </circle>
            </a>
          ))}
        </g>
      ))}
    </Picture>
  );
};
