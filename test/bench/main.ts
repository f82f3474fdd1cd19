import { benchStartUp } from './start-up.ts';
import { benchTimers } from './timers.ts';
import { benchVerifications } from './verifications.ts';
import { benchWithdrawals } from './withdrawals.ts';
import { benchXrpl } from './xrpl.ts';

/** `npm run bench [-- part …]`: figures as ratios against a bare baseline of the same run. */
const PARTS: Record<string, () => Promise<void>> = {
  'start-up': benchStartUp,
  verifications: benchVerifications,
  timers: benchTimers,
  xrpl: benchXrpl,
  withdrawals: benchWithdrawals,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter(part => !(part in PARTS));
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}\n`);
  process.exit(2);
}
for (const [part, run] of Object.entries(PARTS))
  if (wanted.length === 0 || wanted.includes(part)) await run();
