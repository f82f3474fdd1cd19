import * as z from 'zod';
import { named, optional } from './text.ts';

const whole = (min: number, max: number) => z.int().min(min).max(max);
const none = named('NoParameters', 'No parameters.', {});
const hold = named('HoldRequest', {
  on: z.boolean().describe('true: blocks and ledgers stay empty until `false` is sent.'),
});

export const CONTROLS = {
  ETH: {
    mine: named('MineRequest', { blocks: optional(whole(1, 1_000)).describe('Number of empty blocks. Default: 1.') }),
    reorg: named('ReorgRequest', {
      depth: whole(1, 128).describe(
        'Number of the newest blocks that are replaced: at most those since the last start of the program.',
      ),
      moved: optional(z.boolean()).describe(
        'true: the new blocks contain the same transactions. Default: the transactions are lost.',
      ),
    }),
    drop: named('DropRequest', {
      txHash: z.string().regex(/^0x[0-9a-fA-F]{64}$/, { error: 'should be a transaction hash' }),
    }),
    hold,
    'fee-spike': named('FeeSpikeRequest', {
      baseFee: z
        .string()
        .regex(/^[1-9]\d{0,18}$/, { error: 'should be decimal text of at most 19 digits: wei per gas' })
        .describe('Base fee of the next block. It shrinks by an eighth with every empty block.'),
    }),
    'start-over': none,
  },
  XRP: {
    close: none,
    hold,
    drop: none,
    delay: named('DelayRequest', {
      closes: whole(1, 1_000).describe('Number of ledgers by which the next submission is late.'),
    }),
    reorder: none,
    'load-factor': named('LoadFactorRequest', {
      factor: whole(1, 1_000_000).describe('Minimum fee = base fee × factor. 1 is the normal load.'),
    }),
    'forget-history': named('ForgetHistoryRequest', {
      upTo: whole(1, 4_294_967_295).describe('Index of the last ledger to delete from the history.'),
    }),
    'start-over': none,
  },
} as const;
