import type { Info, SandboxAnswers } from '../../client/answers.ts';
import type { Client } from '../../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { useTexts } from '../texts/languages.ts';
import { Badge } from './badge.tsx';
import { ReasonCode } from './reason-code.tsx';
import { VerificationLink } from './verification-link.tsx';

type Query = Record<string, string>;
type Verification = SandboxAnswers['verifications']['verifications'][number];

/** The asset of a test, and its verification after the first step. */
export interface TestRun {
  info: Info;
  symbol: AssetSymbol;
  verification: Verification | undefined;
}

export async function testRun(api: Client, { symbol = '', verificationUuid }: Query): Promise<TestRun> {
  const [info, found] = await Promise.all([
    api.info(),
    verificationUuid ? api.verifications({ search: verificationUuid }) : undefined,
  ]);
  return {
    info,
    symbol: isAssetSymbol(symbol) ? symbol : ASSET_SYMBOLS[0]!,
    verification: found?.verifications[0],
  };
}

/** Starts a new test in one of the assets. */
export const AssetChoice = ({ path, symbol, of }: { path: string; symbol?: string; of: string }) => (
  <form method="get" action={path} class="row">
    {ASSET_SYMBOLS.map(each => (
      <button
        type="submit"
        name="symbol"
        value={each}
        class={each === symbol ? undefined : 'secondary outline'}
        aria-label={useTexts().tests.testInAsset(of, each)}
        aria-pressed={symbol === undefined ? undefined : String(each === symbol)}
      >
        {useTexts().tests.inAsset(each)}
      </button>
    ))}
  </form>
);

export const ResultOf = ({ of }: { of: Verification }) => (
  <p class="row">
    <VerificationLink uuid={of.verificationUuid} />
    <Badge of={of.result ?? 'OPEN'} />
    <span>{`${of.amount} ${of.symbol}, ${of.userId ?? useTexts().tests.noUser}`}</span>
    <ReasonCode of={of.reason} />
    <span>{of.message}</span>
    {of.result === 'VERIFIED' ? null : <span>{useTexts().tests.onlyAfterVerified}</span>}
  </p>
);
