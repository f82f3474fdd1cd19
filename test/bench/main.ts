import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAdvance } from './advance.ts';
import { benchCheck } from './check.ts';
import { compare } from './compare.ts';
import { benchCreateRobot } from './create-robot.ts';
import { benchFairness } from './fairness.ts';
import { benchLists } from './lists.ts';
import { benchPeers } from './peers.ts';
import { measureIn } from './process.ts';
import { missed, writeReport } from './report.ts';
import { benchRest } from './rest.ts';
import { benchSecureDelete } from './secure-delete.ts';
import { benchStartUp } from './start-up.ts';
import { benchTimers } from './timers.ts';
import { benchVerifications } from './verifications.ts';
import { benchWithdrawals } from './withdrawals.ts';

type Part = (folder: string) => Promise<void>;

const PARTS: Record<string, Part> = {
  start: benchStartUp,
  rest: benchRest,
  verifications: benchVerifications,
  payouts: benchWithdrawals,
  timers: benchTimers,
  advance: benchAdvance,
  check: benchCheck,
  'create-robot': benchCreateRobot,
  lists: benchLists,
  'secure-delete': benchSecureDelete,
};

/** They install other programs first or fill a large database, so they run only by `--only`. */
const APART: Record<string, Part> = { peers: benchPeers, fairness: benchFairness };

const ALL = { ...PARTS, ...APART };

/** The load of the machine before the first part. Above it a figure says nothing. */
const QUIET = 0.5;

const USAGE = `npm run bench -- [--only PART,PART] [--json FILE]
npm run bench -- --compare FILE FILE
Parts: ${Object.keys(PARTS).join(', ')}. By --only alone: ${Object.keys(APART).join(', ')}.
BENCH_PROGRAM=FILE measures another build: its dist/cli.js.
It ends with 1 where a budget is missed, unless the machine was busy before.
`;

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    compare: { type: 'boolean' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
const wanted = values.only?.split(',') ?? Object.keys(PARTS);
const [before, after] = positionals;
const misused = values.compare ? positionals.length !== 2 : positionals.length > 0;
if (values.help || misused || wanted.some(part => !(part in ALL))) {
  process.stderr.write(USAGE);
  process.exit(values.help ? 0 : 2);
}
if (values.compare) {
  compare(before!, after!);
} else {
  const [load] = loadavg();
  for (const part of wanted) await measureIn(ALL[part]!);
  if (values.json) writeReport(values.json);
  if (load! > QUIET) process.stderr.write(`The load was ${load} before the first part: no figure counts.\n`);
  else if (missed().length > 0) {
    process.stderr.write(`Missed:\n  ${missed().join('\n  ')}\n`);
    process.exitCode = 1;
  }
}
