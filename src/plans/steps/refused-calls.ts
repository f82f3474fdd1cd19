import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';

/** None of these calls was refused with this code. `what`: after "verifications". */
export function judgeRefused<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  all: readonly LoggedExchange[],
  { code, what }: { code: string; what: string },
): void {
  const refused = all.filter(({ response }) => json(response)?.code === code);
  ctx.check(word, refused.length === 0, {
    expected: `none about verifications ${what}`,
    got: refused.length === 0 ? 'none' : `${refused.length} answered with ${code}`,
    from: refused.slice(0, 1),
  });
}
